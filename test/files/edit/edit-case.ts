import { expect } from 'vitest';
import { editYaml, type YamlEdit } from '../../../src/files/edit/edit.ts';
import type { Patch } from '../../../src/patch/evaluate.ts';

/** An edit, and what comes of it. */
export type EditCase = Partial<Pick<YamlEdit, 'notices' | 'removedComments'>> & {
  readonly name: string;
  readonly before: string;
  readonly patch: Patch;
  readonly document?: number;
  readonly after: string;
};

export function expectEdit(editCase: EditCase): void {
  const { before, patch, document = 0, after, notices = [], removedComments = [] } = editCase;
  expect(editYaml(before, patch, { document })).toEqual({
    kind: 'edited',
    text: after,
    notices,
    removedComments,
  });
}

/** Lines without the indentation that they have in a test; a backslash is a backslash. */
export function text({ raw }: TemplateStringsArray): string {
  const lines = (raw[0] ?? '').split('\n').slice(1, -1);
  const margins = lines.filter((line) => line !== '').map((line) => line.search(/\S/u));
  return lines.map((line) => `${line.slice(Math.min(...margins))}\n`).join('');
}
