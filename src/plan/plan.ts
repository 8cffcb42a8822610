import type { DescribedOperation } from '../patch/describe.ts';
import type { EntityReference } from '../contract/contract.ts';
import {
  hasErrors,
  type Diagnostic,
  type Problem,
  renamePlace,
  type SourcePosition,
} from '../core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Difference } from '../patch/difference.ts';
import type { DiffOptions } from '../patch/operation.ts';

export type Transition = { readonly from: string | null; readonly to: string | null };

/** One operation of a patch, as a reviewer reads it. */
export type Change = DescribedOperation & {
  /** Both as a file writes them, where the catalog has another form: dates, terms of use. */
  readonly inWords?: { readonly before?: JsonValue; readonly after?: JsonValue };
  /** The line of the file that asks for it. */
  readonly source?: SourcePosition;
  /** No file asks for it: it makes the catalog store the others. */
  readonly carrier?: boolean;
  /** Known where the plan has a base. */
  readonly cause?: Cause;
  /** The commit that asks for it: the catalog was not edited, and has not got it yet. */
  readonly mergedIn?: string;
  /** Why it is not known whether it was edited, as a clause. */
  readonly unknown?: string;
  /** Known where the catalog's history was asked. */
  readonly blame?: LiveBlame;
};

/** Who made a place of the catalog what it is. */
export type LiveBlame = {
  /** `known-since`: it is no older than that version as far as is known, and may be older. */
  readonly kind: 'set' | 'removed' | 'moved' | 'known-since';
  readonly user?: string;
  /** Epoch milliseconds. */
  readonly updatedAt?: number;
  readonly version?: string;
  /** A commit asks for the version: one before it, or only a later one. Absent: not known. */
  readonly provenance?:
    | { readonly kind: 'git' | 'git-since'; readonly commit: string; readonly author: string }
    | { readonly kind: 'no-commit' };
};

/** A place that is left as it is; edited in the catalog, unless it says otherwise. */
export type DriftedPlace = Difference & Pick<Change, 'mergedIn' | 'unknown' | 'blame'>;

/**
 * What has caused a difference since the base: the file, an edit of the catalog, or both; in a
 * conflict the file overwrites the edit. `not-applied`: the base asks for it, and the catalog has
 * not got it yet.
 */
export type Cause = 'file' | 'drift' | 'conflict' | 'not-applied';

/** What differs from the base and is left as it is. */
export type LeftDrift = {
  /** From what is live to what the file says, by place. */
  readonly differences: readonly DriftedPlace[];
  /** Who wrote the contract last, as the catalog says. */
  readonly updatedBy?: string;
  /** Epoch milliseconds. */
  readonly updatedAt?: number;
};

export type LiveIdentity = {
  readonly id: string;
  readonly name?: string;
  readonly fullyQualifiedName?: string;
};

/** Which state of a live contract was planned against. */
export type LiveState = {
  readonly liveVersion?: string;
  /** The server's number where `liveVersion` rounds it; null where no double holds that. */
  readonly liveVersionNumber?: number | null;
  /** Epoch milliseconds. */
  readonly liveUpdatedAt?: number;
};

/** A contract that differs from its file; `blocked` where a rule forbids the change. */
export type UpdatePlan = LiveIdentity &
  LiveState & {
    readonly action: 'update' | 'blocked';
    /** What a reviewer approves: SHA-256 of the contract's id and the differences. */
    readonly fingerprint: string;
    readonly source: SourcePosition;
    /** The asset that it is attached to: by it one contract can be read alone (interface §4.1). */
    readonly entityId?: string;
    /** What the interface's rules lead to: more than one where they leave it open. */
    readonly predictedVersions: readonly string[];
    readonly transition?: Transition;
    /** In the order in which they are applied. */
    readonly changes: readonly Change[];
    /**
     * The top-level fields that are touched, as they are once the changes have landed; `null`: gone.
     * Written down, as a change within a field says nothing of its rest.
     */
    readonly target: JsonObject;
    /** Absent where nothing is left as it is. */
    readonly drift?: LeftDrift;
    readonly problems: readonly Problem[];
  };

export type UnchangedPlan = LiveIdentity &
  LiveState & {
    readonly action: 'unchanged';
    readonly source: SourcePosition;
    /** What is left as it is, although the file says otherwise. */
    readonly drift?: LeftDrift;
    readonly problems: readonly Problem[];
  };

/** A file whose contract the catalog does not have; the interface cannot create it. */
export type MissingPlan = Partial<LiveIdentity> & {
  readonly action: 'missing';
  readonly entity?: EntityReference;
  readonly source: SourcePosition;
  readonly problems: readonly Problem[];
};

/** A live contract that no file declares; it is left alone. */
export type UnmanagedPlan = LiveIdentity & {
  readonly action: 'unmanaged';
  /** Whether it lies in the scope that the configuration gives this repository. */
  readonly inScope?: boolean;
  /** Where contracts without a file are retired: it is out of use already. */
  readonly retired?: true;
  /** Absent where no file is known to have declared it. */
  readonly hadFile?: FormerFile;
};

/** A file that declared a contract until a git revision, and does no more. */
export type FormerFile = { readonly file: string; readonly until: string };

/** A file whose contract the catalog lacks and will be given. */
export type CreatePlan = {
  readonly action: 'create';
  readonly fingerprint: string;
  readonly name: string;
  /** As the catalog will call it. */
  readonly fullyQualifiedName: string;
  readonly entity: EntityReference & { readonly id: string; readonly type: string };
  readonly source: SourcePosition;
  /** Its first status. */
  readonly transition?: Transition;
  /** The request that creates it. */
  readonly body: JsonObject;
  readonly changes: readonly Change[];
  readonly problems: readonly Problem[];
};

export type ContractPlan = CreatePlan | UpdatePlan | UnchangedPlan | MissingPlan | UnmanagedPlan;
export type Action = ContractPlan['action'];

/**
 * Contracts by action; among those that change: transitions, and what breaks consumers; those in
 * which an edit of the catalog is left as it is. What is optional is absent where there is none.
 */
export type PlanSummary = Readonly<
  Record<Exclude<Action, 'create'> | 'transitions' | 'breaking' | 'drift', number>
> & {
  readonly create?: number;
  /** Contracts that lack something which is merged. */
  readonly notApplied?: number;
  /** Contracts with places that are left as they are, either edited or not applied yet. */
  readonly unknown?: number;
};

/** What kept a plan small: patterns as they were typed, and the contracts that they left out. */
export type SelectionSummary = {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  /** Files, folders and globs that the run was given. */
  readonly paths?: readonly string[];
  /** The git revision since which the files of the selected contracts have changed. */
  readonly changedSince?: string;
  /** Contracts that a plan without all this would be about, by name. */
  readonly leftOut: readonly string[];
};

export type LimitName = 'updates' | 'deprecations';

/** A limit that the plan exceeds, or a rule that it breaks, and somebody has lifted for it. */
export type Override = (
  | { readonly limit: LimitName }
  /** Of a rollback: `transition-blocked`, or the rule of a change that breaks consumers. */
  | { readonly rule: string }
) & {
  readonly reason: string;
};

/** The kind of catalog that a plan was made for, and its release where it is known. */
export type PlannedDialect = {
  readonly name: 'standard' | 'openmetadata';
  readonly release?: string;
};

/** What a rollback was asked for, so that it can be asked again. */
export type AskedRollback = {
  /** A version. */
  readonly to?: string;
  /** A time as ISO 8601 in UTC. */
  readonly before?: string;
  /** The file with the outcomes of a run, from the root of the configuration. */
  readonly run?: string;
  /** By id. */
  readonly contracts: readonly string[];
};

export type Plan = {
  readonly formatVersion: '3.0';
  readonly catalogUrl: string;
  /** The environment of the configuration that was chosen; absent where none was. */
  readonly environment?: string;
  /** The commit that the files are of; absent outside of a git repository. */
  readonly commit?: string;
  /** Whether files differ from that commit. */
  readonly uncommitted?: true;
  /** What kind of catalog it was made for; absent where it is not known. */
  readonly dialect?: PlannedDialect;
  /** The commit by whose files causes are known; absent where none was given. */
  readonly base?: string;
  /** The branch that the work left there, where no base was named: the remote's default. */
  readonly defaultBase?: string;
  /** Absent where the plan could not be made: there is nothing to approve. */
  readonly planHash?: string;
  /** Whether anything in it forbids an apply. */
  readonly errored: boolean;
  readonly summary: PlanSummary;
  /** By fully qualified name. */
  readonly contracts: readonly ContractPlan[];
  /** How elements of arrays were identified. */
  readonly arrays?: Pick<DiffOptions, 'keys' | 'unordered'>;
  readonly diagnostics: readonly Diagnostic[];
  /** Absent where files are planned. */
  readonly rollback?: AskedRollback;
  /** Absent where everything was planned. */
  readonly selection?: SelectionSummary;
  /** Absent where nothing had to be lifted. */
  readonly overrides?: readonly Override[];
};

/** One of the configuration's environments. */
export type ChosenEnvironment = {
  readonly name: string;
  /** Whether an apply at a terminal asks for its name. */
  readonly isProtected: boolean;
};

/** What a plan is about. */
export type PlanSubject = Pick<Plan, 'catalogUrl' | 'environment'>;

/** The contracts that an apply would send a patch to, in the plan's order. */
export function updates(plan: Plan): UpdatePlan[] {
  return plan.contracts.filter((contract): contract is UpdatePlan => contract.action === 'update');
}

/** The contracts that an apply would create, in the plan's order. */
export function creations(plan: Plan): CreatePlan[] {
  return plan.contracts.filter((contract): contract is CreatePlan => contract.action === 'create');
}

/** How many contracts an apply would change or create. */
export function changeCount(plan: Pick<Plan, 'contracts'>): number {
  return plannedChanges(plan).length;
}

/** What an apply would change or create, in the plan's order. */
export function plannedChanges({
  contracts,
}: Pick<Plan, 'contracts'>): (UpdatePlan | CreatePlan)[] {
  return contracts.filter(
    (contract): contract is UpdatePlan | CreatePlan =>
      contract.action === 'update' || contract.action === 'create',
  );
}

/** The same plan with its files called otherwise: as somebody sees them from another folder. */
export function renamePlaces(plan: Plan, nameOf: (file: string) => string): Plan {
  const renamed = <Placed extends { readonly source?: SourcePosition }>(placed: Placed) =>
    renamePlace(placed, nameOf);
  return {
    ...plan,
    diagnostics: plan.diagnostics.map(renamed),
    contracts: plan.contracts.map((contract) =>
      contract.action === 'unmanaged'
        ? contract
        : {
            ...renamed(contract),
            problems: contract.problems.map(renamed),
            ...('changes' in contract && { changes: contract.changes.map(renamed) }),
          },
    ),
  };
}

/** What is to be said about a contract. */
export function contractProblems(contract: ContractPlan): readonly Problem[] {
  return contract.action === 'unmanaged' ? [] : contract.problems;
}

/** Errors that keep back their own contract alone: the others are applied all the same. */
const ownErrors: ReadonlySet<string> = new Set([
  'contract-missing',
  'contract-deleted',
  'nested-too-deep',
  'reference-unreadable',
  'asset-unreadable',
  'drift-blocked',
  'conflict-blocked',
  'retirement-doubtful',
  'dialect-doubtful',
  'number-inexact',
]);

/** Whether a problem keeps the whole plan from being applied. */
export function forbidsApply({ code, severity, isDrift }: Problem): boolean {
  return severity === 'error' && !isDrift && !ownErrors.has(code);
}

/** Whether a file asks for what the plan does not bring about: then a run fails, whatever it applies. */
export function isIncomplete({ contracts }: Plan): boolean {
  return contracts.some((contract) => hasErrors(contractProblems(contract)));
}

/** What blocks or is allowed with a reason breaks consumers all the same. */
export function isBreaking(contract: ContractPlan): boolean {
  return contractProblems(contract).some(({ impact }) => impact === 'breaking');
}
