import { writeSegments } from '../contract/names.ts';
import type { Impact } from '../core/diagnostic.ts';
import { deepEqual, type JsonObject } from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';

/** `forward` protects old readers of new data, `backward` new readers of old data, `full` both. */
export type Mode = 'forward' | 'backward' | 'full' | 'none';

// A change hurts `old` readers of new data (forward) or `new` readers of old data (backward).
const breaksOld = { forward: 'breaking', backward: 'information' } as const;
const breaksBoth = { forward: 'breaking', backward: 'breaking' } as const;
const breaksNew = { forward: 'information', backward: 'breaking' } as const;
const warnsBoth = { forward: 'warning', backward: 'warning' } as const;
const warnsOld = { forward: 'warning', backward: 'information' } as const;
const warnsNew = { forward: 'information', backward: 'warning' } as const;
const harmless = { forward: 'information', backward: 'information' } as const;

/** Every change of a promise, but for the status, falls under exactly one. */
export const compatibilityRules = {
  'column-removed': { ...breaksOld, says: 'A column is removed.' },
  'column-renamed': { ...breaksBoth, says: 'A column is replaced by another of the same type.' },
  'type-changed': {
    ...breaksBoth,
    says: 'A type changes to one that neither holds the old one nor fits into it.',
  },
  'contract-emptied': { ...breaksBoth, says: 'The whole schema is removed.' },
  'type-widened': {
    ...breaksOld,
    says: 'A type changes to one that holds all of the old one, and more.',
  },
  'length-extended': {
    ...breaksOld,
    says: 'A length, precision or scale goes up, or is no longer limited.',
  },
  'required-dropped': {
    ...breaksOld,
    says: 'NOT_NULL or PRIMARY_KEY is removed: values may be missing.',
  },
  'unique-dropped': {
    ...breaksOld,
    says: 'UNIQUE or PRIMARY_KEY is removed, or a primary key gets another column: values may repeat.',
  },
  'sla-worsened': {
    ...breaksOld,
    says: 'An interval or latency goes up, a retention or availability goes down, data comes later, or a promise is removed.',
  },
  'type-narrowed': { ...breaksNew, says: 'A type changes to one that holds less.' },
  'length-shortened': {
    ...breaksNew,
    says: 'A length, precision or scale goes down, or becomes limited.',
  },
  'required-added': {
    ...breaksNew,
    says: 'Values can no longer be missing, or a new column has to have one.',
  },
  'unique-added': { ...breaksNew, says: 'Values can no longer repeat.' },
  'semantics-rule-changed': { ...warnsBoth, says: 'What a semantic rule demands changes.' },
  'owners-emptied': { ...warnsBoth, says: 'All owners are removed.' },
  'semantics-rule-removed': { ...warnsOld, says: 'A semantic rule is removed.' },
  'semantics-rule-disabled': { ...warnsOld, says: 'A semantic rule is switched off.' },
  'semantics-rule-added': { ...warnsNew, says: 'A semantic rule is added or switched on.' },
  'column-added': { ...warnsNew, says: 'A column is added.' },
  'description-changed': { ...harmless, says: 'A description is added, changed or removed.' },
  'order-changed': { ...harmless, says: 'Columns or rules are reordered.' },
  'tags-changed': { ...harmless, says: 'Tags are added, changed or removed.' },
  'other-changed': { ...harmless, says: 'Any other change.' },
} satisfies Readonly<Record<string, { forward: Impact; backward: Impact; says: string }>>;

export type RuleId = keyof typeof compatibilityRules;

/** Readers of columns notice these, whatever the contract's status and the mode are. */
export const columnLosses: ReadonlySet<RuleId> = new Set([
  'contract-emptied',
  'column-removed',
  'column-renamed',
  'type-changed',
  'type-widened',
  'type-narrowed',
  'length-extended',
  'length-shortened',
]);

export function impactOf(rule: RuleId, mode: Mode): Impact | undefined {
  if (mode === 'none') return undefined;
  const impact = compatibilityRules[rule];
  if (mode !== 'full') return impact[mode];
  const gravestFirst = ['breaking', 'warning', 'information'] as const;
  return gravestFirst.find((each) => each === impact.forward || each === impact.backward);
}

/** Rules whose findings are each of one place, which an exception can name. */
export function hasPlaces(rule: string): boolean {
  return rule !== 'contract-emptied' && rule !== 'transition-blocked';
}

/** As `allow` names it: `schema.address.street`, `sla.maxLatency`. */
export function placeOfEffect({ place, column, pointer }: ConsumerEffect): string {
  return place ?? (column ? placeOfColumn(column) : writeSegments(pointer));
}

export function placeOfColumn(path: readonly string[]): string {
  return writeSegments(['schema', ...path]);
}

export type ConsumerEffect = {
  readonly rule: RuleId;
  readonly message: string;
  /** Into the contract after the change; of what is gone, its parent's. */
  readonly pointer: Pointer;
  /** The column before the change, with those around it; absent where it is of no single one. */
  readonly column?: readonly string[] | undefined;
  /** The column after the change, or several; absent where `column` or the pointer says it. */
  readonly place?: string;
};

/** A column or a semantic rule; `label` is as `Column address › street`. */
export type Part = {
  readonly label: string;
  readonly pointer: Pointer;
  readonly column?: readonly string[];
};

export function memberChanged(member: string, { label, pointer }: Part): ConsumerEffect {
  const hasRule = member === 'description' || member === 'tags';
  const rule = hasRule ? (`${member}-changed` as const) : 'other-changed';
  return { rule, message: `${label} changes its \`${member}\`.`, pointer: [...pointer, member] };
}

export function changedMembers(before: JsonObject, after: JsonObject): string[] {
  const members = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...members].filter((member) => !deepEqual(before[member], after[member]));
}
