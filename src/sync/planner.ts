/** The contracts of a catalog and the files' → plans of contracts. */

import type { ListQuery } from '../catalog/catalog.ts';
import type { Creation } from '../catalog/products/product.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { createStrays } from '../contract/strays.ts';
import type { AssetAnswer, Prospect } from '../contract/prospect.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { BaseContracts, ContractsSince } from '../files/base.ts';
import { type ColumnClaims, createColumnClaims } from '../plan/columns.ts';
import { planCreation } from '../plan/create.ts';
import { createMatcher } from '../plan/match.ts';
import { planMissing } from '../plan/missing.ts';
import { holdDoubtful, isRetirement } from '../plan/unmanaged.ts';
import type { ContractPlan, Plan } from '../plan/plan.ts';
import type { People } from '../plan/references.ts';
import { exclusions, type Selection, type Selector } from '../plan/selection.ts';
import { watchPatterns } from '../plan/unused.ts';
import type { ReasonOf } from '../history/reason.ts';
import type { Listing } from './listing.ts';
import { createMoves } from './moves.ts';
import { type ApartContract, type AskReasons, noteApart } from './reasons.ts';
import {
  createBase,
  createFormerFiles,
  planUnderstood,
  type ReadContract,
  type DialectRules,
  understand,
  type Understood,
} from './understand.ts';

/** One that was read; without a plan where it was left out, or is none of ours. */
export type PlannedContract = ReadContract & { readonly planned?: ContractPlan };

/** What a plan is made of, beside files and pages. */
type Planning = {
  readonly reading: DialectRules;
  readonly people: People;
  readonly selector: Selector;
  readonly isBlind?: boolean;
  readonly selection?: Selection;
  readonly base?: BaseContracts;
  readonly laterBases?: readonly ContractsSince[];
  readonly before?: BaseContracts;
  readonly onContract?: (contract: PlannedContract) => void;
};

type Prospects = ReadonlyMap<DesiredContract, Prospect>;

export type Planner = {
  /** Plans contracts: all that the catalog has, and those that are deleted of files. */
  readonly take: (listing: Pick<Listing, 'contracts' | 'deleted'>) => void;
  /** The files whose contract has not come, but those that the run leaves out. */
  readonly missing: () => DesiredContract[];
  /** Plans the contracts that files mean by an old name, once all others have come. */
  readonly settleMoves: () => void;
  /** Plans again what is not as the base says, once all names have been settled. */
  readonly askReasons: (ask: AskReasons) => Promise<void>;
  /** The assets that have to have what changes bring into their contracts. */
  readonly assetsOfNewColumns: () => ReturnType<ColumnClaims['assets']>;
  /** Takes what the catalog says of them, by id. */
  readonly takeAssets: (answers: ReadonlyMap<string, AssetAnswer>) => void;
  /** Takes where the contracts of files can be created that have none. */
  readonly takeProspects: (prospects: Prospects, creation: Creation) => void;
  readonly finish: () => PlannedContracts;
};

/** The plans of all contracts, and what there is to say beside them. */
export type PlannedContracts = {
  readonly contracts: readonly ContractPlan[];
  readonly problems: readonly Diagnostic[];
  readonly selection: Plan['selection'];
};

/** Plans contracts in one dialect: what stays is the plans, and the names of the unmanaged. */
export function createPlanner(
  desired: readonly DesiredContract[],
  query: ListQuery,
  run: Planning,
): Planner {
  const matcher = createMatcher(desired);
  const {
    selector,
    reading: { dialect, rules },
  } = run;
  // What has not been seen may be what a pattern matches.
  const seesAll = !run.isBlind && query.entities === undefined;
  const patterns = seesAll ? [...rules.patterns, ...exclusions(run.selection)] : [];
  const watch = watchPatterns(patterns, desired);
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
  const missing = () => matcher.unmatched().filter(selector.mayTake);
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
    take: (listing) => {
      for (const listed of listing.contracts) plan(understand(listed, run.reading));
      const missed = createMatcher(missing());
      for (const listed of listing.deleted) {
        const file = missed.match(understand(listed, run.reading).live);
        if (file) deleted.set(file, listed.id);
      }
    },
    missing,
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
    takeProspects: (found, creation) => {
      const creating = { rules, people, ...creation };
      for (const [file, prospect] of found)
        created.set(file, planCreation(file, prospect, creating));
    },
    finish: () => {
      const unmatched = matcher.unmatched();
      const { partners, doubts } = strays.pair(
        unmatched.filter((file) => created.get(file)?.action !== 'create'),
        desired.filter(matcher.hasContract),
      );
      const absent = unmatched.flatMap((file) => {
        const found = {
          deleted: deleted.get(file),
          partner: partners.get(file),
          canCreate: dialect.creation !== undefined,
        };
        const planned = created.get(file) ?? planMissing(file, rules, found);
        return selector.select(planned, [file.identity], file.source.file);
      });
      const observers = [matcher, selector, watch];
      return {
        contracts: people.suggest([...holdDoubtful(contracts, doubts), ...absent]),
        problems: [
          ...observers.flatMap((each) => each.diagnostics()),
          ...moves.diagnostics(selector.mayTake),
        ],
        selection: selector.summary(),
      };
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
