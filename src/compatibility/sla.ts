import { isNothing, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { changedMembers, type ConsumerEffect } from './rule.ts';

const promises: ReadonlyMap<string, 'less' | 'more'> = new Map([
  ['refreshFrequency', 'less'],
  ['maxLatency', 'less'],
  ['latency', 'less'],
  ['availabilityTime', 'less'],
  ['retention', 'more'],
  ['availability', 'more'],
]);

export function compareServiceLevels(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ConsumerEffect[] {
  const old = isObject(before) ? before : {};
  if (Object.keys(old).length > 0 && !isObject(after)) {
    return [{ rule: 'sla-worsened', message: 'The SLA section is removed.', pointer: ['sla'] }];
  }
  const next = isObject(after) ? after : {};
  const changed = changedMembers(old, next);
  const shift = changed.includes('timezone') && timeShifted(old, next);
  if (!shift) return changed.map((member) => promiseChanged(member, old, next));
  return changed
    .filter((member) => member !== 'availabilityTime')
    .map((member) => (member === 'timezone' ? shift : promiseChanged(member, old, next)));
}

function timeShifted(old: JsonObject, next: JsonObject): ConsumerEffect | undefined {
  const before = spellTime(old);
  const after = spellTime(next);
  if (before === undefined || after === undefined) return undefined;
  const from = minutesInUtc(old);
  const to = minutesInUtc(next);
  const pointer = ['sla', 'timezone'];
  if (from === undefined || to === undefined)
    return {
      rule: 'sla-worsened',
      message: incomparable('availabilityTime', before, after),
      pointer,
    };
  const change = `from ${before} to ${after}`;
  return to > from
    ? { rule: 'sla-worsened', message: `\`availabilityTime\` gets worse: ${change}.`, pointer }
    : { rule: 'other-changed', message: `\`availabilityTime\` moves ${change}.`, pointer };
}

function incomparable(member: string, before: string, after: string): string {
  return `Can't compare \`${member}\` ${before} with ${after}, so it counts as worse.`;
}

function spellTime({ availabilityTime, timezone }: JsonObject): string | undefined {
  if (availabilityTime === undefined || availabilityTime === null) return undefined;
  return `${spell(availabilityTime)} ${isNothing(timezone) ? '(no time zone)' : spell(timezone)}`;
}

// `08:30` with `GMT-08:00 (America/Los Angeles)` is 990; without a time zone it is UTC.
function minutesInUtc({ availabilityTime, timezone }: JsonObject): number | undefined {
  const time = measure(availabilityTime);
  const zone = isNothing(timezone) ? 'UTC' : timezone;
  if (time?.unit !== 'time' || typeof zone !== 'string') return undefined;
  const [, sign, hours, minutes] = /^(?:UTC|GMT)?([+-])(\d{2}):(\d{2})\b/u.exec(zone) ?? [];
  if (sign === undefined) return /^(?:UTC|GMT|Z)$/u.test(zone) ? time.amount : undefined;
  return time.amount - Number(`${sign}1`) * (60 * Number(hours) + Number(minutes));
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

function spell(value: JsonValue | undefined): string {
  if (!isObject(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const parts = Object.entries(value).map(([member, part]) => {
    if (member !== 'unit' || typeof part !== 'string') return part;
    const isMany = amountOf(value) !== 1 && secondsIn.has(part.toLowerCase());
    return isMany ? `${part}${part === part.toLowerCase() ? 's' : 'S'}` : part;
  });
  return parts.every((part) => typeof part !== 'object') ? parts.join(' ') : JSON.stringify(value);
}
