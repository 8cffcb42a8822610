import { deepEqual, type JsonObject } from '../core/json.ts';
import { compareRequirements } from './constraint.ts';
import type { ConsumerEffect, Part, RuleId } from './rule.ts';
import { columnType, compareTypes, type TypeChange, typeMembers, type Widening } from './type.ts';

/** A column on both sides: every change of it but those of its name and its children. */
export function compareColumns(
  before: JsonObject,
  after: JsonObject,
  part: Part,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  return [
    ...compareColumnTypes(before, after, part, widenings),
    ...compareRequirements(before['constraint'], after['constraint'], part),
    ...changedMembers(before, after)
      .filter((member) => !judgedElsewhere.has(member))
      .map((member) => memberChanged(member, part)),
  ];
}

const judgedElsewhere: ReadonlySet<string> = new Set([
  'name',
  'children',
  'constraint',
  ...typeMembers,
]);

function changedMembers(before: JsonObject, after: JsonObject): string[] {
  const members = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...members].filter((member) => !deepEqual(before[member], after[member]));
}

/** A change of a member that is description, tags or nothing that a rule is about. */
export function memberChanged(member: string, { label, pointer }: Part): ConsumerEffect {
  const rule = memberRules.get(member) ?? 'other-changed';
  return { rule, message: `${label} changes its \`${member}\`.`, pointer: [...pointer, member] };
}

const memberRules: ReadonlyMap<string, RuleId> = new Map([
  ['description', 'description-changed'],
  ['tags', 'tags-changed'],
]);

function compareColumnTypes(
  before: JsonObject,
  after: JsonObject,
  { label, pointer }: Part,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  if (typeMembers.every((member) => deepEqual(before[member], after[member]))) return [];
  const rule = ruleOfType[compareTypes(columnType(before), columnType(after), widenings)];
  const message = `${label} changes its type from ${spell(before)} to ${spell(after)}.`;
  return [{ rule, message, pointer: [...pointer, 'dataType'] }];
}

const ruleOfType: Readonly<Record<TypeChange, RuleId>> = {
  same: 'other-changed',
  shorter: 'length-shortened',
  longer: 'length-extended',
  wider: 'type-widened',
  narrower: 'type-narrowed',
  other: 'type-changed',
};

/** `VARCHAR(16)`, as people write it. */
function spell(column: JsonObject): string {
  const { dataType, arrayDataType, dataLength, precision, scale } = column;
  const sizes = [precision ?? dataLength, scale].filter((size) => typeof size === 'number');
  const type = typeof dataType === 'string' ? dataType : 'no type';
  const element = typeof arrayDataType === 'string' ? `<${arrayDataType}>` : '';
  return `${type}${element}${sizes.length > 0 ? `(${sizes.join(', ')})` : ''}`;
}
