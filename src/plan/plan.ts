import type { DescribedOperation, Difference } from '../patch/describe.ts';
import type { EntityReference } from '../contract/contract.ts';
import { endsUse, type Lifecycle } from '../contract/conventions.ts';
import type { DownstreamAsset } from '../contract/lineage.ts';
import {
  hasErrors,
  type Diagnostic,
  type Permission,
  type Problem,
  type SourcePosition,
} from '../core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { DiffOptions } from '../patch/identity.ts';

export type Transition = { readonly from: string | null; readonly to: string | null };

/** One operation of a patch, as a reviewer reads it. */
export type Change = DescribedOperation & {
  /** Both values in the file's form, where the catalog has another: dates, terms of use. */
  readonly inWords?: { readonly before?: JsonValue; readonly after?: JsonValue };
  readonly source?: SourcePosition;
  /** No file asks for it: it makes the catalog store the other changes. */
  readonly carrier?: boolean;
  /** Absent without a base. */
  readonly cause?: Cause;
  /** The commit that asks for a change that is merged and not applied yet. */
  readonly mergedIn?: string;
  /** The merged pull request whose apply brings the change about, where it is known. */
  readonly waitsFor?: number;
  /** Why it is unknown whether the catalog was edited, as a clause. */
  readonly unknown?: string;
  /** Absent unless the catalog's history was read. */
  readonly blame?: LiveBlame;
};

export type LiveBlame = {
  /** `known-since`: the value is known from that version on, and may be older. */
  readonly kind: 'set' | 'removed' | 'moved' | 'known-since';
  readonly user?: string;
  /** Epoch milliseconds. */
  readonly updatedAt?: number;
  readonly version?: string;
  /** `git`: a commit asks for this version; `git-since`: only for a later one. Absent: unknown. */
  readonly provenance?:
    | { readonly kind: 'git' | 'git-since'; readonly commit: string; readonly author: string }
    | { readonly kind: 'no-commit' };
};

/** A place that is left as it is: edited in the catalog, unless `mergedIn` or `unknown` is there. */
export type DriftedPlace = Difference &
  Pick<Change, 'inWords' | 'mergedIn' | 'waitsFor' | 'unknown' | 'blame'>;

/**
 * What caused a difference since the base: the file, an edit of the catalog, or both; in a
 * `conflict` the file overwrites the edit. `not-applied`: merged and not applied yet.
 */
export type Cause = 'file' | 'drift' | 'conflict' | 'not-applied';

export type LeftDrift = {
  /** From live to the file, by place. */
  readonly differences: readonly DriftedPlace[];
  readonly updatedBy?: string;
  /** Epoch milliseconds. */
  readonly updatedAt?: number;
};

/** Readers of a contract's asset, by the catalog's lineage. */
export type Downstream =
  /** Why it is, as a clause or a sentence. */
  | { readonly unknown: string }
  | {
      /** The nearest first. */
      readonly assets: readonly DownstreamAsset[];
      /** Contracts were listed by the assets of files, so other assets may have one too. */
      readonly contractsUnread?: true;
    };

export type Announcement = {
  /** Absent: the contract as a whole. */
  readonly place?: string;
  /** Epoch milliseconds: the first version that had the mark, without a gap since. */
  readonly since: number;
  readonly version?: string;
};

/** Whether an asset downstream, with a contract in use of its own, has agreed. */
export type AgreementReader = {
  readonly id: string;
  /** For people, as the downstream asset has it. */
  readonly name: string;
  readonly columns?: readonly string[];
  /** Absent if they can't be read. */
  readonly owners?: readonly string[];
  /** `@ada`, `@acme/finance`, or the fallback team as its address has it, `data-platform`. */
  readonly agreers: readonly string[];
  /** Owners for whom the fallback team stands in, or nobody where there is none. */
  readonly withoutHandle?: readonly string[];
  readonly answer: ReaderAnswer;
};

export type ReaderAnswer =
  /** `at` in ISO 8601. */
  | { readonly kind: 'agreed'; readonly by: string; readonly at: string }
  /** The author of the pull request is the only owner. */
  | { readonly kind: 'own'; readonly by: string }
  /** Lineage knows the asset and not the columns: it is asked, and holds nothing. */
  | { readonly kind: 'possible' }
  /** Lineage shows it only since the others agreed. */
  | { readonly kind: 'later' }
  | { readonly kind: 'missing'; readonly why: string };

/** Whether those who read what a change breaks or retires have agreed to it, or needn't. */
export type ReaderAgreement = {
  readonly state: 'needless' | 'agreed' | 'held';
  /** What readers lose that is neither announced nor allowed, as an entry of `allow` names it. */
  readonly losses: readonly { readonly rule: string; readonly place?: string }[];
  readonly readers: readonly AgreementReader[];
  /** Those that lineage proves, without a contract in use of their own: `ledger.iban`. */
  readonly unasked: readonly string[];
  /** What has stood deprecated as long as `reviews.notice` asks for. */
  readonly announced: readonly Announcement[];
  /** What was announced later than that: `from` is when it may go without an agreement. */
  readonly noticed: readonly (Announcement & { readonly from: number })[];
  /** Exceptions of `allow` that lift it. */
  readonly allowed: readonly (Permission & { readonly place?: string })[];
  /** Why the readers aren't known, as a clause. */
  readonly unknown?: string;
};

export type LiveIdentity = {
  readonly id: string;
  readonly name?: string;
  readonly fullyQualifiedName?: string;
};

export type LiveState = {
  readonly liveVersion?: string;
  /** The server's number where `liveVersion` rounds it; null where no double holds it. */
  readonly liveVersionNumber?: number | null;
  /** Epoch milliseconds. */
  readonly liveUpdatedAt?: number;
};

/** Shared by all plans of files. */
export type PlanOfFile = {
  /** Whose file or scope it is, where the configuration has teams. */
  readonly team?: string;
  readonly source: SourcePosition;
  readonly problems: readonly Problem[];
};

/** A contract that differs from its file; `blocked` where a rule forbids the change. */
export type UpdatePlan = LiveIdentity &
  LiveState &
  PlanOfFile & {
    readonly action: 'update' | 'blocked';
    /** SHA-256 of the contract's id and its differences. */
    readonly fingerprint: string;
    /** The asset that it is attached to, by which it can be read alone (interface §4.1). */
    readonly entityId?: string;
    /** More than one where the interface's rules leave it open. */
    readonly predictedVersions: readonly string[];
    readonly transition?: Transition;
    /** In the order in which they are applied. */
    readonly changes: readonly Change[];
    /**
     * The touched top-level fields after the changes; `null`: removed. Included because a change
     * within a field does not show the rest of it.
     */
    readonly target: JsonObject;
    readonly drift?: LeftDrift;
    /** Absent unless it is breaking, ends the use of the contract, or takes or alters columns. */
    readonly downstream?: Downstream;
    /** Absent unless `reviews.breaking` is `readers`, and it is breaking or a retirement. */
    readonly agreement?: ReaderAgreement;
  };

export type UnchangedPlan = LiveIdentity &
  LiveState &
  PlanOfFile & { readonly action: 'unchanged'; readonly drift?: LeftDrift };

/** A file whose contract the catalog lacks, and which is not created. */
export type MissingPlan = Partial<LiveIdentity> &
  PlanOfFile & { readonly action: 'missing'; readonly entity?: EntityReference };

export type UnmanagedPlan = LiveIdentity & {
  readonly team?: string;
  readonly action: 'unmanaged';
  /** Whether it is in the configured scope of this repository. */
  readonly inScope?: boolean;
  /** Present where contracts without a file are retired and this one is out of use already. */
  readonly retired?: true;
  readonly hadFile?: FormerFile;
};

/** A file that declared a contract until a git revision. */
export type FormerFile = { readonly file: string; readonly until: string };

/** A file whose contract the catalog lacks and the plan creates. */
export type CreatePlan = PlanOfFile & {
  readonly action: 'create';
  readonly fingerprint: string;
  readonly name: string;
  readonly fullyQualifiedName: string;
  readonly entity: EntityReference & { readonly id: string; readonly type: string };
  readonly transition?: Transition;
  /** The body of the request. */
  readonly document: JsonObject;
  readonly changes: readonly Change[];
};

export type ContractPlan = CreatePlan | UpdatePlan | UnchangedPlan | MissingPlan | UnmanagedPlan;
export type Action = ContractPlan['action'];

/**
 * Contracts by action; transitions and breaking changes among those that change; those with drift
 * that is left. Optional members are absent where there is none.
 */
export type PlanSummary = Readonly<
  Record<Exclude<Action, 'create'> | 'transitions' | 'breaking' | 'drift', number>
> & {
  readonly create?: number;
  /** Contracts that lack a merged change. */
  readonly notApplied?: number;
  /** Contracts with places of which it is unknown whether they were edited. */
  readonly unknown?: number;
};

/** The patterns that narrowed the plan, as they were typed, and the contracts left out. */
export type SelectionSummary = {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  readonly team?: string;
  readonly paths?: readonly string[];
  /** The git revision since which the files of the selected contracts have changed. */
  readonly changedSince?: string;
  readonly leftOut: readonly string[];
};

export type LimitName = 'updates' | 'deprecations';

export type Override = (
  | { readonly limit: LimitName }
  /** In a rollback: `transition-blocked`, or the rule of a breaking change. */
  | { readonly rule: string }
) & { readonly reason: string };

export type PlannedDialect = { readonly name: string; readonly release?: string };

export type AskedRollback = {
  readonly to?: string;
  /** ISO 8601 in UTC. */
  readonly before?: string;
  /** The file with the outcomes of a run, from the root of the configuration. */
  readonly run?: string;
  readonly contracts: readonly string[];
};

export type Plan = {
  readonly formatVersion: '1.0';
  readonly catalogUrl: string;
  readonly environment?: string;
  /** Absent outside of a git repository. */
  readonly commit?: string;
  readonly uncommitted?: true;
  /** Absent where the kind of catalog is unknown. */
  readonly dialect?: PlannedDialect;
  /** The commit that causes are known by; absent where none was given. */
  readonly base?: string;
  /** The default branch of the remote, if no base was named. */
  readonly defaultBase?: string;
  /** Absent where the plan could not be made. */
  readonly planHash?: string;
  readonly errored: boolean;
  readonly summary: PlanSummary;
  /** Sorted by fully qualified name. */
  readonly contracts: readonly ContractPlan[];
  readonly arrays?: Pick<DiffOptions, 'keys' | 'unordered'>;
  readonly diagnostics: readonly Diagnostic[];
  readonly rollback?: AskedRollback;
  readonly selection?: SelectionSummary;
  readonly overrides?: readonly Override[];
};

export type ChosenEnvironment = {
  readonly name: string;
  /** Whether an apply at a terminal asks for the environment's name. */
  readonly isProtected: boolean;
};

/** The catalog and the environment that a run is for. */
export type RunSubject = {
  readonly catalogUrl: string;
  readonly environment?: ChosenEnvironment | undefined;
};

export type PlanSubject = { readonly catalogUrl: string; readonly environment?: string };

export function updates(plan: Plan): UpdatePlan[] {
  return plan.contracts.filter((contract): contract is UpdatePlan => contract.action === 'update');
}

export function creations(plan: Plan): CreatePlan[] {
  return plan.contracts.filter((contract): contract is CreatePlan => contract.action === 'create');
}

export function plannedChanges({
  contracts,
}: Pick<Plan, 'contracts'>): (UpdatePlan | CreatePlan)[] {
  return contracts.filter(
    (contract): contract is UpdatePlan | CreatePlan =>
      contract.action === 'update' || contract.action === 'create',
  );
}

export function contractProblems(contract: ContractPlan): readonly Problem[] {
  return contract.action === 'unmanaged' ? [] : contract.problems;
}

/** Whether a file asks for changes that the plan blocks or holds: then a run fails, whatever it applies. */
export function isIncomplete({ contracts }: Plan): boolean {
  return contracts.some((contract) => hasErrors(contractProblems(contract)) || isHeld(contract));
}

/** Changes that wait for those who read what they break. */
export function heldChanges(plan: Plan): UpdatePlan[] {
  return updates(plan).filter(isHeld);
}

export function isHeld(contract: ContractPlan): boolean {
  return contract.action === 'update' && contract.agreement?.state === 'held';
}

/** Includes changes that are blocked or allowed by an exception. */
export function isBreaking(contract: ContractPlan): boolean {
  return contractProblems(contract).some(({ impact }) => impact === 'breaking');
}

/** Whether it ends the contract's use. */
export function isRetirement(
  { transition }: UpdatePlan | CreatePlan,
  lifecycle: Lifecycle,
): boolean {
  return typeof transition?.to === 'string' && endsUse(transition.to, lifecycle);
}

export function mayBeNoticed(plan: ContractPlan): plan is UpdatePlan {
  if (!('target' in plan) || plan.changes.length === 0) return false;
  return plan.transition !== undefined || isBreaking(plan) || Object.hasOwn(plan.target, 'schema');
}
