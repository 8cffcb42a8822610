/** READ FIRST. Files → desired contracts; catalog → live ones; match → changes → a plan. */

import type { CatalogReader } from './catalog/catalog.ts';
import { chooseDialect, type DialectSetting } from './catalog/dialects/choose.ts';
import type { Dialect } from './catalog/dialects/dialect.ts';
import {
  optionalFields,
  type DesiredContract,
  type LiveContract,
  type OptionalField,
} from './contract/contract.ts';
import { hasErrors } from './diagnostic.ts';
import { readContracts, type FileSelection } from './files/read.ts';
import { planContract, planMissing } from './plan/contract-plan.ts';
import { brake } from './plan/limits.ts';
import { erroredPlan, makePlan } from './plan/make.ts';
import { createMatcher, type Matcher } from './plan/match.ts';
import type { ContractPlan, Override, Plan } from './plan/plan.ts';
import type { Rules } from './plan/rules.ts';
import { createSelector, type Selection } from './plan/selection.ts';
import { planUnmanaged } from './plan/unmanaged.ts';

export type Sync = {
  readonly catalogUrl: string;
  readonly files: FileSelection;
  /** Has no method that could change the catalog: planning cannot write. */
  readonly reader: CatalogReader;
  readonly rules: Rules;
  readonly dialect: DialectSetting;
  readonly selection?: Selection;
  /** Limits that this one plan may exceed. */
  readonly overrides?: readonly Override[];
  /** Told after each page: contracts read, and how many there are if the server says so. */
  readonly onPage?: (read: number, total?: number) => void;
};

/** The plan that brings the catalog to the files. Sends GET requests and nothing else. */
export async function sync(run: Sync): Promise<Plan> {
  const { catalogUrl, files, reader, rules, selection, overrides, onPage } = run;
  const { contracts: desired, diagnostics } = await readContracts(files, rules.lifecycle);
  if (hasErrors(diagnostics)) return erroredPlan(catalogUrl, diagnostics);
  const matcher = createMatcher(desired);
  const selector = createSelector(selection);
  const planLive = createPlanner(matcher, run);
  const contracts: ContractPlan[] = [];
  let read = 0;
  for await (const page of reader.list({ fields: fieldsToRequest(desired) })) {
    contracts.push(...page.contracts.flatMap((live) => selector.select(planLive(live), live)));
    read += page.contracts.length;
    onPage?.(read, page.total);
  }
  contracts.push(
    ...matcher
      .unmatched()
      .flatMap((file) => selector.select(planMissing(file, rules), file.identity)),
  );
  const problems = [...diagnostics, ...matcher.diagnostics(), ...selector.diagnostics()];
  return brake(
    makePlan(catalogUrl, contracts, problems, selector.summary()),
    rules.limits,
    overrides,
  );
}

/** Plans live contracts as they come, in the dialect that the first of them speaks. */
function createPlanner(
  matcher: Matcher,
  { rules, dialect: setting }: Sync,
): (listed: LiveContract) => ContractPlan | undefined {
  let dialect: Dialect | undefined;
  let spoken = rules;
  return (listed) => {
    if (!dialect) {
      dialect = chooseDialect(setting, listed);
      spoken = { ...rules, equivalence: { ...rules.equivalence, ...dialect.equivalence } };
    }
    const live = dialect.complete(listed);
    const desired = matcher.match(live);
    return desired ? planContract(live, desired, spoken) : planUnmanaged(live, spoken);
  };
}

/** The catalog sends these only when asked, and asking costs it: only those that a file manages. */
function fieldsToRequest(desired: readonly DesiredContract[]): OptionalField[] {
  return optionalFields.filter((field) =>
    desired.some(({ managed }) => Object.hasOwn(managed, field)),
  );
}
