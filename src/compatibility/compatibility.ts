import {
  type DesiredContract,
  type LiveContract,
  managedFields,
  type Slip,
} from '../contract/contract.ts';
import { type Problem, sortDiagnostics } from '../core/diagnostic.ts';
import { deepEqual, isNothing, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';
import { alignByName, compareSchemas, itemsOf, type Named } from './schema.ts';
import {
  changedMembers,
  type ConsumerEffect,
  impactOf,
  memberChanged,
  type Mode,
  hasPlaces,
  placeOfEffect,
  type RuleId,
} from './rule.ts';
import { knownWidenings, type Widening } from './type.ts';

export type Level = 'off' | 'warn' | 'error';

export type Compatibility = {
  readonly mode: Mode;
  /** By live status; `error` for any other. */
  readonly levels: ReadonlyMap<string, Level>;
  readonly widenings: readonly Widening[];
  /** Milliseconds in which a change may take back the last version; 0: never. */
  readonly revert: number;
  /** The verdict on a breaking change if a downstream asset has an Active contract. */
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
  revert: 24 * 60 * 60 * 1000,
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
    (effect): Problem[] => {
      const { rule, message, pointer } = effect;
      const impact = impactOf(rule, rules.mode);
      if (impact === undefined) return [];
      const slip = desired.slips?.find((each) => isAbout(each, pointer));
      const ofBreaking = level === 'error' ? 'error' : 'warning';
      const severity = impact === 'breaking' ? ofBreaking : impact;
      // The cause, and not its effect, which nobody wants to be allowed.
      if (slip && impact !== 'breaking') return [];
      if (slip && severity === 'error') {
        const { pointer: _pointer, meant: _meant, ...problem } = slip;
        return [{ ...problem, severity, scope: 'contract' }];
      }
      const hint = severity === 'error' && { hint: wayOut };
      const source = desired.locate(pointer);
      const place = impact === 'breaking' && hasPlaces(rule) && { place: placeOfEffect(effect) };
      return [{ code: rule, severity, message, ...hint, source, impact, ...place }];
    },
  );
  return sortDiagnostics(problems);
}

function isAbout({ pointer }: Slip, place: Pointer): boolean {
  // A promise is compared as a whole.
  const part = pointer[0] === 'sla' ? pointer.slice(0, 2) : pointer;
  return part.every((name, at) => place[at] === name);
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

const promises: ReadonlyMap<string, 'less' | 'more'> = new Map([
  ['refreshFrequency', 'less'],
  ['maxLatency', 'less'],
  ['latency', 'less'],
  ['availabilityTime', 'less'],
  ['retention', 'more'],
  ['availability', 'more'],
]);

function compareServiceLevels(
  live: JsonValue | undefined,
  target: JsonValue | undefined,
): ConsumerEffect[] {
  const old = isObject(live) ? live : {};
  if (Object.keys(old).length > 0 && !isObject(target)) {
    return [{ rule: 'sla-worsened', message: 'The SLA section is removed.', pointer: ['sla'] }];
  }
  const next = isObject(target) ? target : {};
  const changed = changedMembers(old, next);
  const before = spellTime(old);
  const after = spellTime(next);
  const isMoved = zoneOf(old) !== zoneOf(next) && before !== undefined && after !== undefined;
  if (!isMoved) return changed.map((member) => promiseChanged(member, old, next));
  const message = incomparable('availabilityTime', before, after);
  return [
    { rule: 'sla-worsened', message, pointer: ['sla', 'timezone'] },
    ...changed
      .filter((member) => member !== 'availabilityTime' && member !== 'timezone')
      .map((member) => promiseChanged(member, old, next)),
  ];
}

// A time without a zone is in UTC.
function zoneOf({ timezone }: JsonObject): string {
  return isNothing(timezone) ? 'UTC' : spell(timezone);
}

function incomparable(member: string, before: string, after: string): string {
  return `Can't compare \`${member}\` ${before} with ${after}, so it counts as worse.`;
}

function spellTime({ availabilityTime, timezone }: JsonObject): string | undefined {
  if (availabilityTime === undefined || availabilityTime === null) return undefined;
  return `${spell(availabilityTime)} ${isNothing(timezone) ? '(no time zone)' : spell(timezone)}`;
}

function promiseChanged(member: string, old: JsonObject, next: JsonObject): ConsumerEffect {
  const pointer = ['sla', member];
  const better = promises.get(member);
  const loss = better && describeLoss(member, old[member], next[member], better);
  return loss === undefined
    ? { rule: 'other-changed', message: `The SLA changes its \`${member}\`.`, pointer }
    : { rule: 'sla-worsened', message: loss, pointer };
}

function describeLoss(
  member: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  better: 'less' | 'more',
): string | undefined {
  if (isNothing(after))
    return isNothing(before) ? undefined : `\`${member}\` is no longer promised.`;
  const was = measure(before);
  const is = measure(after);
  if (!was) return undefined;
  if (was.unit !== is?.unit)
    return known.has(was.unit) ? incomparable(member, spell(before), spell(after)) : undefined;
  const isWorse = better === 'less' ? is.amount > was.amount : is.amount < was.amount;
  return isWorse
    ? `\`${member}\` gets worse: from ${spell(before)} to ${spell(after)}.`
    : undefined;
}

type Measure = { readonly amount: number; readonly unit: string };

// An amount of these, followed by one of another or an unknown unit, is a promise that is lost.
const known: ReadonlySet<string> = new Set(['second', 'time', 'percent']);

// The interface fixes no shape: `{ interval: 1, unit: day }`, a number, `99.9%` and `08:30` occur.
function measure(value: JsonValue | undefined): Measure | undefined {
  if (typeof value === 'number') return { amount: value, unit: '' };
  if (typeof value === 'string') return measureText(value);
  if (!isObject(value)) return undefined;
  const amount = amountOf(value);
  const unit = typeof value['unit'] === 'string' ? value['unit'].toLowerCase() : '';
  const seconds = secondsIn.get(unit.replace(/s$/u, ''));
  if (amount === undefined) return undefined;
  return seconds === undefined ? { amount, unit } : { amount: amount * seconds, unit: 'second' };
}

function amountOf(promise: JsonObject): number | undefined {
  return ['interval', 'value', 'period']
    .map((name) => promise[name])
    .find((each) => typeof each === 'number');
}

function measureText(text: string): Measure | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/u.exec(text) ?? [];
  if (hours !== undefined) return { amount: 60 * Number(hours) + Number(minutes), unit: 'time' };
  const [, percent] = /^(\d+(?:\.\d+)?)\s*%$/u.exec(text) ?? [];
  return percent === undefined ? undefined : { amount: Number(percent), unit: 'percent' };
}

const day = 86_400;

// A month is a twelfth of a year of 365 days.
const secondsIn: ReadonlyMap<string, number> = new Map([
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
  ['day', day],
  ['week', 7 * day],
  ['month', (365 / 12) * day],
  ['year', 365 * day],
]);

// `7 years`, in whatever order the catalog has them.
function spell(value: JsonValue | undefined): string {
  if (!isObject(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const { unit, ...others } = value;
  const parts = Object.values(others);
  if (typeof unit === 'string') {
    const isMany = amountOf(value) !== 1 && secondsIn.has(unit.toLowerCase());
    const plural = unit === unit.toLowerCase() ? 's' : 'S';
    parts.push(isMany ? unit + plural : unit);
  }
  const isPlain = parts.every((part) => typeof part !== 'object');
  return isPlain ? parts.join(' ') : JSON.stringify(value);
}
