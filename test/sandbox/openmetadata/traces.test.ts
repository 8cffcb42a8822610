import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { open } from './adapter.ts';
import { replay, type Trace } from './replay.ts';

const folder = join(import.meta.dirname, 'traces');

const traces = readdirSync(folder)
  .filter((file) => file.endsWith('.json') && file !== 'world.json')
  .map((file): Trace => JSON.parse(readFileSync(join(folder, file), 'utf8')));

test.each(traces)('$name: $about', async (trace) => {
  const server = await open();
  onTestFinished(server.close);
  expect(await replay(trace, server)).toEqual([]);
});
