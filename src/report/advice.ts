/** The entries of `allow` that would let through what breaks consumers. */

import {
  canonicalSegments,
  matchesSegments,
  splitSegments,
  writeSegments,
} from '../contract/names.ts';
import { count } from '../core/text.ts';
import { contractProblems, type Plan } from '../plan/plan.ts';
import type { Block } from './blocks.ts';
import { fewestAlike } from './problems.ts';

type Blocked = {
  readonly name: string;
  readonly rule: string;
  readonly place?: string | undefined;
};

export function exceptionsFor({ contracts, rollback }: Plan): Block[] {
  // A rollback is allowed by its reason.
  if (rollback) return [];
  const names: string[] = [];
  const blocked: Blocked[] = [];
  for (const contract of contracts) {
    const { fullyQualifiedName: name } = contract;
    if (name === undefined) continue;
    names.push(name);
    for (const { severity, impact, code: rule, place } of contractProblems(contract))
      if (severity === 'error' && impact === 'breaking') blocked.push({ name, rule, place });
  }
  if (blocked.length === 0) return [];
  const alike = Map.groupBy(blocked, ({ rule, place }) => JSON.stringify([rule, place]));
  const entries = [...alike.values()].flatMap((same) => {
    const own = [...new Set(same.map(({ name }) => name))];
    const { rule = '', place } = same[0] ?? {};
    if (own.length < fewestAlike) return own.map((name) => entryOf({ name, rule, place }));
    const pattern = patternOf(own);
    const segments = canonicalSegments(pattern);
    const matched = names.filter((name) => matchesSegments(segments, canonicalSegments(name)));
    const others = matched.length - own.length;
    const more = others > 0 ? ` # and ${count(others, 'other contract', 'other contracts')}` : '';
    return [entryOf({ name: pattern, rule, place }) + more];
  });
  const lead =
    'To allow what breaks consumers, once they agree, add to contract-sync.yaml with a reason and a last day:';
  return [{ kind: 'command', lead, command: ['allow:', ...entries].join('\n'), language: 'yaml' }];
}

function entryOf({ name, rule, place }: Blocked): string {
  const named = place === undefined ? '' : `, place: ${spell(place)}`;
  return `  - { contract: ${spell(name)}, rule: ${rule}${named}, reason: "…", until: YYYY-MM-DD }`;
}

function spell(name: string): string {
  return /^[\w.-]+$/u.test(name) ? name : JSON.stringify(name);
}

/** The narrowest that covers the names: `warehouse.sales.table_*`. */
function patternOf(names: readonly string[]): string {
  const all = names.map(splitSegments);
  const fewest = Math.min(...all.map(({ length }) => length));
  const isEven = all.every(({ length }) => length === fewest);
  const pattern: string[] = [];
  for (let depth = 0; depth < fewest; depth += 1) {
    const start = commonStart(all.map((segments) => segments[depth] ?? ''));
    const isWhole = all.every((segments) => segments[depth] === start);
    // Names that end at other depths have nothing more in common behind the first difference.
    if (!isWhole && !isEven) break;
    pattern.push(isWhole ? start : `${start}*`);
  }
  return writeSegments(isEven ? pattern : [...pattern, '**']);
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const text of others) while (!text.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
