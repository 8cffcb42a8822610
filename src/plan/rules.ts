import { type Compatibility, defaultCompatibility } from '../compatibility/compatibility.ts';
import type { RuleId } from '../compatibility/rule.ts';
import {
  type CarrierSetting,
  type Conventions,
  type FieldCheck,
  standardConventions,
  unknownStatus,
} from '../contract/conventions.ts';
import type { Equivalence } from '../contract/equality.ts';
import {
  adoptLifecycle,
  byOwnStatus,
  defaultLifecycle,
  type Lifecycle,
  writableStatuses,
} from '../contract/lifecycle.ts';
import type { NamePattern, NameRule } from '../contract/names.ts';
import type { Permission, SourcePosition } from '../core/diagnostic.ts';
import type { DiffOptions } from '../patch/diff.ts';
import type { Pattern } from '../patch/pattern.ts';
import { defaultLimits, type Limits } from './seal.ts';

/** For live contracts in scope that no file declares. */
export type Unmanaged =
  | { readonly rule: 'ignore' | 'report' }
  /** The place in the configuration asks for it, as a file does for any other change. */
  | { readonly rule: 'deprecate'; readonly source: SourcePosition };

/** For files whose contract the catalog does not have. */
export type Missing = 'error' | 'report';

/** For edits of the catalog, which a base tells from changes of the file. */
export type DriftRule = 'leave' | 'overwrite' | 'block';

/** For changes of a file where the catalog was edited too. */
export type ConflictRule = 'overwrite' | 'block';

/** A change that a compatibility rule would block, allowed by the configuration. */
export type Exception = Permission & {
  /** Of the contracts' names. */
  readonly pattern: NamePattern;
  readonly rule: RuleId;
  /** Decided by the caller, as there is no clock here. */
  readonly expired: boolean;
  /** Where the configuration says so. */
  readonly source: SourcePosition;
};

/** A pattern as the configuration or a flag has it. */
type Written = {
  /** The key of the configuration, or the flag. */
  readonly setting: string;
  readonly text: string;
  readonly source?: SourcePosition;
};

/** On names of contracts. */
export type WrittenName = Written & { readonly kind: 'name'; readonly pattern: NamePattern };
/** On files of contracts, by the segments of their paths. */
export type WrittenPath = Written & { readonly kind: 'path'; readonly pattern: readonly string[] };
/** On places in contracts. */
export type WrittenPointer = Written & { readonly kind: 'pointer'; readonly pattern: Pattern };
/** The text names an array, whose elements are told apart by these members. */
export type WrittenKey = Written & { readonly kind: 'key'; readonly members: readonly string[] };

export type WrittenPattern = WrittenName | WrittenPath | WrittenPointer | WrittenKey;

/** The configuration of how contracts are compared and changed. */
export type Rules = {
  readonly equivalence: Equivalence;
  readonly arrays: DiffOptions;
  readonly lifecycle: Lifecycle;
  readonly compatibility: Compatibility;
  readonly exceptionsFor: (names: readonly string[]) => readonly Exception[];
  /** The live contracts that files may claim: any, where it is empty. */
  readonly scope: readonly NamePattern[];
  readonly unmanaged: Unmanaged;
  readonly missing: Missing;
  /** Whether what is missing is created, where the catalog can. */
  readonly create: boolean;
  readonly drift: DriftRule;
  readonly conflicts: ConflictRule;
  /** Contracts that nothing may change. */
  readonly protected: readonly NamePattern[];
  readonly limits: Limits;
  /** Whether a change that the catalog would not store may go with one of the display name. */
  readonly carrier: CarrierSetting;
  /** All patterns of the above, for warnings where they match nothing. */
  readonly patterns: readonly WrittenPattern[];
  /** How the names of files become those of the catalog. */
  readonly names: readonly NameRule[];
  /** Of the catalog's kind; those of the interface until it is known. */
  readonly conventions: Conventions;
};

/** What the rules of a plan take over from the kind of catalog that it is made for. */
type Adopted = Conventions & { readonly equivalence: Omit<Equivalence, 'ignore'> };

/** The rules for one kind of catalog; `isChecked`: whether the files have been checked for it. */
export function adoptConventions(rules: Rules, adopted: Adopted, isChecked: boolean): Rules {
  const lifecycle = adoptLifecycle(rules.lifecycle, adopted.lifecycle);
  const statuses = writableStatuses(rules.lifecycle, [adopted.lifecycle]);
  const checkFields: FieldCheck = (fields) => [
    ...adopted.checkFields(fields),
    ...unknownStatus(fields, statuses),
  ];
  return {
    ...rules,
    equivalence: { ...rules.equivalence, ...adopted.equivalence },
    lifecycle,
    compatibility: {
      ...rules.compatibility,
      levels: byOwnStatus(rules.compatibility.levels, lifecycle),
    },
    conventions: { ...adopted, checkFields: isChecked ? () => [] : checkFields },
  };
}

export const defaultRules: Rules = {
  equivalence: { ignore: [], serverAdded: [], emptyIsAbsent: false },
  arrays: { unordered: ['owners', 'reviewers', 'tags'] },
  lifecycle: defaultLifecycle,
  compatibility: defaultCompatibility,
  exceptionsFor: () => [],
  scope: [],
  unmanaged: { rule: 'report' },
  missing: 'error',
  create: false,
  drift: 'leave',
  conflicts: 'overwrite',
  protected: [],
  limits: defaultLimits,
  carrier: 'displayName',
  patterns: [],
  names: [],
  conventions: standardConventions,
};
