import { expect, test } from 'vitest';
import { describeProgram } from '../../src/cli/program.ts';

const silent = { write: () => undefined, report: () => undefined };
const describeFor = (name?: string) => describeProgram(silent, () => async () => {}, name);
const all = describeFor().commands;

test.each(all.map((command) => command.name()))('%s is the same without the others', (name) => {
  const alone = describeFor(name).commands.find((command) => command.name() === name);
  const among = all.find((command) => command.name() === name);
  expect(alone?.helpInformation()).toBe(among?.helpInformation());
});

test('for a word that is no command, and to write down all commands, there are all', () => {
  for (const word of ['plna', 'help', '--help', 'completion', ''])
    expect(describeFor(word).commands).toHaveLength(all.length);
});
