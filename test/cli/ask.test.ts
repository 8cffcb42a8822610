import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ask } from '../../src/cli/ask.ts';

/** A terminal on which somebody presses keys as soon as the question stands there. */
async function askWhere(keys: string) {
  const signals: string[] = [];
  const stdin = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let shown = '';
  stderr.on('data', (chunk) => {
    if (shown === '') stdin.write(keys);
    shown += String(chunk);
  });
  const kill = (_pid: number, signal: string) => signals.push(signal);
  const answer = await ask('Go on? ', { stdin, stderr, pid: 1, kill });
  return { answer, signals, shown };
}

test.for([
  { keys: 'yes\r', answer: 'yes', signals: [] },
  { keys: 'no\r', answer: 'no', signals: [] },
  { keys: '\r', answer: '', signals: [] },
  { keys: '\u0004', answer: '', signals: [] }, // Ctrl-D
  { keys: '\u0003', answer: '', signals: ['SIGINT'] }, // Ctrl-C
  { keys: 'ye\u0003', answer: '', signals: ['SIGINT'] },
])('$keys answers $answer and raises $signals', async ({ keys, answer, signals }) => {
  const run = await askWhere(keys);
  expect(run).toMatchObject({ answer, signals });
  expect(run.shown).toContain('Go on? ');
});
