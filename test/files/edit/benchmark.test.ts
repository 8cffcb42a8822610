import { expect, test } from 'vitest';
import { editors } from '../../bench/yaml-edits/editors.ts';
import { makeEdits } from '../../bench/yaml-edits/edits.ts';
import { judge } from '../../bench/yaml-edits/judge.ts';

test('each edit of the benchmark leaves every comment and every other line as it was', () => {
  const edits = makeEdits();
  const texts = editors['contract-sync']?.(edits) ?? [];
  expect(edits).toHaveLength(300);
  const faults = edits.filter((edit, at) => judge(edit, texts[at]) !== 'clean');
  expect(faults.map(({ file, operation }) => ({ file, operation }))).toEqual([]);
});
