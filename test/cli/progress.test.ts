import { expect, test } from 'vitest';
import { plain } from '../../src/report/blocks.ts';
import { createTerminal, startProgress } from '../../src/cli/terminal.ts';

function follow(
  live: boolean,
  steps: readonly (readonly [at: number, done: number, total?: number])[],
) {
  const reported: string[] = [];
  let clock = 0;
  const progress = startProgress(
    'Reading',
    {
      live,
      layouts: { write: { palette: plain }, report: { palette: plain, width: 80 } },
      report: (text) => void reported.push(text),
    },
    { now: () => clock, every: () => () => undefined },
  );
  for (const [at, done, total] of steps) {
    clock = at;
    progress.advance(done, total);
  }
  progress.end();
  return reported;
}

test('without a total, a terminal counts the contracts', () => {
  expect(follow(true, [[1000, 1]])[0]).toBe('\r\u001B[2KReading: 1 contract');
});

test('a log shows no progress of a short reading', () => {
  expect(follow(false, [[100, 10, 10]])).toEqual([]);
});

test.for([
  ['dumb', false],
  ['xterm', true],
] as const)('a terminal that calls itself %s has a moving line: %s', ([name, isLive]) => {
  const { stdin, stdout } = process;
  const stderr = { isTTY: true, write: () => true };
  const surroundings = { stdin, stdout, stderr, env: { TERM: name }, cwd: () => '/' };
  expect(createTerminal({ colour: false }, surroundings).live).toBe(isLive);
});
