/** READ FIRST. Files → desired contracts; catalog → live ones; match → changes → a plan. */

import type { CatalogReader, ListQuery, Page } from './catalog/catalog.ts';
import { lookAgain } from './catalog/look-again.ts';
import { queryFor } from './catalog/query.ts';
import {
  acceptedStatuses,
  chooseDialect,
  type DialectSetting,
  reviewedStatuses,
} from './catalog/dialects/choose.ts';
import type { Dialect } from './catalog/dialects/dialect.ts';
import type { DesiredContract, LiveContract, OptionalField } from './contract/contract.ts';
import { createNearNames } from './contract/nearest.ts';
import { hasErrors, type Diagnostic } from './core/diagnostic.ts';
import { readContracts, type FileSelection, type ReadOptions } from './files/files.ts';
import { planContract } from './plan/contract-plan.ts';
import { enforceLimits } from './plan/limits.ts';
import { erroredPlan, makePlan } from './plan/make.ts';
import { createMatcher, type Matcher } from './plan/match.ts';
import { planMissing } from './plan/missing.ts';
import type { ContractPlan, Override, Plan, PlannedDialect } from './plan/plan.ts';
import { adoptConventions, type Rules } from './plan/rules.ts';
import { createSelector, exclusions, type Selection } from './plan/selection.ts';
import { planUnmanaged } from './plan/unmanaged.ts';
import { type PatternWatch, watchPatterns } from './plan/unused.ts';

export type Sync = {
  readonly catalogUrl: string;
  readonly files: FileSelection;
  /** Whether somebody named the files for this run alone: then it does not see all there are. */
  readonly isNarrowed?: boolean;
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
  /** Asked for with the list even where no file manages them. */
  readonly fields?: readonly OptionalField[];
  /** Told of each contract of ours, as it was planned. */
  readonly onContract?: (contract: ReadContract) => void;
};

/** A live contract and its file, if it has one, with the rules by which the two are compared. */
export type ReadContract = {
  readonly live: LiveContract;
  readonly rules: Rules;
  readonly desired?: DesiredContract;
};

/** The plan that brings the catalog to the files. Sends GET requests and nothing else. */
export async function sync(run: Sync): Promise<Plan> {
  const ended = new AbortController();
  try {
    const release = run.dialect === 'auto' ? run.askRelease?.(ended.signal) : undefined;
    return await planFiles({ ...run, release });
  } finally {
    ended.abort();
  }
}

/** A run that has begun; its release comes while the files and the list are read. */
type Begun = Sync & { readonly release: Promise<string | undefined> | undefined };

async function planFiles(run: Begun): Promise<Plan> {
  const read = run.readContracts ?? readContracts;
  const { contracts: desired, diagnostics } = await read(run.files, readOptionsOf(run));
  if (hasErrors(diagnostics)) return erroredPlan(run.catalogUrl, diagnostics);
  const all = run.rules.unmanaged.rule !== 'ignore';
  const query = queryFor(desired, all, reviewedStatuses(run.dialect), run.fields);
  const planner = createPlanner(desired, query, run);
  let pages = 0;
  for await (const page of run.reader.list(query)) {
    planner.take(page, await run.release);
    pages += 1;
  }
  // No contract is called missing for a list alone.
  const missing = planner.missing();
  const missed = createMatcher(missing);
  for await (const page of lookAgain(run.reader, missing, pages)) planner.takeMissed(page, missed);
  return planner.finish(diagnostics);
}

/** What files are checked for before the catalog is asked. */
export function readOptionsOf({ rules, dialect }: Pick<Sync, 'rules' | 'dialect'>): ReadOptions {
  return {
    statuses: acceptedStatuses(dialect, rules.lifecycle),
    ...(dialect !== 'auto' && { check: chooseDialect(dialect).checkFields }),
  };
}

type Planner = {
  /** Plans the contracts of a page, of which only the plans are kept. */
  readonly take: (page: Page, release: string | undefined) => void;
  /** The files whose contract has not come. */
  readonly missing: () => DesiredContract[];
  /** Plans those contracts of a page that files have missed. */
  readonly takeMissed: (page: Page, missed: Matcher) => void;
  /** The whole plan, once all pages have been taken. */
  readonly finish: (diagnostics: readonly Diagnostic[]) => Plan;
};

function createPlanner(desired: readonly DesiredContract[], query: ListQuery, run: Sync): Planner {
  const matcher = createMatcher(desired);
  const selector = createSelector(run.selection);
  // What has not been seen may be what a pattern matches.
  const seesAll = !run.isNarrowed && query.entities === undefined;
  const patterns = seesAll ? [...run.rules.patterns, ...exclusions(run.selection)] : [];
  const watch = watchPatterns(patterns, desired);
  const { understand, dialect, rules } = createUnderstanding(run);
  const nearNames = createNearNames();
  let contracts: ContractPlan[] = [];
  let read = 0;
  const plan = (listed: LiveContract, understood: Understood): void => {
    const { live } = understood;
    const see: PatternWatch['see'] = (_live, desired) => {
      watch.see(live, desired);
      run.onContract?.({ ...understood, ...(desired && { desired }) });
    };
    contracts.push(...selector.select(planUnderstood(understood, matcher, see), live));
    if (!matcher.isMatched(listed.id)) nearNames.note(live);
  };
  return {
    take: (page, release) => {
      for (const listed of page.contracts) plan(listed, understand(listed, release));
      read += page.contracts.length;
      run.onPage?.(read, page.total);
    },
    missing: matcher.unmatched,
    takeMissed: (page, missed) => {
      for (const listed of page.contracts) {
        const understood = understand(listed);
        if (matcher.isMatched(listed.id) || !missed.match(understood.live)) continue;
        // It may have had another name when the list was read, and no file.
        contracts = contracts.filter((known) => !('id' in known) || known.id !== listed.id);
        plan(listed, understood);
      }
    },
    finish: (diagnostics) => {
      const missing = matcher.unmatched().flatMap((file) => {
        const nearest = nearNames.nearest(file.identity);
        return selector.select(planMissing(file, run.rules, nearest), file.identity);
      });
      const observers = [matcher, selector, watch];
      const problems = [...diagnostics, ...observers.flatMap((each) => each.diagnostics())];
      const all = [...contracts, ...missing];
      const made = makePlan(run.catalogUrl, all, problems, selector.summary());
      return withDialect(enforceLimits(made, rules(), run.overrides), dialect());
    },
  };
}

/** What `sync` would plan for a contract in this state; undefined: it is none of ours. */
export type PlanLive = (listed: LiveContract) => ContractPlan | undefined;

/** Plans single states of contracts; undefined where the files cannot be used. */
export async function openLivePlanner(run: Sync): Promise<PlanLive | undefined> {
  const { contracts, diagnostics } = await readContracts(run.files, readOptionsOf(run));
  if (hasErrors(diagnostics)) return undefined;
  const matcher = createMatcher(contracts);
  const { understand } = createUnderstanding(run);
  return (listed) => planUnderstood(understand(listed), matcher);
}

/** A contract in the words of the files, and the rules by which it is compared. */
type Understood = { readonly live: LiveContract; readonly rules: Rules };

type Understanding = {
  readonly understand: (listed: LiveContract, release?: string) => Understood;
  /** What is spoken, and the rules for it, once a contract has come. */
  readonly dialect: () => PlannedDialect | undefined;
  readonly rules: () => Rules;
};

/** Understands contracts as they come, in the dialect that the first of them speaks. */
function createUnderstanding({ rules, dialect: setting }: Sync): Understanding {
  let dialect: Dialect | undefined;
  let told: PlannedDialect | undefined;
  let spoken = rules;
  return {
    understand: (listed, release) => {
      if (!dialect) {
        dialect = chooseDialect(setting, listed, release);
        told = { name: dialect.name, ...(release !== undefined && { release }) };
        spoken = adoptConventions(rules, dialect, setting !== 'auto');
      }
      return { live: dialect.complete(listed), rules: spoken };
    },
    dialect: () => told,
    rules: () => spoken,
  };
}

/** The plan with the dialect that it was made in: a catalog without contracts speaks none. */
function withDialect(plan: Plan, dialect: PlannedDialect | undefined): Plan {
  const { formatVersion, catalogUrl, ...rest } = plan;
  return dialect ? { formatVersion, catalogUrl, dialect, ...rest } : plan;
}

function planUnderstood(
  { live, rules }: Understood,
  matcher: Matcher,
  see: PatternWatch['see'] = () => undefined,
): ContractPlan | undefined {
  const desired = matcher.match(live);
  see(live, desired);
  return desired ? planContract(live, desired, rules) : planUnmanaged(live, rules);
}
