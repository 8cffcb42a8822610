import { expect, test } from 'vitest';
import type { MissingPair, StrayPair } from '../../src/plan/pair.ts';
import { noFacts } from '../../src/plan/facts.ts';
import { defaultRules, type Rules } from '../../src/plan/rules.ts';
import {
  holdBackDoubtfulRetirements,
  planMissing,
  planUnmanaged,
} from '../../src/plan/contract-plan.ts';
import { canonicalSegments } from '../../src/contract/names.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';

test('a retirement in doubt is held back', () => {
  const source = { file: 'contract-sync.yaml', line: 1, column: 1 };
  const rules: Rules = {
    ...defaultRules,
    scope: [canonicalSegments('shop.**')],
    unmanaged: { rule: 'deprecate', source },
  };
  const stray: StrayPair = { live: liveOf({ entityStatus: 'Active' }) };
  const file = desiredOf({ description: 'New.' });
  const missing: MissingPair = {
    desired: { ...file, identity: { fullyQualifiedName: 'shop.sales.order' } },
  };
  const retirement = planUnmanaged(stray, rules);
  if (retirement?.action !== 'update') throw new Error('no retirement');
  const planned = [
    { pair: stray, plan: { ...retirement, problems: [] } },
    { pair: missing, plan: planMissing(missing, rules) },
  ];
  const [held] = holdBackDoubtfulRetirements(planned, noFacts, rules);
  expect(held?.plan).toMatchObject({
    action: 'blocked',
    problems: [{ code: 'retirement-doubtful' }],
  });
});
