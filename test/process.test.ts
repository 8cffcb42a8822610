import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { start } from './support/process.ts';

test('what a test has started is killed when it ends, with what that has started', async () => {
  const ended: string[] = [];
  // Such hooks run last first: this one after that of `start`. A stream closes when nobody holds it.
  onTestFinished(async () => {
    await once(child, 'close');
    expect(ended).toEqual(['SIGKILL']);
  }, 5000);
  const child = start('sh', ['-c', 'sleep 600 & echo started; wait']);
  child.once('exit', (_, signal) => ended.push(String(signal)));
  expect(String(await once(child.stdout, 'data'))).toBe('started\n');
});
