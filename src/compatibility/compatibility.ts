import { type DesiredContract, type LiveContract, managedFields } from '../contract/contract.ts';
import { type Problem, sortDiagnostics } from '../core/diagnostic.ts';
import { deepEqual, type JsonObject, type JsonValue } from '../core/json.ts';
import { alignByName, compareSchemas, itemsOf, type Named } from './schema.ts';
import {
  changedMembers,
  type ConsumerEffect,
  impactOf,
  memberChanged,
  type Mode,
  type RuleId,
} from './rule.ts';
import { compareServiceLevels } from './sla.ts';
import { knownWidenings, type Widening } from './type.ts';

export type Level = 'off' | 'warn' | 'error';

export type Compatibility = {
  readonly mode: Mode;
  /** By live status; `error` for any other. */
  readonly levels: ReadonlyMap<string, Level>;
  readonly widenings: readonly Widening[];
  /** What a breaking change is where downstream assets have an Active contract. */
  readonly downstream: 'block' | 'warn' | 'report' | 'off';
};

export const defaultCompatibility: Compatibility = {
  mode: 'forward',
  levels: new Map([
    ['Draft', 'off'],
    ['Active', 'error'],
    ['Deprecated', 'warn'],
  ]),
  widenings: knownWidenings,
  downstream: 'report',
};

export function judgeCompatibility(
  live: LiveContract,
  target: JsonObject,
  desired: DesiredContract,
  rules: Compatibility,
): Problem[] {
  if (rules.mode === 'none') return [];
  const level = rules.levels.get(live.entityStatus ?? '') ?? 'error';
  if (level === 'off') return [];
  const problems = compareContracts(live.document, target, rules.widenings).flatMap(
    ({ rule, message, pointer }): Problem[] => {
      const impact = impactOf(rule, rules.mode);
      if (impact === undefined) return [];
      const ofBreaking = level === 'error' ? 'error' : 'warning';
      const severity = impact === 'breaking' ? ofBreaking : impact;
      const hint = severity === 'error' && { hint: wayOut };
      const source = desired.locate(pointer);
      return [{ code: rule, severity, message, ...hint, source, impact }];
    },
  );
  return sortDiagnostics(problems);
}

const wayOut = 'Revert it, or agree it with consumers and add it to `allow` in contract-sync.yaml.';

/** Each change falls under one rule; the status is not compared. */
export function compareContracts(
  before: JsonObject,
  after: JsonObject,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  return managedFields
    .filter((field) => !deepEqual(before[field], after[field]))
    .flatMap((field) => compareField(field, before[field], after[field], widenings));
}

function compareField(
  field: (typeof managedFields)[number],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  const pointer = [field];
  const other = { rule: 'other-changed', message: `\`${field}\` changes.`, pointer } as const;
  switch (field) {
    case 'entityStatus':
      return []; // The lifecycle judges it.
    case 'description': {
      const message = 'The description of the contract changes.';
      return [{ rule: 'description-changed', message, pointer }];
    }
    case 'schema':
      return compareSchemas(before, after, widenings);
    case 'semantics':
      return compareSemantics(before, after);
    case 'sla':
      return compareServiceLevels(before, after);
    case 'owners': {
      const isEmptied = itemsOf(after).length === 0 && itemsOf(before).length > 0;
      const message = 'All owners are removed.';
      return [isEmptied ? { rule: 'owners-emptied', message, pointer } : other];
    }
    default:
      return [other];
  }
}

function compareSemantics(before: JsonValue | undefined, after: JsonValue | undefined) {
  const alignment = alignByName(itemsOf(before), itemsOf(after), isRenamed);
  const effects: ConsumerEffect[] = [];
  const tell = (rule: RuleId, message: string, ...way: readonly (number | string)[]): void => {
    effects.push({ rule, message, pointer: ['semantics', ...way.map(String)] });
  };
  for (const { name } of alignment.removed)
    tell('semantics-rule-removed', `Semantic rule "${name}" is removed.`);
  for (const { name, index } of alignment.added)
    tell('semantics-rule-added', `Semantic rule "${name}" is added.`, index);
  for (const { before: old, after: next } of alignment.renamed) {
    const message = `Semantic rule "${old.name}" is renamed to "${next.name}".`;
    tell('other-changed', message, next.index, 'name');
  }
  for (const { before: old, after: next } of alignment.kept)
    effects.push(...compareRules(old.members, next));
  if (alignment.isReordered) tell('order-changed', 'The semantic rules are reordered.');
  return effects;
}

function compareRules(old: JsonObject, { name, index, members: next }: Named): ConsumerEffect[] {
  const part = { label: `Semantic rule "${name}"`, pointer: ['semantics', String(index)] };
  const isOn = next['enabled'] !== false;
  return changedMembers(old, next).map((member) => {
    if (member === 'enabled' && isOn !== (old['enabled'] !== false)) {
      const rule = isOn ? 'semantics-rule-added' : 'semantics-rule-disabled';
      const message = `${part.label} is switched ${isOn ? 'on' : 'off'}.`;
      return { rule, message, pointer: [...part.pointer, 'enabled'] };
    }
    const change = memberChanged(member, part);
    return describing.has(member) ? change : { ...change, rule: 'semantics-rule-changed' };
  });
}

const describing: ReadonlySet<string> = new Set(['description', 'displayName', 'tags', 'enabled']);

// The same rule under another name.
function isRenamed(before: JsonObject, after: JsonObject): boolean {
  const { name: _old, ...old } = before;
  const { name: _new, ...next } = after;
  return Object.keys(old).length > 0 && deepEqual(old, next);
}
