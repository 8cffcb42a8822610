import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summarizeOutcomes } from '../../../src/apply/outcome.ts';
import { updates } from '../../../src/plan/plan.ts';
import { comparisonBlock } from '../../../src/report/lists.ts';
import { renderOutcomesText } from '../../../src/report/outcomes.ts';
import { plain } from '../../../src/report/blocks.ts';
import { renderPlanText } from '../../../src/report/plan.ts';
import { renderText } from '../../../src/report/text.ts';
import { compareChanges } from '../../../src/review/compare.ts';
import { hostileText, planSaying } from '../hostile-text.ts';

/** What moves a cursor, hides or reorders text, or begins a line of its own. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function expectVisible(text: string): void {
  for (const line of text.split('\n')) expect(line).not.toMatch(unseen);
}

test.each(['changes', 'all', 'totals'] as const)(
  'no text of a file or the catalog moves the cursor of a terminal that shows a plan: %s',
  (detail) => {
    fc.assert(
      fc.property(fc.infiniteStream(hostileText), (texts) => {
        const plan = planSaying(() => texts.next().value ?? 'x', 4);
        expectVisible(renderPlanText(plan, { palette: plain, detail }));
      }),
    );
  },
);

test('no text moves the cursor of a terminal that shows outcomes, or a plan beside its review', () => {
  fc.assert(
    fc.property(fc.infiniteStream(hostileText), (texts) => {
      const say = () => texts.next().value ?? 'x';
      const plan = planSaying(say, 3);
      const outcomes = summarizeOutcomes(plan, [
        {
          result: 'failed',
          fullyQualifiedName: say(),
          versionBefore: say(),
          versionAfter: say(),
          note: say(),
          error: { code: 'failed', message: say(), hint: say() },
        },
      ]);
      expectVisible(renderOutcomesText(outcomes, { palette: plain }));
      const sides = { place: `/${say()}`, before: say(), after: say(), behind: say() };
      const reviewed = updates(plan).map((change) => ({ ...change, differences: [sides] }));
      const comparison = compareChanges(reviewed, { ...plan, contracts: [] });
      const compared = comparisonBlock(comparison);
      expectVisible(renderText({ blocks: [compared] }, { palette: plain }));
    }),
  );
});
