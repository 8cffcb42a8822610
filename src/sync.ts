/** READ FIRST. Files → desired contracts; catalog → live ones; match → changes → a plan. */

import type { CatalogReader, ListQuery } from './catalog/catalog.ts';
import { readAssets } from './catalog/assets.ts';
import { type Directory, openDirectory } from './catalog/directory.ts';
import {
  productOf,
  type DialectSetting,
  possibleProducts,
  productOfRelease,
  statusesForReview,
  type ServerRelease,
} from './catalog/products/products.ts';
import { findProspects } from './catalog/prospects.ts';
import { queryFor } from './catalog/query.ts';
import type { DesiredContract, LiveContract, OptionalField } from './contract/contract.ts';
import { type Diagnostic, hasErrors } from './core/diagnostic.ts';
import type { BaseContracts, ContractsSince } from './files/base.ts';
import { readContracts, type FileSelection } from './files/files.ts';
import type { OdcsRules } from './files/formats/odcs/settings.ts';
import { agree, agreeOnAll, blockUnknownStatus, dialectDoubtful, unasked } from './plan/doubt.ts';
import { enforceLimits } from './plan/limits.ts';
import { erroredPlan, makePlan } from './plan/make.ts';
import { createMatcher } from './plan/match.ts';
import type { ContractPlan, ChosenEnvironment, Override, Plan, PlanSubject } from './plan/plan.ts';
import { createPeople, type People } from './plan/references.ts';
import type { Rules } from './plan/rules.ts';
import { createSelector, type Selection } from './plan/selection.ts';
import { type Listing, readListing } from './sync/listing.ts';
import { narrowRun } from './sync/narrow.ts';
import { createPlanner, type PlannedContract, type PlannedContracts } from './sync/planner.ts';
import { readOptionsOf } from './sync/read-options.ts';
import { noteApart, openReasons } from './sync/reasons.ts';
import {
  createBase,
  planUnderstood,
  type DialectRules,
  dialectRules,
  understand,
  withDialect,
} from './sync/understand.ts';

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
  /** What the server says of its release: asked where the dialect is not set. Never rejects. */
  readonly askRelease?: (stop: AbortSignal) => Promise<ServerRelease>;
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
  /** Asked for with the list even where no file manages them; all contracts are then read whole. */
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
type Begun = Sync & { readonly release: Promise<ServerRelease> | undefined };

async function planFiles(begun: Begun): Promise<Plan> {
  const { contracts: desired, ...found } = await readContracts(begun.files, readOptionsOf(begun));
  const { run, diagnostics: ofFiles } = narrowRun(begun, found);
  const diagnostics = noticesFirst(run, ofFiles);
  if (hasErrors(diagnostics)) return erroredPlan(subjectOf(run), diagnostics);
  const selector = createSelector(run.selection);
  const all = run.rules.unmanaged.rule !== 'ignore';
  const wanted = all ? desired : desired.filter(selector.mayTake);
  const query = queryFor(wanted, all, statusesForReview(run.dialect), run.fields);
  const lookUp = startLookups(desired, run);
  const listing = await readListing(desired, query, { ...run, selector });
  const { kind } = listing;
  const [reading, other] = dialectRules(kind.possible, run);
  const material = { desired, query, listing, lookUp };
  const planned = await planIn(reading, material, run);
  const contracts = other
    ? agreeOnAll(
        planned.contracts,
        (await planIn(other, material, withoutWatcher(run))).contracts,
        dialectDoubtful(kind.evidence),
      )
    : planned.contracts.map((plan) => blockUnknownStatus(plan, kind, run.rules));
  const problems = [...diagnostics, ...kind.diagnostics, ...planned.problems];
  const made = planOf({ ...planned, contracts, problems }, run);
  return withDialect(enforceLimits(made, reading.rules, run.overrides), kind);
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

function planOf({ contracts, problems, selection }: PlannedContracts, run: Begun): Plan {
  const { keys, unordered } = run.rules.arrays;
  return makePlan(run.catalogUrl, contracts, problems, {
    ...(run.environment && { environment: run.environment.name }),
    ...(run.base && { base: run.base.commit }),
    ...(run.base?.isDefault && { defaultBase: run.base.revision }),
    arrays: { ...(keys && { keys }), ...(unordered && { unordered }) },
    ...(selection && { selection }),
  });
}

/** Of a contract that is planned twice, one plan is told. */
function withoutWatcher({ onContract: _onContract, ...run }: Begun): Begun {
  return run;
}

/** What plans are made of, in whatever dialect. */
type Material = {
  readonly desired: readonly DesiredContract[];
  readonly query: ListQuery;
  readonly listing: Listing;
  readonly lookUp: Directory['lookUp'];
};

async function planIn(
  reading: DialectRules,
  { desired, query, listing, lookUp }: Material,
  run: Begun,
): Promise<PlannedContracts> {
  const { dialect } = reading;
  const isKnown = listing.kind.possible.length === 1;
  const people = createPeople();
  if (dialect.resolvesReferences) people.learn(isKnown ? await lookUp() : () => unasked);
  const selector = createSelector(run.selection);
  const planner = createPlanner(desired, query, { ...run, reading, people, selector });
  planner.take(listing);
  planner.settleMoves();
  await planner.askReasons(openReasons(run));
  if (dialect.checksColumns && isKnown)
    planner.takeAssets(await readAssets(run.reader, planner.assetsOfNewColumns()));
  const { creation } = dialect;
  if (creation && run.rules.create) {
    const missing = planner.missing();
    const prospects = isKnown
      ? await findProspects(run.reader, missing, creation)
      : new Map(missing.map((file) => [file, unasked]));
    planner.takeProspects(prospects, creation);
  }
  return planner.finish();
}

/** The references in files are looked up while the list is read, as soon as they are likely to be needed. */
function startLookups(desired: readonly DesiredContract[], run: Begun): Directory['lookUp'] {
  const { reader, dialect, release } = run;
  const { lookUp } = openDirectory(reader, declaredIn(desired, run));
  const startEarly = async (): Promise<void> => {
    const isLikely = productOfRelease(await release)?.resolvesReferences;
    if (isLikely || productOf(dialect).resolvesReferences) await lookUp();
  };
  // Handled by the caller, who awaits `lookUp` later.
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
  const [reading, other] = dialectRules(possibleProducts(run.dialect), run);
  const baseOf = createBase(run);
  const askReasons = openReasons(run);
  const known = createPeople();
  if (reading.dialect.resolvesReferences)
    known.learn(await openDirectory(run.reader, declaredIn(contracts, run)).lookUp());
  const unknown = createPeople();
  unknown.learn(() => unasked);
  const planAs = async (listed: LiveContract, read: DialectRules, people: People) => {
    const understood = understand(listed, read);
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
  return async (listed) => {
    const planned = await planAs(listed, reading, known);
    if (!other || !planned) return planned;
    const elsewhere = await planAs(listed, other, unknown);
    return elsewhere && agree(planned, elsewhere, dialectDoubtful('nothing tells it'));
  };
}
