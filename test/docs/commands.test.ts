import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeProgram } from '../../src/cli/program.ts';
import { root } from '../support/root.ts';

const pages = globSync(['README.md', '{docs,examples}/**/*.md'], { cwd: root }).toSorted();
const silent = { write: () => undefined, report: () => undefined };
const { commands } = describeProgram(silent, async () => {});
const flagsOf = new Map([
  ['help', []],
  ...commands.map((each) => [each.name(), each.options.map(({ long }) => long)] as const),
]);

test.for(pages)('each command and flag that %s names exists', (page) => {
  const codes = codesOf(readFileSync(join(root, page), 'utf8'));
  expect(codes.flatMap((code) => faultsOf(code))).toEqual([]);
});

/** Lines of shell blocks, and words between backticks. */
function codesOf(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n(?<code>[^]*?)^```/gmu)];
  const words = page.replaceAll(/^```[^]*?^```/gmu, '').matchAll(/`(?<code>[^`]+)`/gu);
  return [...blocks, ...words].flatMap(({ groups }) => (groups?.['code'] ?? '').split('\n'));
}

/** Commands that contract-sync doesn't have, and flags that they don't take. */
function faultsOf(code: string): string[] {
  const flags = [...code.matchAll(/(?<= |^)--[a-z][\w-]*/gu)].map(([flag]) => flag);
  const [, named] = /(?:^|[ /])contract-sync ([a-z]+)/u.exec(code) ?? [];
  const [word = ''] = code.split(' ');
  const command = named ?? (flagsOf.has(word) ? word : undefined);
  if (named !== undefined && !flagsOf.has(named)) return [code];
  if (command === undefined && !code.startsWith('--')) return [];
  const known = command === undefined ? [...flagsOf.values()].flat() : flagsOf.get(command);
  return flags
    .filter((flag) => flag !== '--help' && !known?.includes(flag))
    .map((flag) => `${flag}: ${code}`);
}
