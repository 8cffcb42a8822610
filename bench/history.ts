/** How long a history takes to be told: its texts parsed, its versions compared, places blamed. */

import { defaultRules } from '../src/plan/rules.ts';
import { blamePlace } from '../src/history/place.ts';
import { parseVersions } from '../src/history/version.ts';
import { keyPathOf } from '../src/patch/identity.ts';
import type { JsonObject } from '../src/core/json.ts';
import { contract, type Contract } from './contracts.ts';
import { type ContractEdit, edits } from './edits.ts';
import { seededRandom } from './random.ts';
import type { Limit } from './limit.ts';
import { compareTimes } from './timing.ts';

const versionCount = 500;
const columns = 46;
const rounds = 9;
const day = 86_400_000;

export function run(): readonly Limit[] {
  const limits: Limit[] = [];
  console.log('| history | its texts | parsed | told | 92 places blamed |');
  console.log('|---|---|---|---|---|');
  for (const name of ['edit one', 'status and description', 'mixed edits'] as const) {
    const { row, told } = measure(name, edits[name]);
    console.log(row);
    // No history of people changes a third of the columns in every version.
    if (name !== 'mixed edits')
      limits.push({ figure: `a history told (${name}), ms`, value: told, limit: 100 });
  }
  return limits;
}

function measure(name: string, edit: ContractEdit) {
  const texts = historyOf(edit);
  const kilobytes = Math.round(texts.join('').length / texts.length / 1000);
  const versions = parseVersions(texts.map(parse), defaultRules);
  const places = placesOf(versions[0]?.document ?? {});
  const times = compareTimes(
    [
      () => texts.map(parse),
      () => parseVersions(texts.map(parse), defaultRules),
      () => places.map((path) => blamePlace(versions, { path, of: 'value' }, defaultRules.arrays)),
    ],
    [undefined],
    rounds,
  );
  const cells = times.map((microseconds) => `${(microseconds / 1000).toFixed(1)} ms`);
  const row = `| ${name} | ${texts.length} × ${kilobytes} kB | ${cells.join(' | ')} |`;
  return { row, told: (times[1] ?? Infinity) / 1000 };
}

/** Newest first, as a catalog sends them. */
function historyOf(edit: ContractEdit): readonly string[] {
  const random = seededRandom(1);
  const states: Contract[] = [contract(columns, random)];
  for (let number = 2; number <= versionCount; number += 1) {
    const current = states.at(-1) ?? contract(columns, random);
    const versionOf = { version: number / 10, updatedAt: number * day, updatedBy: 'ada' };
    states.push({ ...edit(current, random), ...versionOf });
  }
  return states.toReversed().map((state) => JSON.stringify(state));
}

function parse(text: string): JsonObject {
  return JSON.parse(text);
}

/** Two of each column. */
function placesOf(document: JsonObject) {
  return Array.from({ length: columns }, (_, index) =>
    ['dataType', 'description'].map((member) =>
      keyPathOf(['schema', String(index), member], document, defaultRules.arrays),
    ),
  ).flat();
}
