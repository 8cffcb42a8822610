import { expect, test } from 'vitest';
import type { Problem } from '../../src/core/diagnostic.ts';
import { agreeOnAll, findDoubts } from '../../src/plan/doubt.ts';
import type { UnchangedPlan, UpdatePlan } from '../../src/plan/plan.ts';
import { updateOf } from '../support/contracts.ts';

const problem: Problem = { code: 'dialect-doubtful', severity: 'error', message: 'Unknown kind.' };
const source = { file: 'orders.yaml', line: 1, column: 1 };

function update(id: string, description: string): UpdatePlan {
  return { ...updateOf({ description: 'Old.' }, { description }), id };
}

function unchanged(id: string, ...drifted: readonly string[]): UnchangedPlan {
  const differences = drifted.map((after) => ({ place: '/description', before: 'Old.', after }));
  const plan: UnchangedPlan = { action: 'unchanged', id, source, problems: [] };
  return drifted.length === 0 ? plan : { ...plan, drift: { differences } };
}

test('contracts on which two kinds of catalog disagree', () => {
  const said = { ...update('said', 'New.'), problems: [problem] };
  const first = [update('same', 'New.'), update('other', 'New.'), unchanged('drifted', 'New.')];
  const second = [update('same', 'New.'), update('other', 'Newer.'), unchanged('drifted')];
  const doubts = findDoubts(
    [
      [...first, said],
      [...second, said],
    ],
    problem,
  );
  expect([...doubts]).toEqual([
    ['other', { ...problem, source }],
    ['drifted', { ...problem, severity: 'warning', source }],
  ]);
});

test('a contract on which a third kind of catalog alone disagrees', () => {
  const [same, other] = [[update('a', 'New.')], [update('a', 'Newer.')]];
  const doubt = { ...problem, source };
  expect([...findDoubts([same, same, other], problem)]).toEqual([['a', doubt]]);
  expect(agreeOnAll([same, same, other], problem)).toMatchObject([
    { id: 'a', action: 'blocked', problems: expect.arrayContaining([doubt]) },
  ]);
  expect(agreeOnAll([same, other, same], problem)).toMatchObject([
    { id: 'a', action: 'blocked', problems: expect.arrayContaining([doubt]) },
  ]);
  expect(agreeOnAll([same, same, same], problem)).toEqual(same);
});
