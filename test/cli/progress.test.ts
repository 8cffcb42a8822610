import { describe, expect, test } from 'vitest';
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

describe('on a terminal', () => {
  test('one line is drawn again and again, not too often, and cleared at the end', () => {
    expect(
      follow(true, [
        [500, 100, 2000],
        [550, 200, 2000],
        [1000, 500, 2000],
      ]),
    ).toEqual([
      '\r\u001B[2KReading: 100 of 2000 contracts, 200 a second, about 10 s left',
      '\r\u001B[2KReading: 500 of 2000 contracts, 500 a second, about 3 s left',
      '\r\u001B[2K',
    ]);
  });

  test('without a total there is no estimate', () => {
    expect(follow(true, [[1000, 1]])[0]).toBe('\r\u001B[2KReading: 1 contract, 1 a second');
  });
});

describe('elsewhere', () => {
  test('a line comes every five seconds', () => {
    expect(
      follow(false, [
        [1000, 10, 100],
        [5000, 50, 100],
        [9000, 90, 100],
        [10_000, 100, 100],
      ]),
    ).toEqual([
      'Reading: 50 of 100 contracts, 10 a second, about 5 s left\n',
      'Reading: 100 of 100 contracts, 10 a second\n',
    ]);
  });

  test('a short reading shows no progress', () => {
    expect(follow(false, [[100, 10, 10]])).toEqual([]);
  });
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
