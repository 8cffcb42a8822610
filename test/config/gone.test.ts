import { expect, test } from 'vitest';
import { runInProcess } from '../run-program.ts';
import { makeFolder } from '../workspace.ts';

test.for([
  ['patch: { operations: documented }', '1:10', '`patch.operations` is gone.'],
  ['patch: { moves: false }', '1:10', '`patch.moves` is gone.'],
])('%s is said to be gone, once, at its place', async ([setting, place, message]) => {
  const folder = makeFolder({ 'contract-sync.yaml': `${setting}\n` });
  const { code, stdout, stderr } = await runInProcess(['validate'], { folder });
  const text = `${stdout}${stderr}`;
  expect(code).toBe(1);
  expect(text).toContain(`contract-sync.yaml:${place}: error: ${message}`);
  expect(text.split(' is gone.')).toHaveLength(2);
});
