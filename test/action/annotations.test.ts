import { expect, test } from 'vitest';
import { annotationsOf } from '../../src/action/page.ts';
import { fromRoot } from '../../src/action/step.ts';
import { makePlan } from '../../src/plan/seal.ts';
import type { ContractPlan } from '../../src/plan/plan.ts';
import type { Problem } from '../../src/core/diagnostic.ts';

function unchangedWith(number: number, problem: Partial<Problem>): ContractPlan {
  const source = { file: `${String(number).padStart(2, '0')}.yaml`, line: 1, column: 1 };
  const told = {
    code: 'some-code',
    severity: 'warning',
    message: `Of ${number}.`,
    source,
  } as const;
  return { action: 'unchanged', id: String(number), source, problems: [{ ...told, ...problem }] };
}

test('a backslash in the name of a file or folder stays one', () => {
  expect(fromRoot('a\\b', 'c\\d.yaml')).toBe('a\\b/c\\d.yaml');
  expect(fromRoot('', 'c.yaml')).toBe('c.yaml');
});

test('of many warnings those are shown that break consumers', () => {
  const mild = Array.from({ length: 12 }, (_, number) => unchangedWith(number, {}));
  const breaking = [90, 91].map((number) => unchangedWith(number, { impact: 'breaking' }));
  const plan = makePlan('https://catalog.example.com/api', [...mild, ...breaking], []);
  const shown = annotationsOf({ kind: 'plan', plan });
  expect(shown).toHaveLength(10);
  expect(shown.slice(0, 3).map(({ message }) => message)).toEqual(['Of 90.', 'Of 91.', 'Of 0.']);
});
