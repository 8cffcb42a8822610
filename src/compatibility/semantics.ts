import { deepEqual, isObject, type JsonValue } from '../core/json.ts';
import { alignByName, itemsOf, type NamedPair } from './align.ts';
import { changedMembers, type ConsumerEffect, memberChanged, type Part } from './rule.ts';

export function compareSemantics(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ConsumerEffect[] {
  const alignment = alignByName(itemsOf(before), itemsOf(after), isNamesake);
  return [
    ...alignment.removed.map(({ name }): ConsumerEffect => {
      const message = `Semantic rule "${name}" is removed.`;
      return { rule: 'semantics-rule-removed', message, pointer: ['semantics'] };
    }),
    ...alignment.added.map(({ name, index }): ConsumerEffect => {
      const message = `Semantic rule "${name}" is added.`;
      return { rule: 'semantics-rule-added', message, pointer: ['semantics', String(index)] };
    }),
    ...alignment.renamed.map(renamed),
    ...alignment.kept.flatMap(compareRules),
    ...(alignment.isReordered ? [reordered] : []),
  ];
}

function compareRules({ before, after }: NamedPair): ConsumerEffect[] {
  const part: Part = {
    label: `Semantic rule "${after.name}"`,
    pointer: ['semantics', String(after.index)],
  };
  if (!isObject(before.value) || !isObject(after.value)) {
    return deepEqual(before.value, after.value) ? [] : [conditionChanged(part)];
  }
  const [old, next] = [before.value, after.value];
  const isOn = next['enabled'] !== false;
  return changedMembers(old, next).map((member) => {
    if (member === 'enabled' && isOn !== (old['enabled'] !== false)) return switched(part, isOn);
    return describing.has(member) ? memberChanged(member, part) : conditionChanged(part, member);
  });
}

const describing: ReadonlySet<string> = new Set(['description', 'displayName', 'tags', 'enabled']);

function conditionChanged({ label, pointer }: Part, member?: string): ConsumerEffect {
  return {
    rule: 'semantics-rule-changed',
    message: member === undefined ? `${label} changes.` : `${label} changes its \`${member}\`.`,
    pointer: member === undefined ? pointer : [...pointer, member],
  };
}

function isNamesake(before: JsonValue, after: JsonValue): boolean {
  if (!isObject(before) || !isObject(after)) return false;
  const { name: _old, ...old } = before;
  const { name: _new, ...next } = after;
  return Object.keys(old).length > 0 && deepEqual(old, next);
}

function renamed({ before, after }: NamedPair): ConsumerEffect {
  return {
    rule: 'other-changed',
    message: `Semantic rule "${before.name}" is renamed to "${after.name}".`,
    pointer: ['semantics', String(after.index), 'name'],
  };
}

function switched({ label, pointer }: Part, isOn: boolean): ConsumerEffect {
  return {
    rule: isOn ? 'semantics-rule-added' : 'semantics-rule-disabled',
    message: `${label} is switched ${isOn ? 'on' : 'off'}.`,
    pointer: [...pointer, 'enabled'],
  };
}

const reordered: ConsumerEffect = {
  rule: 'order-changed',
  message: 'The semantic rules are reordered.',
  pointer: ['semantics'],
};
