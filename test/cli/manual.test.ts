import { expect, test } from 'vitest';
import { describeProgram } from '../../src/cli/program.ts';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder } from '../support/workspace.ts';

const silent = { write: () => undefined, report: () => undefined };
const describeFor = (name?: string) => describeProgram(silent, async () => {}, name);
const all = describeFor().commands;

const names = all.map((command) => command.name());

test.each(names)('%s is the same without the others', (name) => {
  const alone = describeFor(name).commands.find((command) => command.name() === name);
  const among = all.find((command) => command.name() === name);
  expect(alone?.helpInformation()).toBe(among?.helpInformation());
});

test('an unknown command, and a command that lists commands, know all of them', () => {
  for (const word of ['plna', 'help', '--help', ''])
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
    'More: schema rules sandbox demo help',
  ]);
});

test.each(names)('the help of %s lists its flags, at most 27', async (name) => {
  const { options = [] } = all.find((command) => command.name() === name) ?? {};
  const shown = (await printHelp(name)).match(/^ {2}(?:-\w, )?--[a-z]/gmu) ?? [];
  expect(shown).toHaveLength(options.length + 1);
  expect(shown.length).toBeLessThanOrEqual(27);
});

test('a plan takes no more than 24 flags: what stays from run to run is in the configuration', () => {
  expect(all.find((command) => command.name() === 'plan')?.options.length).toBeLessThanOrEqual(24);
});
