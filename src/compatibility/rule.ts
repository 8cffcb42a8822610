import type { Impact } from '../core/diagnostic.ts';
import { deepEqual, type JsonObject } from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';

/** `forward` protects old readers of new data, `backward` new readers of old data, `full` both. */
export type Mode = 'forward' | 'backward' | 'full' | 'none';

export type CompatibilityRule = {
  readonly says: string;
  readonly forward: Impact;
  readonly backward: Impact;
};

/** Every change of a promise, but for the status, falls under exactly one. */
export const compatibilityRules = {
  'column-removed': {
    says: 'A column is removed.',
    forward: 'breaking',
    backward: 'information',
  },
  'column-renamed': {
    says: 'A column is replaced by another of the same type.',
    forward: 'breaking',
    backward: 'breaking',
  },
  'type-changed': {
    says: 'A type changes to one that neither holds the old one nor fits into it.',
    forward: 'breaking',
    backward: 'breaking',
  },
  'contract-emptied': {
    says: 'The whole schema is removed.',
    forward: 'breaking',
    backward: 'breaking',
  },
  'type-widened': {
    says: 'A type changes to one that holds all of the old one, and more.',
    forward: 'breaking',
    backward: 'information',
  },
  'length-extended': {
    says: 'A length, precision or scale goes up, or is no longer limited.',
    forward: 'breaking',
    backward: 'information',
  },
  'required-dropped': {
    says: 'NOT_NULL or PRIMARY_KEY is removed: values may be missing.',
    forward: 'breaking',
    backward: 'information',
  },
  'unique-dropped': {
    says: 'UNIQUE or PRIMARY_KEY is removed, or a primary key gets another column: values may repeat.',
    forward: 'breaking',
    backward: 'information',
  },
  'sla-worsened': {
    says: 'An interval or latency goes up, a retention or availability goes down, data comes later, or a promise is removed.',
    forward: 'breaking',
    backward: 'information',
  },
  'type-narrowed': {
    says: 'A type changes to one that holds less.',
    forward: 'information',
    backward: 'breaking',
  },
  'length-shortened': {
    says: 'A length, precision or scale goes down, or becomes limited.',
    forward: 'information',
    backward: 'breaking',
  },
  'required-added': {
    says: 'Values can no longer be missing, or a new column has to have one.',
    forward: 'information',
    backward: 'breaking',
  },
  'unique-added': {
    says: 'Values can no longer repeat.',
    forward: 'information',
    backward: 'breaking',
  },
  'semantics-rule-changed': {
    says: 'What a semantic rule demands changes.',
    forward: 'warning',
    backward: 'warning',
  },
  'owners-emptied': {
    says: 'All owners are removed.',
    forward: 'warning',
    backward: 'warning',
  },
  'semantics-rule-removed': {
    says: 'A semantic rule is removed.',
    forward: 'warning',
    backward: 'information',
  },
  'semantics-rule-disabled': {
    says: 'A semantic rule is switched off.',
    forward: 'warning',
    backward: 'information',
  },
  'semantics-rule-added': {
    says: 'A semantic rule is added or switched on.',
    forward: 'information',
    backward: 'warning',
  },
  'column-added': {
    says: 'A column is added.',
    forward: 'information',
    backward: 'warning',
  },
  'description-changed': {
    says: 'A description is added, changed or removed.',
    forward: 'information',
    backward: 'information',
  },
  'order-changed': {
    says: 'Columns or rules are reordered.',
    forward: 'information',
    backward: 'information',
  },
  'tags-changed': {
    says: 'Tags are added, changed or removed.',
    forward: 'information',
    backward: 'information',
  },
  'other-changed': {
    says: 'Any other change.',
    forward: 'information',
    backward: 'information',
  },
} as const satisfies Readonly<Record<string, CompatibilityRule>>;

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
