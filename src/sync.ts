/** READ FIRST. Files → desired contracts; catalog → live ones; match → changes → a plan. */

import type { CatalogReader, Page } from './catalog/catalog.ts';
import { chooseDialect, type DialectSetting } from './catalog/dialects/choose.ts';
import type { Dialect } from './catalog/dialects/dialect.ts';
import { optionalFields, type DesiredContract, type ListedContract } from './contract/contract.ts';
import { isWhole } from './contract/live.ts';
import { hasErrors, type Diagnostic } from './core/diagnostic.ts';
import { openFiles, readContracts, type ContractFiles, type FileSelection } from './files/files.ts';
import { postponeListing, startListing, wantedBy, type Listing, type Others } from './listing.ts';
import { planContract, planMissing } from './plan/contract-plan.ts';
import { enforceLimits } from './plan/limits.ts';
import { erroredPlan, makePlan } from './plan/make.ts';
import { createMatcher, type Matcher } from './plan/match.ts';
import type { ContractPlan, Override, Plan } from './plan/plan.ts';
import type { Rules } from './plan/rules.ts';
import { createSelector, type Selection } from './plan/selection.ts';
import { namesToRetire, planUnmanaged } from './plan/unmanaged.ts';

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
  const files = openFiles(run.files, run.rules.lifecycle);
  const listing = openListing(files, run);
  try {
    const { contracts: desired, diagnostics } = await files.read(listing.toCome);
    if (hasErrors(diagnostics)) return erroredPlan(run.catalogUrl, diagnostics);
    const planner = createPlanner(desired, run);
    for await (const page of listing.pages(wantedBy(desired, othersWanted(run))))
      planner.take(page);
    return planner.finish(diagnostics);
  } finally {
    // However this ends, no page that still travels may keep the process.
    listing.abandon();
  }
}

/** Pages travel while the files are parsed, unless they may want a few contracts alone. */
function openListing(files: ContractFiles, run: Sync): Listing {
  const { listed, whole } = othersWanted(run);
  if (!listed) return postponeListing(run.reader);
  const { keys, identities } = files.guess(optionalFields);
  return startListing(run.reader, { fields: keys, sieve: { identities, names: whole } });
}

/** What the plan says of contracts that no file declares. */
function othersWanted({ rules }: Sync): Others {
  return { listed: rules.unmanaged.rule !== 'ignore', whole: namesToRetire(rules) };
}

type Planner = {
  /** Plans the contracts of a page, of which only the plans are kept. */
  readonly take: (page: Page<ListedContract>) => void;
  /** The whole plan, once all pages have been taken. */
  readonly finish: (diagnostics: readonly Diagnostic[]) => Plan;
};

function createPlanner(desired: readonly DesiredContract[], run: Sync): Planner {
  const matcher = createMatcher(desired);
  const selector = createSelector(run.selection);
  const planLive = createJudge(matcher, run);
  const contracts: ContractPlan[] = [];
  let read = 0;
  return {
    take: (page) => {
      for (const live of page.contracts) contracts.push(...selector.select(planLive(live), live));
      read += page.contracts.length;
      run.onPage?.(read, page.total);
    },
    finish: (diagnostics) => {
      const missing = matcher
        .unmatched()
        .flatMap((file) => selector.select(planMissing(file, run.rules), file.identity));
      const problems = [...diagnostics, ...matcher.diagnostics(), ...selector.diagnostics()];
      const all = [...contracts, ...missing];
      const plan = makePlan(run.catalogUrl, all, problems, selector.summary());
      return enforceLimits(plan, run.rules.limits, run.overrides);
    },
  };
}

/** What `sync` would plan for a contract in this state; undefined: it is none of ours. */
export type Judge = (listed: ListedContract) => ContractPlan | undefined;

/** Plans single states of contracts; undefined where the files cannot be used. */
export async function openJudge(run: Sync): Promise<Judge | undefined> {
  const { contracts, diagnostics } = await readContracts(run.files, run.rules.lifecycle);
  return hasErrors(diagnostics) ? undefined : createJudge(createMatcher(contracts), run);
}

/** Plans live contracts as they come, in the dialect that the first of them speaks. */
function createJudge(matcher: Matcher, { rules, dialect: setting }: Sync): Judge {
  let dialect: Dialect | undefined;
  let spoken = rules;
  return (listed) => {
    if (!dialect) {
      dialect = chooseDialect(setting, listed);
      spoken = { ...rules, equivalence: { ...rules.equivalence, ...dialect.equivalence } };
    }
    const live = dialect.complete(listed);
    const desired = isWhole(live) && matcher.match(live);
    return desired ? planContract(live, desired, spoken) : planUnmanaged(live, spoken);
  };
}
