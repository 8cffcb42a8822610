import { expect, test } from 'vitest';
import { GitHubError } from '../../src/action/github-request.ts';
import { explainUnsent } from '../../src/action/refusal.ts';
import { failureToApply, failureToPlan, reasonOf } from '../../src/action/result.ts';
import { summarizeOutcomes } from '../../src/apply/outcome.ts';
import { IssuerError } from '../../src/auth/issuer.ts';
import { ConfigError, DiagnosticsError, SyncError } from '../../src/core/diagnostic.ts';
import { makePlan } from '../../src/plan/seal.ts';

test.for([
  { error: new IssuerError('client-refused', 'No.'), reason: 'auth' },
  { error: new ConfigError('no-token', 'No.'), reason: 'auth' },
  { error: new SyncError('unauthorized', 'No.'), reason: 'auth' },
  { error: new ConfigError('invalid-catalog-url', 'No.'), reason: 'configuration' },
  { error: new DiagnosticsError('invalid-config', 'No.', []), reason: 'configuration' },
  { error: new DiagnosticsError('invalid-contracts', 'No.', []), reason: 'invalid-contracts' },
  { error: new GitHubError('No.'), reason: 'github' },
  { error: new SyncError('plan-edited', 'No.'), reason: 'plan-changed' },
  { error: new SyncError('incomplete-read', 'No.'), reason: 'catalog' },
])('$error.code stops a run because of $reason', ({ error, reason }) => {
  expect(reasonOf(error)).toBe(reason);
});

test.for([
  { blocked: 0, message: 'The plan must not be applied.' },
  { blocked: 2, message: 'The plan must not be applied. 2 blocked.' },
])('a plan that leaves $blocked contracts blocked fails: $message', ({ blocked, message }) => {
  const plan = makePlan('https://catalog.example.com', [], []);
  const summary = { ...plan.summary, blocked };
  const failure = failureToPlan({ ...plan, summary, errored: true }, 'errors');
  expect(failure).toEqual({ reason: 'unsafe-plan', message });
});

const refused = { result: 'not-reviewed', id: 'a', error: null } as const;
const applied = { result: 'applied', id: 'b', error: null } as const;
const stale = { result: 'stale', id: 'c', error: null } as const;

test.for([
  { outcomes: [refused, applied], reason: 'plan-changed' },
  // What did not land for another reason can be sent again.
  { outcomes: [refused, stale], reason: 'apply-failed' },
])('an apply of which $reason is the reason', ({ outcomes, reason }) => {
  const plan = makePlan('https://catalog.example.com', [], []);
  expect(failureToApply(plan, summarizeOutcomes({}, outcomes as never))?.reason).toBe(reason);
});

test.for([
  {
    now: { versionAfter: '0.3' },
    hint: 'Run the job again: it sends what is still as the pull request showed it.',
  },
  { now: {}, hint: 'Restore it.' },
])(
  'a change that moved since the plan names a further run, and one that is gone does not: $hint',
  ({ now, hint }) => {
    const plan = makePlan('https://catalog.example.com', [], []);
    const error = { code: 'a-code', message: 'No.', hint: 'Restore it.' };
    const outcomes = summarizeOutcomes({}, [{ ...stale, ...now, error }]);
    const approval = { fresh: plan, approved: plan, refused: [] };
    const records = { all: [], own: undefined, isWhole: true };
    expect(explainUnsent(outcomes, approval, records).outcomes).toMatchObject([
      { error: { hint } },
    ]);
  },
);
