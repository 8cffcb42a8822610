/** READ FIRST. Files → desired contracts; catalog → live ones; match → changes → a plan. */

import type { CatalogReader, ListQuery, Page } from './catalog/catalog.ts';
import { lookAgain } from './catalog/look-again.ts';
import { queryFor } from './catalog/query.ts';
import { chooseDialect, type DialectSetting } from './catalog/dialects/choose.ts';
import type { Dialect } from './catalog/dialects/dialect.ts';
import type { DesiredContract, LiveContract } from './contract/contract.ts';
import { createNearNames } from './contract/nearest.ts';
import { hasErrors, type Diagnostic } from './core/diagnostic.ts';
import type { BaseContracts } from './files/base.ts';
import { readContracts, type FileSelection } from './files/files.ts';
import type { Base } from './plan/cause.ts';
import { planContract } from './plan/contract-plan.ts';
import { enforceLimits } from './plan/limits.ts';
import { erroredPlan, makePlan } from './plan/make.ts';
import { createMatcher, type Matcher } from './plan/match.ts';
import { planMissing } from './plan/missing.ts';
import type { ContractPlan, Override, Plan } from './plan/plan.ts';
import type { Rules } from './plan/rules.ts';
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
  readonly selection?: Selection;
  /** What the files said before the change under review, to tell drift from what they ask for. */
  readonly base?: BaseContracts;
  /** Limits that this one plan may exceed. */
  readonly overrides?: readonly Override[];
  /** Told after each page: contracts read, and how many there are if the server says so. */
  readonly onPage?: (read: number, total?: number) => void;
};

/** The plan that brings the catalog to the files. Sends GET requests and nothing else. */
export async function sync(run: Sync): Promise<Plan> {
  const read = run.readContracts ?? readContracts;
  const { contracts: desired, diagnostics } = await read(run.files, run.rules.lifecycle);
  if (hasErrors(diagnostics)) return erroredPlan(run.catalogUrl, diagnostics);
  const query = queryFor(desired, run.rules.unmanaged.rule !== 'ignore');
  const planner = createPlanner(desired, query, run);
  let pages = 0;
  for await (const page of run.reader.list(query)) {
    planner.take(page);
    pages += 1;
  }
  // No contract is called missing for a list alone.
  const missing = planner.missing();
  const missed = createMatcher(missing);
  for await (const page of lookAgain(run.reader, missing, pages)) planner.takeMissed(page, missed);
  return planner.finish(diagnostics);
}

type Planner = {
  /** Plans the contracts of a page, of which only the plans are kept. */
  readonly take: (page: Page) => void;
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
  const understand = createUnderstanding(run);
  const baseOf = createBase(run);
  const nearNames = createNearNames();
  let contracts: ContractPlan[] = [];
  let read = 0;
  const plan = (listed: LiveContract, understood: Understood): void => {
    const { live } = understood;
    contracts.push(
      ...selector.select(planUnderstood(understood, matcher, baseOf, watch.see), live),
    );
    if (!matcher.isMatched(listed.id)) nearNames.note(live);
  };
  return {
    take: (page) => {
      for (const listed of page.contracts) plan(listed, understand(listed));
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
      const { keys, unordered } = run.rules.arrays;
      const selection = selector.summary();
      const made = makePlan(run.catalogUrl, all, problems, {
        ...(run.base && { base: run.base.commit }),
        arrays: { ...(keys && { keys }), ...(unordered && { unordered }) },
        ...(selection && { selection }),
      });
      return enforceLimits(made, run.rules, run.overrides);
    },
  };
}

/** What `sync` would plan for a contract in this state; undefined: it is none of ours. */
export type PlanLive = (listed: LiveContract) => ContractPlan | undefined;

/** Plans single states of contracts; undefined where the files cannot be used. */
export async function openLivePlanner(run: Sync): Promise<PlanLive | undefined> {
  const { contracts, diagnostics } = await readContracts(run.files, run.rules.lifecycle);
  if (hasErrors(diagnostics)) return undefined;
  const matcher = createMatcher(contracts);
  const understand = createUnderstanding(run);
  const baseOf = createBase(run);
  return (listed) => planUnderstood(understand(listed), matcher, baseOf);
}

type BaseOf = (live: LiveContract) => Base | undefined;

/** What was declared of a contract at the base; undefined where there is no base. */
function createBase({ base }: Sync): BaseOf {
  if (!base) return () => undefined;
  const matcher = createMatcher(base.contracts);
  return (live) => ({ declared: matcher.match(live) });
}

/** A contract in the words of the files, and the rules by which it is compared. */
type Understood = { readonly live: LiveContract; readonly rules: Rules };

/** Understands contracts as they come, in the dialect that the first of them speaks. */
function createUnderstanding({
  rules,
  dialect: setting,
}: Sync): (listed: LiveContract) => Understood {
  let dialect: Dialect | undefined;
  let spoken = rules;
  return (listed) => {
    if (!dialect) {
      dialect = chooseDialect(setting, listed);
      spoken = { ...rules, equivalence: { ...rules.equivalence, ...dialect.equivalence } };
    }
    return { live: dialect.complete(listed), rules: spoken };
  };
}

function planUnderstood(
  { live, rules }: Understood,
  matcher: Matcher,
  baseOf: BaseOf,
  see: PatternWatch['see'] = () => undefined,
): ContractPlan | undefined {
  const desired = matcher.match(live);
  see(live, desired);
  const base = baseOf(live);
  return desired ? planContract(live, desired, rules, base) : planUnmanaged(live, rules, base);
}
