import type { EntityReference } from '../contract/contract.ts';
import {
  hasErrors,
  type Diagnostic,
  type Problem,
  type SourcePosition,
} from '../core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Operation, Patch } from '../patch/operation.ts';

/** A plan: what will be done to each contract, as plain JSON (`schemas/plan.schema.json`). */

export type Transition = { readonly from: string | null; readonly to: string | null };

/** One operation of a patch, as a reviewer reads it. */
export type Change = {
  readonly kind: Operation['op'];
  /** The operation's own path: indices as they are when it is applied. */
  readonly path: string;
  /** The path with the keys of array elements beside their index: `schema[3 amount].dataType`. */
  readonly label: string;
  /** Where a moved value comes from. */
  readonly from?: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  /** The line of the file that asks for it. */
  readonly source?: SourcePosition;
  /** No file asks for it: it makes the catalog store the others. */
  readonly carrier?: boolean;
};

type LiveIdentity = {
  readonly id: string;
  readonly name?: string;
  readonly fullyQualifiedName?: string;
};

/** Which state of a live contract was planned against. */
type LiveState = {
  readonly liveVersion?: string;
  /** Epoch milliseconds. */
  readonly liveUpdatedAt?: number;
};

/** A contract that differs from its file; `blocked` where a rule forbids the change. */
export type UpdatePlan = LiveIdentity &
  LiveState & {
    readonly action: 'update' | 'blocked';
    readonly source: SourcePosition;
    /** The asset that it is attached to: by it one contract can be read alone (interface §4.1). */
    readonly entityId?: string;
    /** What the interface's rules lead to: more than one where they leave it open. */
    readonly predictedVersions: readonly string[];
    readonly transition?: Transition;
    readonly patch: Patch;
    /** `test` operations that hold where the values that the patch builds on are as planned against. */
    readonly guard: Patch;
    readonly changes: readonly Change[];
    /** The top-level fields that the patch touches, as they are once it has landed; `null`: gone. */
    readonly target: JsonObject;
    readonly problems: readonly Problem[];
  };

export type UnchangedPlan = LiveIdentity &
  LiveState & {
    readonly action: 'unchanged';
    readonly source: SourcePosition;
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
};

/** A file whose contract the catalog does not have, and is to be given. */
export type CreatePlan = {
  readonly action: 'create';
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
  /** The managed fields as they are once it is there. */
  readonly target: JsonObject;
  readonly problems: readonly Problem[];
};

export type ContractPlan = CreatePlan | UpdatePlan | UnchangedPlan | MissingPlan | UnmanagedPlan;
export type Action = ContractPlan['action'];

/** Contracts by action; among those that change: transitions, and what breaks consumers. */
export type PlanSummary = Readonly<
  Record<Exclude<Action, 'create'> | 'transitions' | 'breaking', number>
> & {
  /** Absent where there is none. */
  readonly create?: number;
};

/** What kept a plan small: patterns as they were typed, and the contracts that they left out. */
export type SelectionSummary = {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  /** The git revision since which the files of the selected contracts have changed. */
  readonly changedSince?: string;
  /** Contracts with a file, by name. */
  readonly leftOut: readonly string[];
};

export type LimitName = 'updates' | 'deprecations';

/** A limit that the plan exceeds and somebody has lifted for it. */
export type Override = { readonly limit: LimitName; readonly reason: string };

/** The kind of catalog that a plan was made for, and its release where it was asked and told. */
export type PlannedDialect = {
  readonly name: 'documented' | 'openmetadata';
  readonly release?: string;
};

export type Plan = {
  readonly formatVersion: '1.0';
  readonly catalogUrl: string;
  /** What kind of catalog it was made for; absent where no contract has shown it. */
  readonly dialect?: PlannedDialect;
  /** Absent where the plan could not be made: there is nothing to approve. */
  readonly planHash?: string;
  /** Whether anything in it forbids an apply. */
  readonly errored: boolean;
  readonly summary: PlanSummary;
  /** By fully qualified name. */
  readonly contracts: readonly ContractPlan[];
  readonly diagnostics: readonly Diagnostic[];
  /** Absent where everything was planned. */
  readonly selection?: SelectionSummary;
  /** Absent where no limit had to be lifted. */
  readonly overrides?: readonly Override[];
};

/** The contracts that an apply would send a patch to, in the plan's order. */
export function updates(plan: Plan): UpdatePlan[] {
  return plan.contracts.filter((contract): contract is UpdatePlan => contract.action === 'update');
}

/** The contracts that an apply would create, in the plan's order. */
export function creations(plan: Plan): CreatePlan[] {
  return plan.contracts.filter((contract): contract is CreatePlan => contract.action === 'create');
}

/** How many contracts an apply would change or create. */
export function changeCount({ summary }: Pick<Plan, 'summary'>): number {
  return summary.update + (summary.create ?? 0);
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
]);

/** Whether a problem keeps the whole plan from being applied. */
export function forbidsApply({ code, severity }: Problem): boolean {
  return severity === 'error' && !ownErrors.has(code);
}

/** Whether a file asks for what the plan does not bring about: then a run fails, whatever it applies. */
export function isIncomplete({ contracts }: Plan): boolean {
  return contracts.some((contract) => hasErrors(contractProblems(contract)));
}

/** What blocks or is allowed with a reason breaks consumers all the same. */
export function isBreaking(contract: ContractPlan): boolean {
  return contractProblems(contract).some(({ impact }) => impact === 'breaking');
}
