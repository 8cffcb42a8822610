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
  const [before, after] = [old, next].map(spellTime);
  if (before === undefined || after === undefined) return undefined;
  const [from, to] = [old, next].map(minutesInUtc);
  const pointer = ['sla', 'timezone'];
  const change = `from ${before} to ${after}`;
  if (from === undefined || to === undefined) {
    const message = `\`availabilityTime\` moves ${change}: which of them is later isn't known.`;
    return { rule: 'sla-worsened', message, pointer };
  }
  return to > from
    ? { rule: 'sla-worsened', message: `\`availabilityTime\` gets worse: ${change}.`, pointer }
    : { rule: 'other-changed', message: `\`availabilityTime\` moves ${change}.`, pointer };
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
  const loss = better && lossOf(old[member], next[member], better);
  return loss
    ? { rule: 'sla-worsened', message: `\`${member}\` ${loss}.`, pointer }
    : { rule: 'other-changed', message: `The SLA changes its \`${member}\`.`, pointer };
}

function lossOf(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  better: 'less' | 'more',
): string | undefined {
  if (isNothing(after)) return isNothing(before) ? undefined : 'is no longer promised';
  const [was, is] = [measure(before), measure(after)];
  if (!was) return undefined;
  const change = `from ${spell(before)} to ${spell(after)}`;
  if (was.unit !== is?.unit) {
    const isLost = known.has(was.unit);
    return isLost ? `changes ${change}: which of them is better isn't known` : undefined;
  }
  const isWorse = better === 'less' ? is.amount > was.amount : is.amount < was.amount;
  return isWorse ? `gets worse: ${change}` : undefined;
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
