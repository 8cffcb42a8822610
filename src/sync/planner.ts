/** Pages of live contracts and the files' → a plan. */

import type { ListQuery, Page } from '../catalog/catalog.ts';
import type { DialectSetting } from '../catalog/dialects/choose.ts';
import type { Creation, Dialect } from '../catalog/dialects/dialect.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { idKey } from '../contract/identity.ts';
import { isDeleted } from '../contract/live.ts';
import { createStrays } from '../contract/strays.ts';
import type { AssetAnswer, Prospect } from '../contract/prospect.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { BaseContracts, ContractsSince } from '../files/base.ts';
import { type ColumnClaims, createColumnClaims } from '../plan/columns.ts';
import { planCreation } from '../plan/create.ts';
import { enforceLimits } from '../plan/limits.ts';
import { makePlan } from '../plan/make.ts';
import { createMatcher, type Matcher } from '../plan/match.ts';
import { planMissing } from '../plan/missing.ts';
import { holdDoubtful, isRetirement } from '../plan/unmanaged.ts';
import type {
  ContractPlan,
  ChosenEnvironment,
  Override,
  Plan,
  PlannedDialect,
} from '../plan/plan.ts';
import type { People } from '../plan/references.ts';
import { adoptConventions, type Rules } from '../plan/rules.ts';
import { exclusions, type Selection, type Selector } from '../plan/selection.ts';
import { watchPatterns } from '../plan/unused.ts';
import type { ReasonOf } from '../history/reason.ts';
import { createMoves } from './moves.ts';
import { type ApartContract, type AskReasons, noteApart } from './reasons.ts';
import {
  createBase,
  createFormerFiles,
  createUnderstanding,
  planUnderstood,
  type ReadContract,
  type Understood,
} from './understand.ts';

/** One that was read; without a plan where it was left out, or is none of ours. */
export type PlannedContract = ReadContract & { readonly planned?: ContractPlan };

/** What a plan is made of, beside files and pages. */
type Planning = {
  readonly catalogUrl: string;
  readonly environment?: ChosenEnvironment;
  readonly rules: Rules;
  readonly dialect: DialectSetting;
  readonly people: People;
  readonly selector: Selector;
  readonly isBlind?: boolean;
  readonly selection?: Selection;
  readonly base?: BaseContracts;
  readonly laterBases?: readonly ContractsSince[];
  readonly before?: BaseContracts;
  readonly overrides?: readonly Override[];
  readonly onContract?: (contract: PlannedContract) => void;
};

type Prospects = ReadonlyMap<DesiredContract, Prospect>;

export type Planner = {
  /** Plans the contracts of a page, of which only the plans are kept. */
  readonly take: (page: Page, release: string | undefined) => void;
  /** The files whose contract has not come, but those that the run leaves out. */
  readonly missing: () => DesiredContract[];
  /** Plans those contracts of a page that files have missed. */
  readonly takeMissed: (page: Page, missed: Matcher) => void;
  /** Plans the contracts that files mean by an old name, once all others have come. */
  readonly settleMoves: () => void;
  /** Plans again what is not as the base says, once all names have been settled. */
  readonly askReasons: (ask: AskReasons) => Promise<void>;
  /** The assets that have to have what changes bring into their contracts. */
  readonly assetsOfNewColumns: () => ReturnType<ColumnClaims['assets']>;
  /** Takes what the catalog says of them, by id. */
  readonly takeAssets: (answers: ReadonlyMap<string, AssetAnswer>) => void;
  /** Takes where the contracts of files can be created that have none. */
  readonly takeProspects: (prospects: Prospects, dialect: Dialect, creation: Creation) => void;
  /** What is spoken, once a contract has come. */
  readonly dialect: () => PlannedDialect | undefined;
  /** The whole plan, once all pages have been taken. */
  readonly finish: (diagnostics: readonly Diagnostic[]) => Plan;
};

/** Plans contracts page by page: what stays is the plans, and the names of the unmanaged. */
export function createPlanner(
  desired: readonly DesiredContract[],
  query: ListQuery,
  run: Planning,
): Planner {
  const matcher = createMatcher(desired);
  const { selector } = run;
  // What has not been seen may be what a pattern matches.
  const seesAll = !run.isBlind && query.entities === undefined;
  const patterns = seesAll ? [...run.rules.patterns, ...exclusions(run.selection)] : [];
  const watch = watchPatterns(patterns, desired);
  const { understand, dialect, rules } = createUnderstanding(run);
  const declaredAt = createBase(run);
  const reasons = new Map<string, ReasonOf>();
  const baseOf = (live: LiveContract) => {
    const base = declaredAt(live);
    return base && { ...base, reasonOf: reasons.get(live.id) };
  };
  const formerFileOf = createFormerFiles(
    [run.before, run.base].filter((each) => each !== undefined),
  );
  const strays = createStrays();
  const moves = createMoves(desired, matcher);
  const { people } = run;
  const deleted = new Map<DesiredContract, string>();
  const created = new Map<DesiredContract, ContractPlan>();
  const claims = createColumnClaims();
  const apart: ApartContract[] = [];
  let contracts: ContractPlan[] = [];
  const plan = (understood: Understood): void => {
    const file = matcher.match(understood.live);
    if (file || !moves.park(understood)) planPair(understood, file);
  };
  const planPair = (understood: Understood, file: DesiredContract | undefined): void => {
    const { live } = understood;
    watch.see(live, file);
    if (!file) return planStray(understood);
    planFiled(understood, file);
    // What has no file may have been read by its head alone.
    people.see(live.document);
  };
  const planFiled = (understood: Understood, file: DesiredContract): void => {
    const { live } = understood;
    const base = baseOf(live);
    const noted = base && !base.reasonOf ? noteApart(base) : { base, places: [] };
    const planned = planUnderstood(understood, file, { people, baseOf: () => noted.base });
    const [selected] = selector.select(planned, [live, file.identity], file.source.file);
    const { places } = noted;
    if (selected && base?.declared && places.length > 0) {
      const { declared } = base;
      apart.push({ ...understood, desired: file, base: { ...base, declared }, places });
      return;
    }
    run.onContract?.(plannedOf(understood, file, selected));
    if (planned) claims.note(planned, file.refine?.(live) ?? file, live);
    if (selected) contracts.push(selected);
  };
  const planStray = (understood: Understood): void => {
    const { live } = understood;
    const hadFile = formerFileOf(live);
    const planned = planUnderstood(understood, undefined, { people, baseOf, hadFile });
    const selected = selector.select(planned, [live], hadFile?.file);
    run.onContract?.(plannedOf(understood, undefined, selected[0]));
    contracts.push(...selected);
    strays.note(live, isRetirement(planned));
  };
  return {
    take: (page, release) => {
      for (const listed of page.contracts) plan(understand(listed, release));
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
        const isListed = (id = '') => idKey(id) === idKey(listed.id);
        contracts = contracts.filter((known) => !('id' in known) || !isListed(known.id));
        plan(understood);
      }
    },
    settleMoves: () => moves.settle(planPair),
    askReasons: async (ask) => {
      const told = await ask(apart);
      for (const [index, { live, rules: spoken, desired: file }] of apart.entries()) {
        const reasonOf = told[index];
        if (!reasonOf) continue;
        reasons.set(live.id, reasonOf);
        planFiled({ live, rules: spoken }, file);
      }
    },
    assetsOfNewColumns: () => claims.assets(contracts),
    takeAssets: (answers) => {
      contracts = claims.judge(contracts, answers);
    },
    takeProspects: (found, spoken, creation) => {
      const adopted = adoptConventions(run.rules, spoken, run.dialect !== 'auto');
      const creating = { rules: adopted, people, ...creation };
      for (const [file, prospect] of found)
        created.set(file, planCreation(file, prospect, creating));
    },
    dialect,
    finish: (diagnostics) => {
      const unmatched = matcher.unmatched();
      const { partners, doubts } = strays.pair(
        unmatched.filter((file) => created.get(file)?.action !== 'create'),
        desired.filter(matcher.hasContract),
      );
      const missing = unmatched.flatMap((file) => {
        const found = {
          deleted: deleted.get(file),
          partner: partners.get(file),
          canCreate: dialect()?.name === 'openmetadata',
        };
        const planned = created.get(file) ?? planMissing(file, run.rules, found);
        return selector.select(planned, [file.identity], file.source.file);
      });
      const observers = [matcher, selector, watch];
      const problems = [
        ...diagnostics,
        ...observers.flatMap((each) => each.diagnostics()),
        ...moves.diagnostics(selector.mayTake),
      ];
      const made = planOf(
        people.suggest([...holdDoubtful(contracts, doubts), ...missing]),
        problems,
        {
          ...run,
          selected: selector.summary(),
        },
      );
      return withDialect(enforceLimits(made, rules(), run.overrides), dialect());
    },
  };
}

function plannedOf(
  understood: Understood,
  desired: DesiredContract | undefined,
  planned: ContractPlan | undefined,
): PlannedContract {
  return { ...understood, ...(desired && { desired }), ...(planned && { planned }) };
}

type Made = Pick<Planning, 'catalogUrl' | 'environment' | 'rules' | 'base'> & {
  readonly selected: Plan['selection'];
};

function planOf(
  contracts: readonly ContractPlan[],
  problems: readonly Diagnostic[],
  { catalogUrl, environment, rules, base, selected }: Made,
): Plan {
  const { keys, unordered } = rules.arrays;
  return makePlan(catalogUrl, contracts, problems, {
    ...(environment && { environment: environment.name }),
    ...(base && { base: base.commit }),
    arrays: { ...(keys && { keys }), ...(unordered && { unordered }) },
    ...(selected && { selection: selected }),
  });
}

/** The plan with the dialect that it was made in: a catalog without contracts speaks none. */
function withDialect(plan: Plan, dialect: PlannedDialect | undefined): Plan {
  const { formatVersion, catalogUrl, ...rest } = plan;
  return dialect ? { formatVersion, catalogUrl, dialect, ...rest } : plan;
}
