/** What an apply leaves for audits: its outcomes, and a receipt of them to be signed. */

import { formatDocument, renderOutcomesJson } from '../report/json.ts';
import type { AppliedResult } from './result.ts';
import { recordOf } from './settle.ts';
import { runPage, type Step } from './step.ts';

const mayHaveLanded: ReadonlySet<string> = new Set(['applied', 'overlapped', 'unverified', 'held']);

/** By `schemas/outcomes.schema.json` and `schemas/receipt.schema.json`. */
export function auditFiles(step: Step, { outcomes, records }: AppliedResult) {
  const { catalogUrl, environment, commit = step.run.sha, planHash } = outcomes;
  const changes = outcomes.outcomes.map((outcome) => {
    const { id, fullyQualifiedName, fingerprint, result, versionBefore, versionAfter } = outcome;
    const reviewed = result === 'not-reviewed' ? undefined : recordOf(outcome, records);
    const pullRequest = reviewed?.pull.number;
    const names = { id, fullyQualifiedName, fingerprint, pullRequest };
    return { result, ...names, versionBefore, versionAfter };
  });
  // Signatures are public where the repository is, and the catalog's values may not be.
  const receipt = {
    formatVersion: '1.0',
    run: runPage(step),
    commit,
    catalogUrl,
    environment,
    planHash,
    changes,
  };
  const hasLanded = changes.some(({ result }) => mayHaveLanded.has(result));
  return {
    outcomes: renderOutcomesJson(outcomes, { verbose: false }),
    receipt: hasLanded ? formatDocument(receipt) : undefined,
  };
}
