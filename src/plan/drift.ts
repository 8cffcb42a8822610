/** Problems for edits of the catalog: the authors of files did not make them. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import type { Problem } from '../core/diagnostic.ts';
import { isEmpty } from '../core/json.ts';
import { count } from '../core/text.ts';
import type { Difference } from '../patch/difference.ts';
import { labelKeyPath } from '../patch/key-path.ts';
import { formatPointer, parsePointer } from '../patch/pointer.ts';
import { type Base, reasonFor, type ThreeWay } from './cause.ts';
import { judgeChange, type JudgedChange } from './judge.ts';
import { findTransition } from './lifecycle.ts';
import type { DriftedPlace, LeftDrift } from './plan.ts';
import type { Rules } from './rules.ts';

/** The edits that the plan leaves as they are, and who wrote the contract last. */
export function leftAlone(
  threeWay: ThreeWay | undefined,
  { document, updatedAt }: LiveContract,
  { drift: rule }: Pick<Rules, 'drift'>,
): { readonly drift?: LeftDrift } {
  if (!threeWay || rule === 'overwrite' || threeWay.drift.length === 0) return {};
  const updatedBy = document['updatedBy'];
  return {
    drift: {
      differences: threeWay.drift.map((difference) => withReason(difference, threeWay)),
      ...(typeof updatedBy === 'string' && { updatedBy }),
      ...(updatedAt !== undefined && { updatedAt }),
    },
  };
}

function withReason(difference: Difference, threeWay: ThreeWay): DriftedPlace {
  const reason = reasonFor(difference, threeWay);
  switch (reason?.kind) {
    case 'not-applied':
      return { ...difference, mergedIn: reason.commit };
    case 'unknown':
      return { ...difference, unknown: reason.why };
    case 'edited':
    case undefined:
      return difference;
  }
}

/** What the rules for drift and conflicts say; an error blocks this contract and no other. */
export function judgeCauses(
  threeWay: ThreeWay | undefined,
  desired: DesiredContract,
  { drift, conflicts }: Pick<Rules, 'drift' | 'conflicts'>,
): Problem[] {
  if (!threeWay) return [];
  return [
    ...(drift === 'block' ? driftBlocked(threeWay, desired) : []),
    ...threeWay.conflicts.map((place) => conflict(place, threeWay, desired, conflicts === 'block')),
  ];
}

/** Fields that the file managed at the base and no longer does: the catalog keeps them. */
export function noLongerManaged(
  { document }: LiveContract,
  { managed, source }: DesiredContract,
  base: Base | undefined,
): Problem[] {
  return Object.keys(base?.declared?.managed ?? {})
    .filter((field) => !Object.hasOwn(managed, field) && !isEmpty(document[field]))
    .map((field) => ({
      code: 'no-longer-managed',
      severity: 'information',
      message: `The file no longer manages \`${field}\`: the catalog keeps what it has.`,
      hint: `To remove it there, write \`${field}: null\`.`,
      source,
    }));
}

/** Whether a problem is one of `judgeCauses` that blocks. */
export function isOfCause({ code }: Problem): boolean {
  return code === 'drift-blocked' || code === 'conflict-blocked';
}

function driftBlocked(threeWay: ThreeWay, { source }: DesiredContract): Problem[] {
  const kinds = threeWay.drift.map((difference) => reasonFor(difference, threeWay)?.kind);
  const edited = kinds.filter((kind) => kind !== 'not-applied');
  if (edited.length === 0) return [];
  const places = count(edited.length, 'place', 'places');
  const verb = edited.every((kind) => kind === 'unknown') ? 'may have been' : 'was';
  return [
    {
      code: 'drift-blocked',
      severity: 'error',
      message: `This contract ${verb} edited in the catalog (${places}): \`drift: block\` stops its changes.`,
      hint: 'Bring the edit into the file, or apply with --drift overwrite to undo it.',
      source,
    },
  ];
}

function conflict(
  place: string,
  { apart }: ThreeWay,
  desired: DesiredContract,
  blocks: boolean,
): Problem {
  const pointer = parsePointer(place) ?? [];
  const label = pointer.length === 0 ? 'the contract' : `\`${labelKeyPath(pointer)}\``;
  const [unknown] = apart
    .filter(({ path }) => formatPointer(path) === place)
    .flatMap(({ reason }) => (reason.kind === 'unknown' ? [reason.why] : []));
  return {
    code: blocks ? 'conflict-blocked' : 'conflict',
    severity: blocks ? 'error' : 'warning',
    message:
      unknown === undefined
        ? `Both the file and the catalog changed ${label}.`
        : `The file changed ${label}, and the catalog may have too: ${unknown}.`,
    hint: blocks
      ? 'Bring the edit into the file, or apply with --conflicts overwrite.'
      : 'The file overwrites the edit. If that is wrong, bring the edit into the file.',
    source: desired.locate(pointer.slice(0, 1)),
  };
}

/** What the rules say against a change; what the author of the file has not asked for is drift. */
export function judgeSides(
  change: JudgedChange,
  threeWay: ThreeWay | undefined,
  rules: Rules,
): Problem[] {
  const all = judgeChange(change, rules);
  if (!threeWay || rules.drift !== 'overwrite' || threeWay.drift.length === 0) return all;
  const { live } = change;
  const target = threeWay.asked;
  const transition = findTransition(live.document, target);
  const asked = new Set(judgeChange({ ...change, target, transition }, rules).map(textOf));
  return all.map((problem) => (asked.has(textOf(problem)) ? problem : toDrift(problem)));
}

function textOf({ code, message }: Problem): string {
  return `${code} ${message}`;
}

function toDrift(problem: Problem): Problem {
  return {
    ...problem,
    // The author of the file removed nothing: the file never had it.
    message: problem.message.replace(/ is removed\.$/u, ' was added in the catalog.'),
    isDrift: true,
    hint: 'This undoes an edit in the catalog. To keep the edit, bring it into the file, or apply with --drift leave.',
  };
}
