import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeProgram } from '../../src/cli/program.ts';
import { root } from '../support/root.ts';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder } from '../support/workspace.ts';

const pages = globSync('docs/**/*.md', { cwd: root })
  .filter((page) => !/(?:codes|configuration)\.md$/u.test(page))
  .map((page) => readFileSync(join(root, page), 'utf8'));
const silent = { write: () => undefined, report: () => undefined };
const describeFor = (name?: string) => describeProgram(silent, async () => {}, name);
const all = describeFor().commands;

const names = all.map((command) => command.name());

test.each(names)('%s is the same without the others', (name) => {
  const alone = describeFor(name).commands.find((command) => command.name() === name);
  const among = all.find((command) => command.name() === name);
  expect(alone?.helpInformation()).toBe(among?.helpInformation());
});

test('for a word that is no command, and to write down all commands, there are all', () => {
  for (const word of ['plna', 'help', '--help', 'completion', ''])
    expect(describeFor(word).commands).toHaveLength(all.length);
});

const printHelp = async (...args: readonly string[]) =>
  (await runInProcess([...args, '--help'], { folder: makeFolder() })).stdout;

test('help lists the commands by when one needs them', async () => {
  const groups = [...(await printHelp()).matchAll(/^(?<title>\w.*):\n(?<list>(?: .*\n)+)/gmu)].map(
    ({ groups: { title = '', list = '' } = {} }) =>
      `${title}: ${[...list.matchAll(/^ {2}([a-z]+)/gmu)].map(([, name]) => name).join(' ')}`,
  );
  expect(groups.slice(1)).toEqual([
    'Every day: plan apply validate pull downstream',
    'On call: history rollback explain',
    'Setting up: init import doctor login logout',
    'More: schema rules completion sandbox demo help',
  ]);
});

describe.each(names)('the help of %s', (name) => {
  const { options = [] } = all.find((command) => command.name() === name) ?? {};
  const hidden = options.filter((option) => option.hidden);

  test('has at most 20 flags', async () => {
    const shown = (await printHelp(name)).match(/^ {2}(?:-\w, )?--[a-z]/gmu) ?? [];
    expect(shown).toHaveLength(options.length - hidden.length + 1);
    expect(shown.length).toBeLessThanOrEqual(20);
  });

  test('ends with the flags that it explains elsewhere, and the address of their page', async () => {
    const [names = '', page] = (await printHelp(name)).trimEnd().split('\n').slice(-2);
    const address =
      'https://github.com/contract-sync/contract-sync/blob/main/docs/configuration.md#flags';
    expect(page === `What they do: ${address}`).toBe(hidden.length > 0);
    for (const { long } of hidden) expect(names.split(' ')).toContain(long);
  });
});

const hiddenFlags = all.flatMap(({ options }) =>
  options.filter((option) => option.hidden).map(({ long, description }) => [long, description]),
);

test.each(hiddenFlags)('%s has a key, a variable or a page', (flag, description) => {
  const schema = JSON.parse(readFileSync(join(root, 'schemas', 'config.schema.json'), 'utf8'));
  const settings = [...(description ?? '').matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name);
  for (const name of settings.filter((each) => !each.startsWith('CONTRACT_SYNC_'))) {
    expect(schema).toHaveProperty(`properties.${name.replaceAll('.', '.properties.')}`);
  }
  if (settings.length === 0)
    expect(pages.filter((text) => text.includes(`\`${flag}`))).not.toEqual([]);
});
