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

/** Every change of a promise, but for the status, falls under exactly one. */
export const compatibilityRules = {
  'column-removed': rule('breaking', 'information', 'A column is removed.'),
  'column-renamed': rule(
    'breaking',
    'breaking',
    'A column is replaced by another of the same type.',
  ),
  'type-changed': rule(
    'breaking',
    'breaking',
    'A type changes to one that neither holds the old one nor fits into it.',
  ),
  'contract-emptied': rule('breaking', 'breaking', 'The whole schema is removed.'),
  'type-widened': rule(
    'breaking',
    'information',
    'A type changes to one that holds all of the old one, and more.',
  ),
  'length-extended': rule(
    'breaking',
    'information',
    'A length, precision or scale goes up, or is no longer limited.',
  ),
  'required-dropped': rule(
    'breaking',
    'information',
    'NOT_NULL or PRIMARY_KEY is removed: values may be missing.',
  ),
  'unique-dropped': rule(
    'breaking',
    'information',
    'UNIQUE or PRIMARY_KEY is removed, or a primary key gets another column: values may repeat.',
  ),
  'sla-worsened': rule(
    'breaking',
    'information',
    'An interval or latency goes up, a retention or availability goes down, data comes later, or a promise is removed.',
  ),
  'type-narrowed': rule('information', 'breaking', 'A type changes to one that holds less.'),
  'length-shortened': rule(
    'information',
    'breaking',
    'A length, precision or scale goes down, or becomes limited.',
  ),
  'required-added': rule(
    'information',
    'breaking',
    'Values can no longer be missing, or a new column has to have one.',
  ),
  'unique-added': rule('information', 'breaking', 'Values can no longer repeat.'),
  'semantics-rule-changed': rule('warning', 'warning', 'What a semantic rule demands changes.'),
  'owners-emptied': rule('warning', 'warning', 'All owners are removed.'),
  'semantics-rule-removed': rule('warning', 'information', 'A semantic rule is removed.'),
  'semantics-rule-disabled': rule('warning', 'information', 'A semantic rule is switched off.'),
  'semantics-rule-added': rule(
    'information',
    'warning',
    'A semantic rule is added or switched on.',
  ),
  'column-added': rule('information', 'warning', 'A column is added.'),
  'description-changed': rule(
    'information',
    'information',
    'A description is added, changed or removed.',
  ),
  'order-changed': rule('information', 'information', 'Columns or rules are reordered.'),
  'tags-changed': rule('information', 'information', 'Tags are added, changed or removed.'),
  'other-changed': rule('information', 'information', 'Any other change.'),
};

function rule(forward: Impact, backward: Impact, says: string): CompatibilityRule {
  return { forward, backward, says };
}

export type RuleId = keyof typeof compatibilityRules;

export function impactOf(rule: RuleId, mode: Mode): Impact | undefined {
  const { forward, backward } = compatibilityRules[rule];
  switch (mode) {
    case 'forward':
      return forward;
    case 'backward':
      return backward;
    case 'full':
      return gravest.find((impact) => impact === forward || impact === backward);
    case 'none':
      return undefined;
  }
}

const gravest: readonly Impact[] = ['breaking', 'warning', 'information'];

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
  const rule = memberRules.get(member) ?? 'other-changed';
  return { rule, message: `${label} changes its \`${member}\`.`, pointer: [...pointer, member] };
}

const memberRules: ReadonlyMap<string, RuleId> = new Map([
  ['description', 'description-changed'],
  ['tags', 'tags-changed'],
]);

export function changedMembers(before: JsonObject, after: JsonObject): string[] {
  const members = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...members].filter((member) => !deepEqual(before[member], after[member]));
}
