import { expect, test } from 'vitest';
import { differingLines } from '../../src/report/blocks.ts';

function linesOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, line) => `${name} ${line}`);
}

test('a line that differs stands between its neighbours, and a gap is marked', () => {
  const before = linesOf('line', 9);
  const after = before.with(4, 'another');
  expect(differingLines(before.join('\n'), after.join('\n'), 1)).toEqual([
    { kind: 'gap', text: '…' },
    { kind: 'context', text: 'line 3' },
    { kind: 'removed', text: 'line 4' },
    { kind: 'added', text: 'another' },
    { kind: 'context', text: 'line 5' },
    { kind: 'gap', text: '…' },
  ]);
});

// Compared line by line, they would take hours.
test('a long text that is written anew is all of the old, then all of the new', () => {
  const [before, after] = [linesOf('old', 100_000), linesOf('new', 100_000)];
  const lines = differingLines(before.join('\n'), after.join('\n'), 1);
  expect(lines).toHaveLength(200_000);
  expect(lines[99_999]).toEqual({ kind: 'removed', text: 'old 99999' });
  expect(lines[100_000]).toEqual({ kind: 'added', text: 'new 0' });
});
