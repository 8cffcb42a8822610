/** READ FIRST. Files → desired contracts; catalog → live ones; match → changes → a plan. */

import type { CatalogReader, Page } from './catalog/catalog.ts';
import { readAssets } from './catalog/assets.ts';
import { type Directory, openDirectory } from './catalog/directory.ts';
import { chooseDialect, type DialectSetting, reviewedStatuses } from './catalog/dialects/choose.ts';
import { type FirstLook, lookAgain } from './catalog/look-again.ts';
import { findProspects } from './catalog/prospects.ts';
import { queryFor } from './catalog/query.ts';
import type { DesiredContract, LiveContract, OptionalField } from './contract/contract.ts';
import { type Diagnostic, hasErrors } from './core/diagnostic.ts';
import type { BaseContracts, ContractsSince } from './files/base.ts';
import { readContracts, type FileSelection } from './files/files.ts';
import type { OdcsRules } from './files/formats/odcs/settings.ts';
import { erroredPlan } from './plan/make.ts';
import { createMatcher } from './plan/match.ts';
import type { ContractPlan, ChosenEnvironment, Override, Plan, PlanSubject } from './plan/plan.ts';
import { createPeople } from './plan/references.ts';
import type { Rules } from './plan/rules.ts';
import { createSelector, type Selection } from './plan/selection.ts';
import { narrowRun } from './sync/narrow.ts';
import { createPlanner, type PlannedContract, type Planner } from './sync/planner.ts';
import { readOptionsOf } from './sync/read-options.ts';
import { noteApart, openReasons } from './sync/reasons.ts';
import { createBase, createUnderstanding, planUnderstood } from './sync/understand.ts';

export type Sync = {
  readonly catalogUrl: string;
  /** The one of the configuration's that was chosen. */
  readonly environment?: ChosenEnvironment;
  /** What there is to say of the run itself. */
  readonly notices?: readonly Diagnostic[];
  readonly files: FileSelection;
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
  /** The same for contracts that have a base of their own; the first that has one counts. */
  readonly laterBases?: readonly ContractsSince[];
  /** What the files said that have changed since the revision by which contracts are selected. */
  readonly before?: BaseContracts;
  /** Limits that this one plan may exceed. */
  readonly overrides?: readonly Override[];
  /** Told after each page: contracts read, and how many there are if the server says so. */
  readonly onPage?: (read: number, total?: number) => void;
  /** Told before so many missing contracts are asked for again; pages are counted anew. */
  readonly onLookAgain?: (missing: number) => void;
  /** Asked for with the list even where no file manages them. */
  readonly fields?: readonly OptionalField[];
  /** Told of each contract of ours, as it was planned. */
  readonly onContract?: (contract: PlannedContract) => void;
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

async function planFiles(begun: Begun): Promise<Plan> {
  const { contracts: desired, ...found } = await readContracts(begun.files, readOptionsOf(begun));
  const { run, diagnostics: ofFiles } = narrowRun(begun, found);
  const diagnostics = noticesFirst(run, ofFiles);
  if (hasErrors(diagnostics)) return erroredPlan(subjectOf(run), diagnostics);
  const selector = createSelector(run.selection);
  const all = run.rules.unmanaged.rule !== 'ignore';
  const wanted = all ? desired : desired.filter(selector.mayTake);
  const query = queryFor(wanted, all, reviewedStatuses(run.dialect), run.fields);
  const people = createPeople();
  const planner = createPlanner(desired, query, { ...run, people, selector });
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
  planner.settleMoves();
  await planner.askReasons(openReasons(run));
  if (dialect.checksColumns)
    planner.takeAssets(await readAssets(run.reader, planner.assetsOfNewColumns()));
  const { creation } = dialect;
  if (creation && run.rules.create) {
    if (dialect.resolvesReferences) people.learn(await lookUp());
    const prospects = await findProspects(run.reader, planner.missing(), creation);
    planner.takeProspects(prospects, dialect, creation);
  }
  return planner.finish(diagnostics);
}

function noticesFirst({ notices = [] }: Begun, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...notices, ...diagnostics];
}

/** What the plan of a run is about. */
export function subjectOf({
  catalogUrl,
  environment,
}: Pick<Sync, 'catalogUrl' | 'environment'>): PlanSubject {
  return { catalogUrl, ...(environment && { environment: environment.name }) };
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
function startLookups(desired: readonly DesiredContract[], run: Begun): Directory['lookUp'] {
  const { reader, dialect, release } = run;
  const { lookUp } = openDirectory(reader, declaredIn(desired, run));
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
  { base, laterBases = [] }: Pick<Sync, 'base' | 'laterBases'>,
): readonly DesiredContract[] {
  const bases = [...(base ? [base] : []), ...laterBases.map((later) => later.base)];
  return [...desired, ...bases.flatMap(({ contracts }) => contracts)];
}

/** What `sync` would plan for a contract in this state; undefined: it is none of ours. */
export type PlanLive = (listed: LiveContract) => Promise<ContractPlan | undefined>;

/** Plans single states of contracts; undefined where the files cannot be used. */
export async function openLivePlanner(run: Sync): Promise<PlanLive | undefined> {
  const { contracts, diagnostics } = await readContracts(run.files, readOptionsOf(run));
  if (hasErrors(diagnostics)) return undefined;
  const matcher = createMatcher(contracts);
  const { understand } = createUnderstanding(run);
  const people = createPeople();
  const baseOf = createBase(run);
  const askReasons = openReasons(run);
  if (chooseDialect(run.dialect).resolvesReferences)
    people.learn(await openDirectory(run.reader, declaredIn(contracts, run)).lookUp());
  return async (listed) => {
    const understood = understand(listed);
    const { live } = understood;
    const file = matcher.match(live) ?? matcher.movedTo(live);
    const base = baseOf(live);
    if (!file || !base?.declared) return planUnderstood(understood, file, { people, baseOf });
    const { declared, commit } = base;
    const noted = noteApart(base);
    const planned = planUnderstood(understood, file, { people, baseOf: () => noted.base });
    if (noted.places.length === 0) return planned;
    const apart = { ...understood, desired: file, base: { declared, commit } };
    const [reasonOf] = await askReasons([{ ...apart, places: noted.places }]);
    return planUnderstood(understood, file, { people, baseOf: () => ({ ...base, reasonOf }) });
  };
}

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
