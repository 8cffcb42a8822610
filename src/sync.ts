/** READ FIRST. Files → desired contracts; catalog → live ones; match → changes → a plan. */

import type { CatalogReader } from './catalog/catalog.ts';
import { optionalFields, type DesiredContract, type OptionalField } from './contract/contract.ts';
import { hasErrors } from './diagnostic.ts';
import { readContracts, type FileSelection } from './files/read.ts';
import { planContract, planMissing, planUnmanaged, type Rules } from './plan/contract-plan.ts';
import { erroredPlan, makePlan } from './plan/make.ts';
import { createMatcher } from './plan/match.ts';
import type { ContractPlan, Plan } from './plan/plan.ts';

export type Sync = {
  readonly catalogUrl: string;
  readonly files: FileSelection;
  /** Has no method that could change the catalog: planning cannot write. */
  readonly reader: CatalogReader;
  readonly rules: Rules;
};

/** The plan that brings the catalog to the files. Sends GET requests and nothing else. */
export async function sync({ catalogUrl, files, reader, rules }: Sync): Promise<Plan> {
  const { contracts: desired, diagnostics } = await readContracts(files, {
    statuses: rules.lifecycle.statuses,
  });
  if (hasErrors(diagnostics)) return erroredPlan(catalogUrl, diagnostics);
  const matcher = createMatcher(desired);
  const contracts: ContractPlan[] = [];
  for await (const page of reader.list({ fields: fieldsToRequest(desired) })) {
    for (const live of page.contracts) {
      const match = matcher.match(live);
      contracts.push(match ? planContract(live, match, rules) : planUnmanaged(live));
    }
  }
  contracts.push(...matcher.unmatched().map(planMissing));
  return makePlan(catalogUrl, contracts, [...diagnostics, ...matcher.diagnostics()]);
}

/** The catalog sends these only when asked, and asking costs it: only those that a file manages. */
function fieldsToRequest(desired: readonly DesiredContract[]): OptionalField[] {
  return optionalFields.filter((field) =>
    desired.some(({ managed }) => Object.hasOwn(managed, field)),
  );
}
