import type { Diagnostic, Severity } from '../../core/diagnostic.ts';
import { deepestNesting } from '../../core/json.ts';
import { CST, Lexer } from 'yaml';

export type Finding = Omit<Diagnostic, 'severity' | 'source'> & {
  /** Default: an error. */
  readonly severity?: Severity;
};

/** By offset, in UTF-16 code units. */
export type OffsetDiagnostic = Finding & {
  readonly offset: number;
};

export function toDiagnostic(file: string, lines: Lines, finding: OffsetDiagnostic): Diagnostic {
  const { offset, ...problem } = finding;
  const { code, severity = 'error', ...words } = problem;
  const source = { file, ...lines.place(offset) };
  // The order of members is that of the JSON output.
  return problem.severity ? { ...problem, severity, source } : { code, severity, ...words, source };
}

export type LineColumn = { readonly line: number; readonly column: number };

/** Lines and columns count from 1. */
export type Lines = { readonly place: (offset: number) => LineColumn };

/** Goes on from the last place, as callers mostly ask in order. */
export function linesOf(text: string): Lines {
  let start = 0;
  let line = 1;
  return {
    place: (offset) => {
      // Some syntax errors are placed past the end.
      const within = Math.min(offset, text.length);
      for (; start > within; line -= 1)
        start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
      for (let end = text.indexOf('\n', start); end !== -1 && end < within; line += 1) {
        start = end + 1;
        end = text.indexOf('\n', start);
      }
      return { line, column: within - start + 1 };
    },
  };
}

export const mostProblems = 100;

// Assigning either can pollute prototypes in programs that read the values.
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

export const tooDeep = {
  code: 'nesting-too-deep',
  message: `Lists and mappings are nested more than ${deepestNesting} levels deep here.`,
  hint: 'Flatten the value.',
};

export function mergeConflict(text: string): OffsetDiagnostic | undefined {
  const offset = text.search(/^<{7} /mu);
  if (offset === -1) return undefined;
  const message = 'Unresolved git merge conflict.';
  const hint = 'Resolve it and remove the <<<<<<<, ======= and >>>>>>> lines.';
  return { code: 'merge-conflict', message, hint, offset };
}

/** Says in plain words what js-yaml complains of, at the place to look at. */
export function syntaxError(text: string, complaint: string, position: number): OffsetDiagnostic {
  if (complaint.startsWith('nesting exceeded')) return { ...tooDeep, offset: position };
  const line = text.lastIndexOf('\n', position - 1) + 1;
  const tab = /^ *\t/u.exec(text.slice(line));
  if (tab) {
    const message = 'This line is indented with a tab. YAML allows only spaces.';
    const offset = line + tab[0].length - 1;
    return { code: 'yaml-syntax', message, hint: 'Replace the tab with spaces.', offset };
  }
  const dash = tightDash(text, line);
  if (dash !== undefined) {
    const message = 'This dash has no space behind it, so it begins no item of a list.';
    return { code: 'yaml-syntax', message, hint: 'Write `- `, with a space.', offset: dash };
  }
  const colon = tightColon(text, line);
  if (colon !== undefined) {
    const message = 'This colon has no space behind it, so it ends no key.';
    return {
      code: 'yaml-syntax',
      message,
      hint: 'Write `key: value`, with a space.',
      offset: colon,
    };
  }
  const item = missingDash(text, line, position);
  if (item !== undefined) {
    const message =
      'This key is beside the items of a list: a dash is missing, or it is not indented like the keys of the item above.';
    const hint = 'Begin a new item with `- `, or indent the key by two more spaces.';
    return { code: 'yaml-syntax', message, hint, offset: item };
  }
  const quote = /^deficient|within a/u.test(complaint) ? openQuote(text, position) : undefined;
  if (quote !== undefined) {
    const message = 'This quote is not closed, or its next lines are not indented enough.';
    const inside =
      text[quote] === '"'
        ? String.raw`\" for a quote within it`
        : "'' for a quote within single ones";
    const hint = `Close it, or indent them deeper than its key. Write ${inside}.`;
    return { code: 'yaml-syntax', message, hint, offset: quote };
  }
  const before = text.slice(line, position);
  const situation = `${complaint}\n${before}\n${text[position] ?? ''}`;
  const known = problems.find(([pattern]) => pattern.test(situation));
  const [, message, hint, offsetIn] = known ?? [
    undefined,
    `This is not valid YAML: ${complaint}.`,
    'Check this line and the one above. Quote text that contains YAML syntax.',
  ];
  // The line of a directive has been read already.
  const isAbove = /%?(?:YAML|TAG) directive|YAML version/u.test(complaint);
  const place = isAbove ? text.lastIndexOf('\n', position - 2) + 1 : position;
  const offset = offsetIn?.(text, position, line) ?? place;
  return { code: 'yaml-syntax', message, hint, offset };
}

type Problem = readonly [
  /** Matches three lines: js-yaml's complaint, the line up to its position, the character there. */
  situation: RegExp,
  message: string,
  hint: string,
  /** The offset to report, where it is not js-yaml's. */
  offsetIn?: (text: string, position: number, line: number) => number,
];

// The first that fits.
const problems: readonly Problem[] = [
  [
    /^(?:deficient|.*within a flow|missed comma.*\n.*\n[\]}])/u,
    'This bracket is not closed, or its content is not indented enough.',
    'Close it, and indent its lines deeper than its key.',
    openBracket,
  ],
  [
    /^(?:unknown escape|expected hexadecimal)/u,
    "Invalid escape: YAML doesn't know this backslash sequence.",
    'Use single quotes: a backslash has no meaning there.',
    (text, position) => text.lastIndexOf('\\', position - 1),
  ],
  [/\n[@`%]$/u, 'This value starts with a character that YAML reserves.', 'Quote the value.'],
  [
    /multiline key/u,
    'YAML reads this as a key that spans several lines.',
    'Look for a missing colon or quote, or a next line that is indented too deep.',
    (text, _position, line) => startOfKey(text, line),
  ],
  [
    /^expected ':'/u,
    'Expected a key, followed by a colon and a space.',
    'Write `key: value`.',
    startOfLine,
  ],
  [
    /^(?:bad indentation|end of the stream).*\n(?:---|.*?:) .*\n:$/u,
    'This value contains a colon and a space, so YAML reads it as another key.',
    'Quote the value.',
    (text, _position, line) => line + (/^(?:---|.*?:) +/u.exec(text.slice(line))?.[0].length ?? 0),
  ],
  [
    /^(?:bad indentation|end of the stream).*\n.*\n:$/u,
    'This key is indented deeper than the one above, which has a value already.',
    'Indent all keys of a mapping by the same number of spaces.',
    startOfLine,
  ],
  [
    /^(?:bad indentation|end of the stream).*\n *\n[^\]}]$/u,
    "The indentation of this line doesn't match the lines around it.",
    'Indent all keys of a mapping, and all items of a list, by the same number of spaces.',
  ],
  [
    /^(?:bad indentation|end of the stream).*\n.*\n[^\]}]$/u,
    'The value before this has ended already.',
    'Quote the whole value, or begin a new line.',
  ],
];

// The nearest line above that is indented no deeper begins an item.
function missingDash(text: string, line: number, position: number): number | undefined {
  const indent = /^ *(?=[\w"'][^\n]*:(?:\s|$))/u.exec(
    text.slice(line, text.indexOf('\n', line) + 1 || undefined),
  )?.[0];
  if (indent === undefined || position > line + indent.length) return undefined;
  const above = text
    .slice(0, line)
    .split('\n')
    .findLast((each) => /\S/u.test(each) && !each.startsWith(`${indent} `));
  return above?.startsWith(`${indent}- `) ? line + indent.length : undefined;
}

// On the line itself, or before a key on the line above.
function tightDash(text: string, line: number): number | undefined {
  const own = /^ *(?=-[{[\w"'])/u.exec(text.slice(line));
  if (own) return line + own[0].length;
  const above = text.lastIndexOf('\n', line - 2) + 1;
  const before = /^ *(?=-[\w"'][^:\n]*: )/u.exec(text.slice(above, line));
  return before ? above + before[0].length : undefined;
}

// On the line itself, or on the line above.
function tightColon(text: string, line: number): number | undefined {
  const above = text.lastIndexOf('\n', line - 2) + 1;
  for (const start of line === above ? [line] : [line, above]) {
    const [key] = /^ *(?:- +)*[A-Za-z_]\w*(?=:[^\s:/])/u.exec(text.slice(start)) ?? [];
    if (key !== undefined) return start + key.length;
  }
  return undefined;
}

function startOfLine(text: string, _position: number, line: number): number {
  return line + (/^ */u.exec(text.slice(line))?.[0].length ?? 0);
}

// Goes up over lines without a colon, which js-yaml takes for one key.
function startOfKey(text: string, line: number): number {
  let start = line;
  while (start > 0) {
    const above = text.lastIndexOf('\n', start - 2) + 1;
    if (!/^(?!.*(?::\s|\s#)) *[^\s#]/u.test(text.slice(above, start))) break;
    start = above;
  }
  return startOfLine(text, start, start);
}

// js-yaml doesn't say where the text up to `end` leaves a quote open.
function openQuote(text: string, end: number): number | undefined {
  const last = [...lexemesOf(text.slice(0, end))].findLast((lexeme) => !isGap(lexeme));
  const isOpen = last && !last.isText && /^["']/u.test(last.source) && !closed.test(last.source);
  return isOpen ? last.offset : undefined;
}

// The innermost that the text up to `end` leaves open.
function openBracket(text: string, end: number): number {
  const open: number[] = [];
  for (const { offset, source, isText } of lexemesOf(text.slice(0, end))) {
    if (!isText && /^[[{]$/u.test(source)) open.push(offset);
    if (!isText && /^[\]}]$/u.test(source)) open.pop();
  }
  return open.at(-1) ?? end;
}

const closed = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')$/su;

type Lexeme = {
  readonly offset: number;
  readonly source: string;
  /** It belongs to a plain text or a block: no character of it is syntax. */
  readonly isText: boolean;
};

// Zero-width, and absent from the text.
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** By the lexer of the package `yaml`, which also takes text that is not valid. */
export function* lexemesOf(text: string): Generator<Lexeme> {
  let offset = 0;
  let isText = false;
  for (const source of new Lexer().lex(text)) {
    if (!isText && marks.has(source)) isText = source === CST.SCALAR;
    else {
      yield { offset, source, isText };
      isText = false;
      offset += source.length;
    }
  }
}

export function isGap({ source, isText }: Lexeme): boolean {
  return !isText && /^(?:\s+|#.*)$/u.test(source);
}
