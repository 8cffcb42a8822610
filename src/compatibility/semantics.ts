import { deepEqual, isObject, type JsonValue } from '../core/json.ts';
import { alignByName, itemsOf, type NamedPair } from './align.ts';
import {
  changedMembers,
  type ConsumerEffect,
  memberChanged,
  type Part,
  type RuleId,
} from './rule.ts';

export function compareSemantics(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ConsumerEffect[] {
  const alignment = alignByName(itemsOf(before), itemsOf(after), isNamesake);
  return [
    ...alignment.removed.map(({ name }) =>
      effect('semantics-rule-removed', `Semantic rule "${name}" is removed.`),
    ),
    ...alignment.added.map(({ name, index }) =>
      effect('semantics-rule-added', `Semantic rule "${name}" is added.`, index),
    ),
    ...alignment.renamed.map(({ before: { name: old }, after: { name, index } }) =>
      effect('other-changed', `Semantic rule "${old}" is renamed to "${name}".`, index, 'name'),
    ),
    ...alignment.kept.flatMap(compareRules),
    ...(alignment.isReordered
      ? [effect('order-changed', 'The semantic rules are reordered.')]
      : []),
  ];
}

function effect(rule: RuleId, message: string, ...way: readonly (number | string)[]) {
  return { rule, message, pointer: ['semantics', ...way.map(String)] };
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
    if (member === 'enabled' && isOn !== (old['enabled'] !== false)) {
      const rule = isOn ? 'semantics-rule-added' : 'semantics-rule-disabled';
      const message = `${part.label} is switched ${isOn ? 'on' : 'off'}.`;
      return { rule, message, pointer: [...part.pointer, 'enabled'] };
    }
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
