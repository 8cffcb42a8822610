/** READ FIRST. Files → desired contracts; catalog → live ones; match → changes → a plan. */

import type { CatalogReader, ListQuery, Page } from './catalog/catalog.ts';
import { type Directory, openDirectory } from './catalog/directory.ts';
import { type FirstLook, lookAgain } from './catalog/look-again.ts';
import { queryFor } from './catalog/query.ts';
import {
  acceptedStatuses,
  chooseDialect,
  type DialectSetting,
  reviewedStatuses,
} from './catalog/dialects/choose.ts';
import type { Dialect } from './catalog/dialects/dialect.ts';
import { findProspects } from './catalog/prospects.ts';
import type { DesiredContract, LiveContract, OptionalField } from './contract/contract.ts';
import { isDeleted } from './contract/live.ts';
import { createNearNames } from './contract/nearest.ts';
import { hasErrors, type Diagnostic } from './core/diagnostic.ts';
import type { BaseContracts } from './files/base.ts';
import { readContracts, type FileSelection, type ReadOptions } from './files/files.ts';
import type { OdcsRules } from './files/formats/odcs/settings.ts';
import type { Prospect } from './contract/prospect.ts';
import type { Base } from './plan/cause.ts';
import { planCreation } from './plan/create.ts';
import { planContract } from './plan/contract-plan.ts';
import { enforceLimits } from './plan/limits.ts';
import { erroredPlan, makePlan } from './plan/make.ts';
import { createMatcher, type Matcher } from './plan/match.ts';
import { planMissing } from './plan/missing.ts';
import type { ContractPlan, Override, Plan, PlannedDialect } from './plan/plan.ts';
import { adoptConventions, type Rules } from './plan/rules.ts';
import { blockedBy, createPeople, type People } from './plan/references.ts';
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
  /** How files of the Open Data Contract Standard are read. */
  readonly odcs?: OdcsRules | undefined;
  readonly dialect: DialectSetting;
  /** The release that the server says it is of; undefined where it says nothing. Never rejects. */
  readonly askRelease?: (stop: AbortSignal) => Promise<string | undefined>;
  readonly selection?: Selection;
  /** What the files said before the change under review, to tell drift from what they ask for. */
  readonly base?: BaseContracts;
  /** Limits that this one plan may exceed. */
  readonly overrides?: readonly Override[];
  /** Told after each page: contracts read, and how many there are if the server says so. */
  readonly onPage?: (read: number, total?: number) => void;
  /** Told before so many missing contracts are asked for again; pages are counted anew. */
  readonly onLookAgain?: (missing: number) => void;
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
  const people = createPeople();
  const planner = createPlanner(desired, query, { ...run, people });
  const lookUp = startLookups(desired, run);
  let pages = 0;
  for await (const page of tell(run.reader.list(query), run)) {
    const release = await run.release;
    const spoken = chooseDialect(run.dialect, page.contracts[0], release);
    if (spoken.resolvesReferences) people.learn(await lookUp());
    planner.take(page, release);
    pages += 1;
  }
  const setting = planner.dialect()?.name ?? run.dialect;
  const dialect = chooseDialect(setting, undefined, await run.release);
  await lookForMissing(planner, { pages, dialect }, run);
  const { creation } = dialect;
  if (creation && run.rules.create) {
    if (dialect.resolvesReferences) people.learn(await lookUp());
    planner.takeProspects(await findProspects(run.reader, planner.missing(), creation), dialect);
  }
  return planner.finish(diagnostics);
}

/** No contract is called missing for a list alone. */
async function lookForMissing(
  planner: Planner,
  read: Omit<FirstLook, 'missing'>,
  run: Begun,
): Promise<void> {
  const missing = planner.missing();
  if (missing.length === 0) return;
  run.onLookAgain?.(missing.length);
  const missed = createMatcher(missing);
  const pages = tell(lookAgain(run.reader, { missing, ...read }), run);
  for await (const page of pages) planner.takeMissed(page, missed);
}

/** The references in files are looked up while the list is read, as soon as the dialect is known. */
function startLookups(
  desired: readonly DesiredContract[],
  { reader, dialect, release, base }: Begun,
): Directory['lookUp'] {
  const { lookUp } = openDirectory(reader, declaredIn(desired, base));
  const startEarly = async (): Promise<void> => {
    const told = dialect === 'auto' ? await release : undefined;
    if (chooseDialect(dialect, undefined, told).resolvesReferences) await lookUp();
  };
  // Whoever takes the answers is told what went wrong.
  startEarly().catch(() => undefined);
  return lookUp;
}

/** All whose references may have to be known. */
function declaredIn(
  desired: readonly DesiredContract[],
  base: BaseContracts | undefined,
): readonly DesiredContract[] {
  return base ? [...desired, ...base.contracts] : desired;
}

/** What files are checked for before the catalog is asked. */
export function readOptionsOf({
  rules,
  odcs,
  dialect,
}: Pick<Sync, 'rules' | 'odcs' | 'dialect'>): ReadOptions {
  return {
    statuses: acceptedStatuses(dialect, rules.lifecycle),
    odcs,
    ...(dialect !== 'auto' && { check: chooseDialect(dialect).checkFields }),
  };
}

type Prospects = ReadonlyMap<DesiredContract, Prospect>;

/** The pages, each told once it has been taken. */
async function* tell(
  pages: AsyncIterable<Page>,
  { onPage }: Pick<Sync, 'onPage'>,
): AsyncGenerator<Page> {
  let read = 0;
  for await (const page of pages) {
    yield page;
    read += page.contracts.length;
    onPage?.(read, page.total);
  }
}

type Planner = {
  /** Plans the contracts of a page, of which only the plans are kept. */
  readonly take: (page: Page, release: string | undefined) => void;
  /** The files whose contract has not come, but those that the run leaves out. */
  readonly missing: () => DesiredContract[];
  /** Plans those contracts of a page that files have missed. */
  readonly takeMissed: (page: Page, missed: Matcher) => void;
  /** Takes where the contracts of files can be created that have none. */
  readonly takeProspects: (prospects: Prospects, dialect: Dialect) => void;
  /** What is spoken, once a contract has come. */
  readonly dialect: () => PlannedDialect | undefined;
  /** The whole plan, once all pages have been taken. */
  readonly finish: (diagnostics: readonly Diagnostic[]) => Plan;
};

function createPlanner(
  desired: readonly DesiredContract[],
  query: ListQuery,
  run: Sync & { readonly people: People },
): Planner {
  const matcher = createMatcher(desired);
  const selector = createSelector(run.selection);
  // What has not been seen may be what a pattern matches.
  const seesAll = !run.isNarrowed && query.entities === undefined;
  const patterns = seesAll ? [...run.rules.patterns, ...exclusions(run.selection)] : [];
  const watch = watchPatterns(patterns, desired);
  const { understand, dialect, rules } = createUnderstanding(run);
  const baseOf = createBase(run);
  const nearNames = createNearNames();
  const { people } = run;
  const deleted = new Map<DesiredContract, string>();
  const created = new Map<DesiredContract, ContractPlan>();
  let contracts: ContractPlan[] = [];
  const plan = (listed: LiveContract, understood: Understood): void => {
    const { live } = understood;
    const see: PatternWatch['see'] = (_live, file) => {
      watch.see(live, file);
      run.onContract?.({ ...understood, ...(file && { desired: file }) });
    };
    const planned = planUnderstood(understood, matcher, { people, baseOf, see });
    contracts.push(...selector.select(planned, live));
    // What has no file may have been read by its head alone.
    if (matcher.isMatched(listed.id)) people.see(live.document);
    else nearNames.note(live);
  };
  return {
    take: (page, release) => {
      for (const listed of page.contracts) plan(listed, understand(listed, release));
    },
    missing: () => matcher.unmatched().filter(selector.mayTake),
    takeMissed: (page, missed) => {
      for (const listed of page.contracts) {
        const understood = understand(listed);
        const file = matcher.isMatched(listed.id) ? undefined : missed.match(understood.live);
        if (!file) continue;
        if (isDeleted(listed)) {
          deleted.set(file, listed.id);
          continue;
        }
        // It may have had another name when the list was read, and no file.
        contracts = contracts.filter((known) => !('id' in known) || known.id !== listed.id);
        plan(listed, understood);
      }
    },
    takeProspects: (found, spoken) => {
      const adopted = adoptConventions(run.rules, spoken, run.dialect !== 'auto');
      const bodyOf = spoken.creation?.bodyOf ?? ((managed) => managed);
      for (const [file, prospect] of found) {
        const planned = planCreation(file, prospect, { rules: adopted, people, bodyOf });
        created.set(file, planned);
      }
    },
    dialect,
    finish: (diagnostics) => {
      const missing = matcher.unmatched().flatMap((file) => {
        const found = {
          deleted: deleted.get(file),
          nearest: nearNames.nearest(file.identity),
          canCreate: dialect()?.name === 'openmetadata',
        };
        const planned = created.get(file) ?? planMissing(file, run.rules, found);
        return selector.select(planned, file.identity);
      });
      const observers = [matcher, selector, watch];
      const problems = [...diagnostics, ...observers.flatMap((each) => each.diagnostics())];
      const all = people.suggest([...contracts, ...missing]);
      const { keys, unordered } = run.rules.arrays;
      const selection = selector.summary();
      const made = makePlan(run.catalogUrl, all, problems, {
        ...(run.base && { base: run.base.commit }),
        arrays: { ...(keys && { keys }), ...(unordered && { unordered }) },
        ...(selection && { selection }),
      });
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
  const people = createPeople();
  const baseOf = createBase(run);
  if (chooseDialect(run.dialect).resolvesReferences)
    people.learn(await openDirectory(run.reader, declaredIn(contracts, run.base)).lookUp());
  return (listed) => planUnderstood(understand(listed), matcher, { people, baseOf });
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
  {
    people,
    baseOf,
    see,
  }: {
    readonly people: People;
    readonly baseOf: BaseOf;
    readonly see?: PatternWatch['see'];
  },
): ContractPlan | undefined {
  const declared = matcher.match(live);
  see?.(live, declared);
  const inItsWords = (file: DesiredContract) =>
    people.resolve(file.refine?.(live) ?? file, live.document);
  const then = baseOf(live);
  const base = then && { declared: then.declared && inItsWords(then.declared).desired };
  if (!declared) return planUnmanaged(live, rules, base);
  const { desired, problems } = inItsWords(declared);
  return blockedBy(planContract(live, desired, rules, base), problems);
}
