import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder } from '../support/workspace.ts';

test.for([
  ['patch: { operations: documented }', '1:10', '`patch.operations` is gone.'],
  ['patch: { moves: false }', '1:10', '`patch.moves` is gone.'],
  [
    'compatibility: { deprecated: { mode: warn, after: 90d } }',
    '1:44',
    '`compatibility.deprecated.after` is gone.',
  ],
  ['compatibility: { against: all-active }', '1:18', '`compatibility.against` is gone.'],
  ['compatibility: { against: live }', '1:18', '`compatibility.against` is gone.'],
  ['compatibility: { window: 180d }', '1:18', '`compatibility.window` is gone.'],
  ['users: { ada: Ada <ada@example.com> }', '1:1', '`users` is gone.'],
  [
    'environments: { prod: { compatibility: { against: all-active } } }',
    '1:42',
    '`environments.prod.compatibility.against` is gone.',
  ],
])('%s is said to be gone, once, at its place', async ([setting, place, message]) => {
  const folder = makeFolder({ 'contract-sync.yaml': `${setting}\n` });
  const { code, stdout, stderr } = await runInProcess(['validate'], { folder });
  const text = `${stdout}${stderr}`;
  expect(code).toBe(1);
  expect(text).toContain(`contract-sync.yaml:${place}: error: ${message}`);
  expect(text.split(' is gone.')).toHaveLength(2);
});

test('a key that every object inherits is unknown, and not gone', async () => {
  const folder = makeFolder({ 'contract-sync.yaml': 'toString: 1\n' });
  const { stdout, stderr } = await runInProcess(['validate'], { folder });
  expect(`${stdout}${stderr}`).toContain('Unknown key "toString".');
});
