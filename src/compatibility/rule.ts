import type { Impact } from '../core/diagnostic.ts';
import { deepEqual, type JsonObject } from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';

/** `forward` protects old readers of new data, `backward` new readers of old data, `full` both. */
export type Mode = 'forward' | 'backward' | 'full' | 'none';

export type CompatibilityRule = {
  readonly forward: Impact;
  readonly backward: Impact;
  readonly says: string;
};

// Which readers a change hurts: `old` ones of new data (forward), `new` ones of old data (backward).
const impacts =
  (forward: Impact, backward: Impact) =>
  (says: string): CompatibilityRule => ({ forward, backward, says });
const breaksOld = impacts('breaking', 'information');
const breaksBoth = impacts('breaking', 'breaking');
const breaksNew = impacts('information', 'breaking');
const warnsBoth = impacts('warning', 'warning');
const warnsOld = impacts('warning', 'information');
const warnsNew = impacts('information', 'warning');
const harmless = impacts('information', 'information');

/** Every change of a promise, but for the status, falls under exactly one. */
export const compatibilityRules = {
  'column-removed': breaksOld('A column is removed.'),
  'column-renamed': breaksBoth('A column is replaced by another of the same type.'),
  'type-changed': breaksBoth(
    'A type changes to one that neither holds the old one nor fits into it.',
  ),
  'contract-emptied': breaksBoth('The whole schema is removed.'),
  'type-widened': breaksOld('A type changes to one that holds all of the old one, and more.'),
  'length-extended': breaksOld('A length, precision or scale goes up, or is no longer limited.'),
  'required-dropped': breaksOld('NOT_NULL or PRIMARY_KEY is removed: values may be missing.'),
  'unique-dropped': breaksOld(
    'UNIQUE or PRIMARY_KEY is removed, or a primary key gets another column: values may repeat.',
  ),
  'sla-worsened': breaksOld(
    'An interval or latency goes up, a retention or availability goes down, data comes later, or a promise is removed.',
  ),
  'type-narrowed': breaksNew('A type changes to one that holds less.'),
  'length-shortened': breaksNew('A length, precision or scale goes down, or becomes limited.'),
  'required-added': breaksNew('Values can no longer be missing, or a new column has to have one.'),
  'unique-added': breaksNew('Values can no longer repeat.'),
  'semantics-rule-changed': warnsBoth('What a semantic rule demands changes.'),
  'owners-emptied': warnsBoth('All owners are removed.'),
  'semantics-rule-removed': warnsOld('A semantic rule is removed.'),
  'semantics-rule-disabled': warnsOld('A semantic rule is switched off.'),
  'semantics-rule-added': warnsNew('A semantic rule is added or switched on.'),
  'column-added': warnsNew('A column is added.'),
  'description-changed': harmless('A description is added, changed or removed.'),
  'order-changed': harmless('Columns or rules are reordered.'),
  'tags-changed': harmless('Tags are added, changed or removed.'),
  'other-changed': harmless('Any other change.'),
} satisfies Readonly<Record<string, CompatibilityRule>>;

export type RuleId = keyof typeof compatibilityRules;

export function impactOf(rule: RuleId, mode: Mode): Impact | undefined {
  if (mode === 'none') return undefined;
  const impact = compatibilityRules[rule];
  if (mode !== 'full') return impact[mode];
  const gravestFirst = ['breaking', 'warning', 'information'] as const;
  return gravestFirst.find((each) => each === impact.forward || each === impact.backward);
}

export type ConsumerEffect = {
  readonly rule: RuleId;
  readonly message: string;
  /** Into the contract after the change; of what is gone, its parent's. */
  readonly pointer: Pointer;
};

export type Part = {
  readonly pointer: Pointer;
  /** `Column address › street`. */
  readonly label: string;
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
