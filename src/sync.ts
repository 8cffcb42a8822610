/** READ FIRST. Files → desired contracts; catalog → live ones; match → changes → a plan. */

import type { CatalogReader, Page } from './catalog/catalog.ts';
import { queryFor } from './catalog/query.ts';
import {
  acceptedStatuses,
  chooseDialect,
  type DialectSetting,
  reviewedStatuses,
} from './catalog/dialects/choose.ts';
import type { Dialect } from './catalog/dialects/dialect.ts';
import type { DesiredContract, LiveContract } from './contract/contract.ts';
import { hasErrors, type Diagnostic } from './core/diagnostic.ts';
import { readContracts, type FileSelection, type ReadOptions } from './files/files.ts';
import { planContract, planMissing } from './plan/contract-plan.ts';
import { enforceLimits } from './plan/limits.ts';
import { erroredPlan, makePlan } from './plan/make.ts';
import { createMatcher, type Matcher } from './plan/match.ts';
import type { ContractPlan, Override, Plan, PlannedDialect } from './plan/plan.ts';
import { adoptConventions, type Rules } from './plan/rules.ts';
import { createSelector, type Selection } from './plan/selection.ts';
import { planUnmanaged } from './plan/unmanaged.ts';

export type Sync = {
  readonly catalogUrl: string;
  readonly files: FileSelection;
  /** Reads them; unless given, one after the other. */
  readonly readContracts?: typeof readContracts;
  /** Has no method that could change the catalog: planning cannot write. */
  readonly reader: CatalogReader;
  readonly rules: Rules;
  readonly dialect: DialectSetting;
  /** The release that the server says it is of; undefined where it says nothing. Never rejects. */
  readonly askRelease?: (stop: AbortSignal) => Promise<string | undefined>;
  readonly selection?: Selection;
  /** Limits that this one plan may exceed. */
  readonly overrides?: readonly Override[];
  /** Told after each page: contracts read, and how many there are if the server says so. */
  readonly onPage?: (read: number, total?: number) => void;
};

/** The plan that brings the catalog to the files. Sends GET requests and nothing else. */
export async function sync(run: Sync): Promise<Plan> {
  const stopped = new AbortController();
  try {
    const release = run.dialect === 'auto' ? run.askRelease?.(stopped.signal) : undefined;
    const read = run.readContracts ?? readContracts;
    const options = readOptionsOf(run.rules, run.dialect);
    const { contracts: desired, diagnostics } = await read(run.files, options);
    if (hasErrors(diagnostics)) return erroredPlan(run.catalogUrl, diagnostics);
    const planner = createPlanner(desired, run);
    const query = queryFor(desired, {
      all: run.rules.unmanaged.rule !== 'ignore',
      reviewed: reviewedStatuses(run.dialect),
    });
    for await (const page of run.reader.list(query)) planner.take(page, await release);
    return planner.finish(diagnostics);
  } finally {
    stopped.abort();
  }
}

/** What files are checked for before the catalog is asked. */
export function readOptionsOf({ lifecycle }: Rules, dialect: DialectSetting): ReadOptions {
  return {
    statuses: acceptedStatuses(dialect, lifecycle),
    ...(dialect !== 'auto' && { check: chooseDialect(dialect).checkFields }),
  };
}

type Planner = {
  /** Plans the contracts of a page, of which only the plans are kept. */
  readonly take: (page: Page, release: string | undefined) => void;
  /** The whole plan, once all pages have been taken. */
  readonly finish: (diagnostics: readonly Diagnostic[]) => Plan;
};

function createPlanner(desired: readonly DesiredContract[], run: Sync): Planner {
  const matcher = createMatcher(desired);
  const selector = createSelector(run.selection);
  const { planLive, dialect } = createLivePlanner(matcher, run);
  const contracts: ContractPlan[] = [];
  let read = 0;
  let told: string | undefined;
  return {
    take: (page, release) => {
      told = release;
      for (const live of page.contracts)
        contracts.push(...selector.select(planLive(live, release), live));
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
      const limited = enforceLimits(plan, run.rules.limits, run.overrides);
      return withDialect(limited, dialect(), told);
    },
  };
}

/** What `sync` would plan for a contract in this state; undefined: it is none of ours. */
export type PlanLive = (listed: LiveContract, release?: string) => ContractPlan | undefined;

/** Plans single states of contracts; undefined where the files cannot be used. */
export async function openLivePlanner(run: Sync): Promise<PlanLive | undefined> {
  const { contracts, diagnostics } = await readContracts(
    run.files,
    readOptionsOf(run.rules, run.dialect),
  );
  return hasErrors(diagnostics)
    ? undefined
    : createLivePlanner(createMatcher(contracts), run).planLive;
}

type LivePlanner = {
  readonly planLive: PlanLive;
  /** The one that is spoken, once a contract has come. */
  readonly dialect: () => Dialect | undefined;
};

/** Plans live contracts as they come, in the dialect that the first of them speaks. */
function createLivePlanner(matcher: Matcher, { rules, dialect: setting }: Sync): LivePlanner {
  let dialect: Dialect | undefined;
  let spoken = rules;
  const planLive: PlanLive = (listed, release) => {
    if (!dialect) {
      dialect = chooseDialect(setting, listed, release);
      spoken = adoptConventions(rules, dialect, setting !== 'auto');
    }
    const live = dialect.complete(listed);
    const desired = matcher.match(live);
    return desired ? planContract(live, desired, spoken) : planUnmanaged(live, spoken);
  };
  return { planLive, dialect: () => dialect };
}

/** The plan with the dialect that it was made in; a catalog without contracts speaks none. */
function withDialect(plan: Plan, dialect: Dialect | undefined, release?: string): Plan {
  if (!dialect) return plan;
  const { formatVersion, catalogUrl, ...rest } = plan;
  const spoken: PlannedDialect = { name: dialect.name, ...(release !== undefined && { release }) };
  return { formatVersion, catalogUrl, dialect: spoken, ...rest };
}
