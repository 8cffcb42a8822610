import { expect, test } from 'vitest';
import { applyWorkflowBeside } from '../../src/action/event.ts';

test.each([
  ['contract-sync-plan.yml', 'contract-sync-apply.yml'],
  ['contract-sync-drift.yml', 'contract-sync-apply.yml'],
  ['contract-sync-plan-sales-dev.yml', 'contract-sync-apply-sales-dev.yml'],
  ['plan.yml', 'apply.yml'],
  ['planets.yaml', 'contract-sync-apply.yml'],
])('what %s shows is applied by %s', (workflow, applies) => {
  expect(applyWorkflowBeside(workflow)).toBe(applies);
});
