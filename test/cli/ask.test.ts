import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ask } from '../../src/cli/terminal.ts';

/** A terminal on which somebody presses keys as soon as the question stands there. */
async function askWhere(keys: string) {
  let interrupted = false;
  const stdin = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let shown = '';
  stderr.on('data', (chunk) => {
    if (shown === '') setImmediate(() => stdin.write(keys));
    shown += String(chunk);
  });
  const answer = await ask('Go on? ', 'Nothing was done.', { stdin, stderr }, () => {
    interrupted = true;
  });
  return { answer, interrupted, shown };
}

test.for([
  { keys: 'yes\r', answer: 'yes', interrupted: false },
  { keys: 'no\r', answer: 'no', interrupted: false },
  { keys: '\r', answer: '', interrupted: false },
  { keys: '\u0004', answer: '', interrupted: false }, // Ctrl-D
  { keys: '\u0003', answer: '', interrupted: true }, // Ctrl-C
  { keys: 'ye\u0003', answer: '', interrupted: true },
])('$keys answers $answer and interrupts: $interrupted', async ({ keys, answer, interrupted }) => {
  const run = await askWhere(keys);
  expect(run).toMatchObject({ answer, interrupted });
  expect(run.shown).toContain('Go on? ');
  expect(run.shown.at(-1)).toBe('\n'); // What is told next has a line of its own.
  expect(run.shown.endsWith('\nNothing was done.\n')).toBe(interrupted);
});
