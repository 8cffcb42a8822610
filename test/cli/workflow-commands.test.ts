import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createTerminal } from '../../src/cli/terminal.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { hostileText } from '../report/hostile-text.ts';
import { parseCommand } from '../report/runner-commands.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const count = 200;
/** The same in every run. */
const texts = ['::error::x', '##[error]x', ...fc.sample(hostileText, { numRuns: count, seed: 4 })];

const contracts = texts.map((text, index) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  description: `${text}\n  ::error::${text}`,
}));

const inWorkflow = { GITHUB_ACTIONS: 'true' };

function commandsIn(output: string): readonly string[] {
  return output.split(/\r\n|\r|\n/u).filter((line) => parseCommand(line) !== undefined);
}

describe('in a workflow', () => {
  let catalog: Sandbox;
  let folder: string;
  let broken: string;
  beforeEach(async () => {
    catalog = await serveCatalog({
      seed: contracts.map(({ id }, index) => ({
        id,
        name: `c${index}`,
        fullyQualifiedName: `${texts[index]}.${index}`,
        description: 'Old.',
      })),
    });
    folder = makeFolder({
      'contracts/all.yaml': contracts.map((each) => stringify(each)).join('---\n'),
    });
    broken = makeFolder({ 'contracts/all.yaml': texts.map((line) => `${line}: [`).join('\n') });
  });

  test.for([
    ['plan'],
    ['plan', '--format', 'markdown'],
    ['plan', '--verbose', '--format', 'json'],
    ['plan', '--only', '##[error]x'],
    ['apply', '--yes', '--verbose', '--allow-limit', 'updates', '--reason', 'all at once'],
    ['validate'],
    ['validate', '  ::error::x\n::error::x'],
    ['::error::x'],
    ['plan', '--\n::error::x'],
    ['rules'],
    ['schema', 'config'],
  ])('no line that %j writes is a command', async (args) => {
    for (const place of [folder, broken]) {
      const environment = { ...accessTo(catalog), ...inWorkflow, FORCE_COLOR: '1' };
      const { stdout, stderr } = await runInProcess(args, { folder: place, environment });
      expect(commandsIn(stdout)).toEqual([]);
      expect(commandsIn(stderr)).toEqual([]);
    }
  });

  test('JSON is the same as elsewhere', async () => {
    for (const args of [
      ['plan', '--format', 'json'],
      ['validate', '--format', 'json'],
    ]) {
      const environment = accessTo(catalog);
      const elsewhere = await runInProcess(args, { folder, environment });
      const here = await runInProcess(args, {
        folder,
        environment: { ...environment, ...inWorkflow },
      });
      expect(JSON.parse(here.stdout)).toEqual(JSON.parse(elsewhere.stdout));
    }
  });

  test('--format github writes commands', async () => {
    const args = ['validate', '--format', 'github'];
    const { stdout } = await runInProcess(args, { folder: broken, environment: inWorkflow });
    const elsewhere = await runInProcess(args, { folder: broken });
    expect(commandsIn(stdout)).not.toEqual([]);
    expect(stdout).toBe(elsewhere.stdout);
  });
});

test('outside of a workflow, lines are printed as they are', () => {
  expect(commandsIn(writtenIn(inWorkflow))).toEqual([]);
  expect(writtenIn({})).toBe('::error::x\n');
});

function writtenIn(env: NodeJS.ProcessEnv): string {
  let written = '';
  const stdout = { isTTY: false, write: (text: string) => ((written += text), true) };
  const { stdin, stderr } = process;
  const surroundings = { stdin, stderr, stdout, env, cwd: () => makeFolder() };
  createTerminal({ colour: false }, surroundings).write('::error::x\n');
  return written;
}
