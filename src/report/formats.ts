import type { Diagnostic } from '../core/diagnostic.ts';
import { lazyPattern, sanitizeLine } from '../core/text.ts';
import type { Report } from './blocks.ts';
import { renderJunit, type TestCase } from './json.ts';

export const formatsOf = {
  plan: ['text', 'json', 'markdown', 'html', 'github', 'junit'],
  outcomes: ['text', 'json', 'markdown', 'html', 'junit'],
  validation: ['text', 'json', 'github', 'junit'],
  history: ['text', 'json', 'markdown'],
  downstream: ['text', 'json', 'markdown'],
  examination: ['text', 'json'],
} as const;

export type Printable = {
  readonly text: () => string;
  readonly json: () => string;
  readonly page?: (view: { readonly isWhole: boolean }) => Report;
  readonly problems?: () => readonly Diagnostic[];
  readonly cases?: () => readonly TestCase[];
  /** The result in one sentence, of which the problems alone say nothing. */
  readonly verdict?: () => string;
};

export const formats: {
  readonly [name in (typeof formatsOf.plan)[number]]: {
    /** The syntax to escape for a log of GitHub, which obeys commands in it. */
    readonly form: 'text' | 'json' | 'commands';
    readonly write: (result: Printable) => string | Promise<string>;
  };
} = {
  text: { form: 'text', write: ({ text }) => text() },
  json: { form: 'json', write: ({ json }) => json() },
  markdown: {
    form: 'text',
    write: async ({ page }) => {
      const { renderMarkdown } = await import('./markdown.ts');
      return page ? renderMarkdown(page({ isWhole: false }), { budget: Infinity }) : '';
    },
  },
  html: {
    form: 'text',
    write: async ({ page }) => {
      const { renderHtml } = await import('./html.ts');
      return page ? renderHtml(page({ isWhole: true })) : '';
    },
  },
  github: {
    form: 'commands',
    write: ({ problems, verdict }) => {
      const lines = (problems?.() ?? []).map(annotationLine);
      const properties = { title: 'contract-sync' };
      if (verdict) lines.push(commandLine({ name: 'notice', properties, message: verdict() }));
      return lines.map((line) => `${line}\n`).join('');
    },
  },
  junit: {
    form: 'text',
    write: ({ cases }) => renderJunit(cases?.() ?? []),
  },
};

// Text for the log of a workflow run, in which the runner also looks for commands: `::command::` at
// the start of a line, `##[command]` anywhere. It compares by locale, which ignores characters
// without weight, such as a zero-width space or a combining mark: a visible character has to
// separate the signs.

// GitHub cuts an annotation at 4,096 characters.
const longestMessage = 4000;

export function annotationLine({ code, severity, message, hint, source }: Diagnostic): string {
  const text = hint === undefined ? [message] : [message, hint];
  return commandLine({
    name: severity === 'information' ? 'notice' : severity,
    properties: {
      ...(source && { file: sanitizeLine(source.file), line: source.line, col: source.column }),
      title: sanitizeLine(code),
    },
    message: text.map(sanitizeLine).join('\n').slice(0, longestMessage),
  });
}

/** The runner undoes these escapes; without them text could begin another command. */
export function commandLine({
  name,
  properties = {},
  message = '',
}: {
  readonly name: 'error' | 'warning' | 'notice' | 'group' | 'endgroup';
  readonly properties?: Readonly<Record<string, string | number>>;
  readonly message?: string;
}): string {
  const given = Object.entries(properties).map(([key, value]) => {
    const text = escapeMessage(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C');
    return `${key}=${text}`;
  });
  return `::${name}${given.length > 0 ? ` ${given.join(',')}` : ''}::${escapeMessage(message)}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

export function logLines(text: string): string[] {
  return text.split(lineBreak).map((line) => sanitizeLine(defuse(line)));
}

export function withoutCommands(text: string): string {
  return text
    .split(keptLineBreak)
    .map((part, index) => (index % 2 === 0 ? defuse(part) : part))
    .join('');
}

// Every line break of any reader of the log.
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
const keptLineBreak = new RegExp(`(${lineBreak.source})`, 'u');

// Characters without weight in the runner's comparison.
const weightless = String.raw`\p{C}\p{M}\p{Default_Ignorable_Code_Point}`;
// One class for blanks and these: as alternatives, which share the tab, they would take 2^n steps.
const leadingColons = lazyPattern(String.raw`^[\s${weightless}]*:[${weightless}]*:`, 'u');
const hashBracket = lazyPattern(String.raw`#([${weightless}]*)\[`, 'gu');

function defuse(line: string): string {
  if (!line.includes(':') && !line.includes('#')) return line;
  const apart = line.replaceAll(hashBracket(), '#·$1[');
  return leadingColons().test(apart) ? `·${apart}` : apart;
}

export function jsonWithoutCommands(json: string): string {
  if (!json.includes('#')) return json;
  return json.replaceAll(hashBracket(), String.raw`\u0023$1[`);
}
