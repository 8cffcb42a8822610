import type { JsonObject, JsonValue } from '../../../src/core/json.ts';
import type { Random } from './random.ts';

/** Texts in one line of code, between broken bars. */
function list(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split('¦'));
}

const words = list('orders¦amount¦customer id¦One row per order.¦ISO-4217¦v1.2.3¦ünï 😀');

/** What YAML 1.1 or 1.2 reads otherwise than as text, what needs quotes, what needs escapes. */
const awkward = list(
  'no¦on¦Yes¦~¦null¦true¦¦ padded ¦1e3¦0x1F¦0o17¦017¦1_000¦12:30:45¦2024-01-01',
  '2024-01-01T10:00:00Z¦<<¦=¦- dash¦? what¦a: b¦key:¦x #y¦# hash¦"quoted"¦back\\slash',
  '{brace}¦[bracket]¦a, b¦*star¦&and¦!bang¦%percent¦@at¦`tick`¦|¦>¦tab\there¦---¦...',
  '\u0007bell¦\u2028¦\ufeff¦nbsp\u00a0x¦https://example.com/a?b=c#d¦\r¦e\u0301¦{">": [{"a": 0}]}',
  "it's",
);

const sentence = 'A long sentence that a folded scalar would break, since it is wider than most.';
const texts = list(
  'one\ntwo\n¦one\ntwo¦one\n\ntwo\n¦trailing\n\n\n¦ indented\nfirst\n¦\nleading',
  'last\n  indented\n¦one line\n¦a # b\nc: d\n¦tab\n\tline\n¦\n¦ \n¦ends with space \nnext\n',
  `${sentence}\nAnd more.\n¦${sentence} ${sentence}`,
);

const keys = list(
  'name¦type¦description¦owner¦tags¦columns¦rule¦sla¦unit¦value¦order id¦physicalType',
);
const awkwardKeys = list("on¦y¦a/b¦m~n¦x-ref¦null¦1¦key: odd¦¦it's¦#no¦ünï¦<<");

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

export function randomKey(random: Random): string {
  return random.pick(random.chance(0.9) ? keys : awkwardKeys);
}

export function randomValue(random: Random, depth = 2): JsonValue {
  const kind = depth === 0 ? 9 : random.below(10);
  if (kind < 2) return random.list(random.below(4), () => randomValue(random, depth - 1));
  if (kind < 5) return randomObject(random, random.below(4), depth - 1);
  return randomScalar(random);
}

export function randomObject(random: Random, most: number, depth: number): JsonObject {
  return Object.fromEntries(
    random.list(most, () => [randomKey(random), randomValue(random, depth)] as const),
  );
}
