import type { JsonObject, JsonValue } from '../../../src/core/json.ts';
import type { Random } from './random.ts';

const words = ['orders', 'amount', 'customer id', 'One row per order.', 'ISO-4217', 'v1.2.3', 'ünï 😀'];
const awkward = [
  'no', 'on', 'Yes', '~', 'null', 'true', '', ' padded ', '1e3', '0x1F', '0o17', '017', '1_000', '12:30:45',
  '2024-01-01', '2024-01-01T10:00:00Z', '<<', '=', '- dash', '? what', 'a: b', 'key:', 'x #y', '# hash',
  "it's", '"quoted"', 'back\\slash', '{brace}', '[bracket]', 'a, b', '*star', '&and', '!bang', '%percent',
  '@at', '`tick`', '|', '>', 'tab\there', '---', '...', '\u0007bell', '\u2028', '\ufeff', 'nbsp\u00a0x',
  'https://example.com/a?b=c#d', "{\">\": [{\"var\": \"amount\"}, 0]}", 'C:\\temp', '\r', 'é\u0301',
];
const texts = [
  'one\ntwo\n', 'one\ntwo', 'one\n\ntwo\n', 'trailing\n\n\n', ' indented\nfirst\n', 'last\n  indented\n',
  '\nleading', 'one line\n', 'a # b\nc: d\n', 'tab\n\tline\n', '\n', ' \n', 'ends with space \nnext\n',
  'A long sentence that a folded scalar would break over several lines, since it is wider than most.\nAnd more.\n',
];

export function randomText(random: Random): string {
  const kind = random.below(10);
  if (kind < 6) return random.pick(words) + (random.chance(0.3) ? ` ${random.below(100)}` : '');
  return random.pick(kind < 9 ? awkward : texts);
}

export function randomScalar(random: Random): JsonValue {
  const kind = random.below(10);
  if (kind < 6) return randomText(random);
  if (kind === 6) return random.pick([0, -1, 42, 3.5, 1e21, 1e-7, -0.25, 2 ** 53, 1e300]);
  if (kind === 7) return random.below(1000);
  return kind === 8 ? random.chance(0.5) : null;
}

const keys = [
  'name', 'type', 'description', 'owner', 'tags', 'columns', 'rule', 'sla', 'unit', 'value', 'order id',
  'physicalType', 'on', 'y', 'a/b', 'm~n', 'x-ref', 'null', '1', 'key: odd', '', "it's", '#no', 'ünï',
];

export function randomKey(random: Random): string {
  return random.pick(random.chance(0.85) ? keys.slice(0, 12) : keys);
}

export function randomValue(random: Random, depth = 2): JsonValue {
  const kind = depth === 0 ? 9 : random.below(10);
  if (kind < 2) return Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
  if (kind < 5) return randomObject(random, depth - 1);
  return randomScalar(random);
}

export function randomObject(random: Random, depth: number, least = 0): JsonObject {
  const members = Array.from({ length: least + random.below(4) }, () => [
    randomKey(random),
    randomValue(random, depth),
  ]);
  return Object.fromEntries(members) as JsonObject;
}
