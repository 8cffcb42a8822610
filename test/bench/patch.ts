import { isDeepStrictEqual } from 'node:util';
import fastDeepEqual from 'fast-deep-equal';
import { deepEqual } from '../../src/core/json.ts';
import { diff } from '../../src/patch/diff.ts';
import { contract, type Contract } from './contracts.ts';
import { applyEdit, type ContractEdit, edits, parsed } from './edits.ts';
import { correctPatch, type Generator, generators } from './generators.ts';
import type { Limit } from './limit.ts';
import { seededRandom } from './random.ts';
import { compareTimes } from './timing.ts';

type Pair = readonly [live: Contract, desired: Contract];

/** Large contracts take the other generators long. */
const sizes = [
  { columns: 5, pairs: 40, rounds: 15 },
  { columns: 50, pairs: 20, rounds: 9 },
  { columns: 500, pairs: 2, rounds: 1 },
];

/** Prints how large and how fast the patches of four generators are, then three limits of ours. */
export function run(): readonly Limit[] {
  const names = Object.keys(generators);
  console.log(`| columns | edit | equality | ${names.join(' | ')} |`);
  console.log(`|---|---|---|${names.map(() => '---|').join('')}`);
  for (const { columns, pairs, rounds } of sizes) {
    for (const [name, edit] of Object.entries(edits)) {
      const cells = compareGenerators(makePairs(edit, columns, pairs), rounds);
      console.log(`| ${columns} | ${name} | ${cells.join(' | ')} |`);
    }
  }
  const [common = 0, node = 0] = mostlyEqual();
  const limits = [
    { figure: 'mostly equal pairs, against `fast-deep-equal`', value: common, limit: 1.3 },
    { figure: '500 columns shuffled, ms', value: shuffled(500, 0), limit: 5 },
    {
      figure: '2,000 columns shuffled, 100 exchanged, ms',
      value: shuffled(2000, 100),
      limit: 1000,
    },
  ];
  console.log(
    `\n60,000 pairs of 50 columns, 80 % equal, take ${common.toFixed(2)} of a deep-equal walk by \`fast-deep-equal\`, ${node.toFixed(2)} of Node's \`isDeepStrictEqual\`.`,
  );
  for (const { figure, value, limit } of limits.slice(1))
    console.log(`${figure}: ${value.toFixed(1)} (limit ${limit})`);
  return limits;
}

function makePairs(edit: ContractEdit, columns: number, count: number): Pair[] {
  return Array.from({ length: count }, (_, seed) => {
    const random = seededRandom(seed + 1);
    const live = parsed(contract(columns, random));
    return [live, applyEdit(edit, live, random)];
  });
}

/** What a mere comparison takes, then a cell for each generator. */
function compareGenerators(pairs: readonly Pair[], rounds: number): string[] {
  const sums = Object.values(generators).map((generate) => sizeOf(generate, pairs));
  const correct = Object.values(generators).filter((_, index) => sums[index]);
  const run = [deepEqual, ...correct].map(
    (each) =>
      ([live, desired]: Pair) =>
        each(live, desired),
  );
  const [equality = 0, ...times] = compareTimes(run, pairs, rounds);
  const cells = sums.map((size) =>
    size ? `${size} / ${microseconds(times.shift() ?? 0)}` : 'wrong',
  );
  return [microseconds(equality), ...cells];
}

/** Operations and bytes of the mean patch; undefined where one of them is wrong. */
function sizeOf(generate: Generator, pairs: readonly Pair[]): string | undefined {
  const patches = pairs.map(([live, desired]) => correctPatch(generate, live, desired));
  const sizes = patches.map((patch) => patch && JSON.stringify(patch).length);
  if (patches.includes(undefined)) return undefined;
  return `${mean(patches.map((patch) => patch?.length))} / ${mean(sizes)}`;
}

function mean(numbers: readonly (number | undefined)[]): string {
  const sum = numbers.reduce<number>((total, each) => total + (each ?? 0), 0);
  return String(Math.round((sum / numbers.length) * 10) / 10);
}

function microseconds(time: number): string {
  return time < 10_000 ? `${Math.round(time)} µs` : `${(time / 1000).toFixed(1)} ms`;
}

/** Of the pairs that differ, each edit makes as many as the others, shuffles included. */
function mostlyEqual(): readonly number[] {
  const { nothing, ...changes } = edits;
  const pairs = Object.values(changes).flatMap((change) =>
    [nothing, nothing, nothing, nothing, change].flatMap((edit) => makePairs(edit, 50, 10)),
  );
  const functions = [fastDeepEqual, isDeepStrictEqual, diff].map(onPair);
  const [common = 0, node = 0, own = 0] = compareTimes(functions, pairs, 60_000 / pairs.length);
  return [own / common, own / node];
}

/** So many columns leave and as many come, and all change places. */
function shuffled(columns: number, exchanged: number): number {
  const random = seededRandom(columns);
  const live = contract(columns, random);
  const added = contract(exchanged, random).schema.map((each) => ({
    ...each,
    name: `new ${each.name}`,
  }));
  const schema = random.shuffle([...live.schema.slice(exchanged), ...added]);
  const pair = [parsed(live), parsed({ ...live, schema })] as const;
  const [time = 0] = compareTimes([onPair(diff)], [pair], 15);
  return time / 1000;
}

type Compare = (live: Contract, desired: Contract) => unknown;

function onPair(compare: Compare): (pair: Pair) => unknown {
  return ([live, desired]) => compare(live, desired);
}
