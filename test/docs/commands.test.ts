import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../run-program.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = globSync(['README.md', '{docs,examples}/**/*.md'], { cwd: root }).toSorted();
const help = await readHelp();

test.for(pages)('each command and flag that %s names exists', (page) => {
  const codes = codesOf(readFileSync(join(root, page), 'utf8'));
  expect(codes.flatMap((code) => faultsOf(code))).toEqual([]);
});

/** What each command's help says. */
async function readHelp(): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await runInProcess(['--help'], { folder: root });
  const [, commands = ''] = stdout.split('Commands:\n');
  const names = [...commands.matchAll(/^ {2}(?<name>[a-z]+)/gmu)].map((match) => match[1] ?? '');
  const texts = names.map(async (name) => {
    const printed = await runInProcess([name, '--help'], { folder: root });
    return [name, printed.stdout] as const;
  });
  return new Map(await Promise.all(texts));
}

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
  const command = named ?? (help.has(word) ? word : undefined);
  if (named !== undefined && !help.has(named)) return [code];
  if (command === undefined && !code.startsWith('--')) return [];
  const texts = command === undefined ? [...help.values()] : [help.get(command) ?? ''];
  return flags
    .filter((flag) => !texts.some((text) => takes(text, flag)))
    .map((flag) => `${flag}: ${code}`);
}

const takes = (text: string, flag: string) => new RegExp(`${flag}(?![\\w-])`, 'u').test(text);
