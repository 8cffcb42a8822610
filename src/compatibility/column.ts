import { deepEqual, isArray, type JsonObject, type JsonValue } from '../core/json.ts';
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
    ...compareConstraints(before['constraint'], after['constraint'], part),
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

function compareConstraints(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { label, pointer }: Part,
): ConsumerEffect[] {
  if (deepEqual(before, after)) return [];
  const rule = ruleOfConstraint(constraint(before), constraint(after));
  const message = `${label} changes its constraint from ${spellConstraint(before)} to ${spellConstraint(after)}.`;
  return [{ rule, message, pointer: [...pointer, 'constraint'] }];
}

type Constraint = { readonly required: boolean; readonly unique: boolean };

function constraint(value: JsonValue | undefined): Constraint {
  const name = typeof value === 'string' ? value.trim().toUpperCase().replaceAll(' ', '_') : '';
  return {
    required: name === 'NOT_NULL' || name === 'PRIMARY_KEY',
    unique: name === 'UNIQUE' || name === 'PRIMARY_KEY',
  };
}

/** A primary key is two promises in one word: the change is told by the graver half. */
function ruleOfConstraint(before: Constraint, after: Constraint): RuleId {
  if (before.required && !after.required) return 'required-dropped';
  if (before.unique && !after.unique) return 'unique-dropped';
  if (!before.unique && after.unique) return 'unique-added';
  return !before.required && after.required ? 'required-added' : 'other-changed';
}

function spellConstraint(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'none';
  return isArray(value) || typeof value === 'object' ? JSON.stringify(value) : String(value);
}
