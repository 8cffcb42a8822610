/** The entries of `allow`: what they lift, and which of them lift nothing any more. */

import { hasPlaces } from '../compatibility/rule.ts';
import { itemsOf } from '../compatibility/schema.ts';
import type { LiveContract } from '../contract/contract.ts';
import { namesInFiles } from '../contract/identity.ts';
import { splitSegments } from '../contract/names.ts';
import {
  type Diagnostic,
  hasErrors,
  type Problem,
  type SourcePosition,
} from '../core/diagnostic.ts';
import {
  defined,
  isArray,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { isFiled, type Pair } from './pair.ts';
import { type ContractPlan, contractProblems } from './plan.ts';
import { everyRule, type Exception, type Rules, rulesFor } from './rules.ts';

export function allowExceptions(
  problems: readonly Problem[],
  live: LiveContract,
  { exceptionsFor, names }: Rules,
): Problem[] {
  if (!hasErrors(problems)) return [...problems];
  const near = exceptionsFor(namesInFiles(live, names));
  const told = new Set<Exception>();
  return problems.flatMap((problem) => {
    const covering = near.filter((exception) => covers(exception, problem));
    if (problem.severity !== 'error' || covering.length === 0) return [problem];
    const valid = covering.find(({ expired }) => !expired);
    if (!valid) {
      const untold = covering.filter((exception) => !told.has(exception));
      for (const exception of untold) told.add(exception);
      return [problem, ...untold.map(ended)];
    }
    const { reason, until } = valid;
    const hint = `Allowed${until === undefined ? '' : ` until ${until}`}: ${reason}`;
    return [{ ...problem, severity: 'warning', hint, allowed: { reason, ...defined({ until }) } }];
  });
}

function covers({ rule, place }: Exception, problem: Problem): boolean {
  return rule === problem.code && (place === undefined || place === problem.place);
}

// The finding itself is the error: what lifts that needs no exception.
function ended(exception: Exception): Problem {
  const { until, source } = exception;
  const message = `The exception for ${subjectOf(exception)} ended on ${until}.`;
  const hint = 'Revert the change, or agree on a later day and set `until`.';
  return { code: 'exception-expired', severity: 'warning', message, hint, source };
}

function subjectOf({ rule, place, reason }: Exception): string {
  return `${rule}${place === undefined ? '' : ` of ${place}`} (${reason})`;
}

/**
 * Warns of an exception that allows more than one place, and of one that allows nothing any more:
 * its last day is over, or its place is gone. A place that is still there may be about to change.
 * `pairs` are empty unless they are all that the files and the catalog have.
 */
export function judgeExceptions(
  rules: Rules,
  pairs: readonly Pair[] = [],
  contracts: readonly ContractPlan[] = [],
): Diagnostic[] {
  // Each team repeats the entries of the shared part.
  const entries = new Map<string, Exception>();
  for (const { exceptions } of everyRule(rules))
    for (const exception of exceptions) entries.set(keyOf(exception.source), exception);
  if (entries.size === 0) return [];
  const gone = placesGone(pairs, rules);
  // A change that waits for an ended exception says so at its place.
  const said = new Set(
    contracts.flatMap(contractProblems).map(({ source }) => source && keyOf(source)),
  );
  const found: Diagnostic[] = [];
  for (const [key, exception] of entries) {
    const { rule, place, expired, until, isShared, source } = exception;
    const warn = (code: string, says: string, hint: string): void => {
      const message = `The exception for ${subjectOf(exception)} ${says}.`;
      found.push({ code, severity: 'warning', message, hint, source });
    };
    if (said.has(key)) continue;
    if (expired) {
      const hint = 'Remove it from `allow`, or agree on a later day and set `until`.';
      warn('exception-unused', `ended on ${until}: it allows nothing any more`, hint);
    } else if (!isShared && gone.has(key)) {
      const says = 'is used up: neither the file nor the catalog has that place any more';
      warn('exception-unused', says, 'Remove it from `allow`.');
    } else if (place === undefined && hasPlaces(rule)) {
      const example = rule === 'sla-worsened' ? 'sla.maxLatency' : 'schema.fax_number';
      const hint = `Name the place that was agreed on, such as \`place: ${example}\`.`;
      warn('exception-wide', 'has no `place`, so it allows this anywhere in the contract', hint);
    }
  }
  return found;
}

function keyOf(source: SourcePosition): string {
  return JSON.stringify(source);
}

/** Keys of the exceptions that match contracts, of which none may have the place. */
function placesGone(pairs: readonly Pair[], rules: Rules): ReadonlySet<string> {
  const gone = new Set<string>();
  const kept = new Set<string>();
  for (const pair of pairs) {
    const { exceptionsFor, names } = rulesFor(pair, rules);
    const identity = pair.live ?? pair.desired.identity;
    for (const exception of exceptionsFor(namesInFiles(identity, names)))
      (mayHavePlace(pair, exception) ? kept : gone).add(keyOf(exception.source));
  }
  return new Set([...gone].filter((key) => !kept.has(key)));
}

function mayHavePlace(pair: Pair, { rule, place }: Exception): boolean {
  // Of a contract without a file, the list keeps no columns.
  if (!isFiled(pair) || pair.live.tooDeep?.length || rule === 'transition-blocked') return true;
  const named = rule === 'contract-emptied' ? 'schema' : place;
  if (named === undefined) return true;
  return [pair.live.document, pair.desired.managed].some((document) => hasPlace(document, named));
}

function hasPlace(document: JsonObject, place: string): boolean {
  const [section = '', ...path] = splitSegments(place);
  let value = document[section];
  for (const name of path) {
    // A key of several columns.
    if (name.startsWith('{')) return true;
    if (section === 'schema') value = columnNamed(name, value);
    else value = isObject(value) ? value[name] : undefined;
  }
  return !isNothing(value) && !(isArray(value) && value.length === 0);
}

// The columns of a column are its `children`.
function columnNamed(name: string, parent: JsonValue | undefined): JsonObject | undefined {
  const columns = isArray(parent) ? parent : isObject(parent) ? itemsOf(parent['children']) : [];
  return columns.filter(isObject).find((column) => column['name'] === name);
}
