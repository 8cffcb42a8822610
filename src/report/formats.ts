import type { Diagnostic } from '../core/diagnostic.ts';
import { version } from '../version.ts';
import type { Report } from './blocks.ts';
import { annotationLine } from './github.ts';

export const formatsOf = {
  plan: ['text', 'json', 'markdown', 'html', 'github', 'sarif'],
  outcomes: ['text', 'json', 'markdown', 'html'],
  validation: ['text', 'json', 'github', 'sarif'],
  history: ['text', 'json', 'markdown'],
  downstream: ['text', 'json', 'markdown'],
  examination: ['text', 'json'],
} as const;

export type Printable = {
  readonly text: () => string;
  readonly json: () => string;
  readonly page?: (view: { readonly isWhole: boolean }) => Report;
  readonly problems?: () => readonly Diagnostic[];
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
    write: ({ problems }) =>
      (problems?.() ?? []).map((each) => `${annotationLine(each)}\n`).join(''),
  },
  sarif: {
    form: 'json',
    write: async ({ problems }) => {
      const { renderSarif } = await import('./json.ts');
      return renderSarif(problems?.() ?? [], version);
    },
  },
};
