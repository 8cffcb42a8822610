/** The content that a file asks for, beside its live contract, and its problems. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { completeReferences } from '../contract/equality.ts';
import {
  describeReference,
  lookedUpBy,
  parseReference,
  peopleFields,
  peopleIn,
  type PersonReference,
} from '../contract/identity.ts';
import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import {
  compareCodeUnits,
  deepEqual,
  isArray,
  isNothing,
  isObject,
  type JsonValue,
} from '../core/json.ts';
import { didYouMean, quote } from '../core/text.ts';
import { type Facts, notAnOwner, type People } from './facts.ts';
import type { UnchangedPlan, UpdatePlan } from './plan.ts';

type Content = { readonly desired: DesiredContract; readonly problems: readonly Problem[] };

export function contentFor(live: LiveContract, file: DesiredContract, facts: Facts): Content {
  // Values that an ODCS file omits, or states in coarser words, stay as the catalog has them.
  const refined = file.refine?.(live) ?? file;
  const { desired, problems } = resolveReferences(refined, live, facts);
  return { desired, problems: [...problems, ...unknownProperties(desired, live, facts)] };
}

// Replaces each reference by its id, type and name: the catalog may not store any other form.
function resolveReferences(
  desired: DesiredContract,
  { document }: LiveContract,
  { people }: Facts,
): Content {
  const fields = peopleFields.filter((field) => isArray(desired.managed[field]));
  if (!people || fields.length === 0) return { desired, problems: [] };
  const resolve = (item: JsonValue): JsonValue => {
    const reference = parseReference(item);
    const lookup = reference && people.lookups(reference);
    return lookup?.kind === 'found'
      ? { id: lookup.id, type: reference?.type ?? '', name: lookup.name }
      : item;
  };
  const resolved = fields.map((field) => {
    const items = peopleIn(desired.managed, field).map(resolve);
    const isFirst = (item: JsonValue, index: number): boolean =>
      items.findIndex((other) => deepEqual(item, other)) === index;
    return [field, items.filter(isFirst)] as const;
  });
  const unknown = fields.flatMap((field) =>
    unknownReferences(desired, field, document[field] ?? null, people),
  );
  return {
    desired: { ...desired, managed: { ...desired.managed, ...Object.fromEntries(resolved) } },
    problems: [...unknown, ...notOwning(desired, people)],
  };
}

// One of them has the catalog refuse every later change too.
function notOwning({ managed, locate }: DesiredContract, { lookups, owningTeams }: People) {
  return peopleIn(managed, 'owners').flatMap((item, index) => {
    const reference = parseReference(item);
    const found = reference && lookups(reference);
    const teamType = found?.kind === 'found' ? found.teamType : undefined;
    return notAnOwner(teamType, owningTeams, locate(['owners', String(index)]));
  });
}

function unknownProperties(
  { managed, locate }: DesiredContract,
  { document }: LiveContract,
  { properties }: Facts,
): Problem[] {
  const { extension: wanted } = managed;
  const { extension: live } = document;
  if (!properties || !isObject(wanted)) return [];
  const known = isObject(live) ? live : {};
  return Object.entries(wanted).flatMap(([name, value]) => {
    const isKnown = properties.includes(name) || isNothing(value) || deepEqual(value, known[name]);
    if (isKnown) return [];
    const message = `The catalog has no custom property ${quote(name)} for contracts.`;
    const hint = didYouMean(name, properties) ?? 'Define it in the catalog first.';
    const source = locate(['extension', name]);
    return [{ code: 'unknown-key', severity: 'error', message, hint, source }];
  });
}

function unknownReferences(
  { managed, locate }: DesiredContract,
  field: string,
  live: JsonValue,
  people: People,
): Problem[] {
  const items = peopleIn(managed, field);
  const completed = completeReferences(live, items);
  return items.flatMap((item, index) => {
    const reference = parseReference(item);
    const isLive = isArray(completed) && completed[index] !== item;
    if (!reference || isLive) return [];
    return problemOf(reference, people, locate([field, String(index)]));
  });
}

function problemOf(
  reference: PersonReference,
  { lookups, names }: People,
  source: SourcePosition,
): Problem[] {
  const lookup = lookups(reference);
  if (lookup?.kind === 'unreadable') {
    const code = 'reference-unreadable';
    const message = `Can't look up ${describeReference(reference)}: ${lookup.why}`;
    const hint = 'The other contracts can be applied; plan again for this one.';
    return [{ code, severity: 'error', scope: 'contract', message, hint, source }];
  }
  if (lookup?.kind !== 'unknown') return [];
  const { type, id, name } = reference;
  const isBoth = name !== undefined && id !== undefined;
  const named = isBoth ? `${quote(name)} with the id ${id}` : quote(lookedUpBy(reference));
  const known = [...(names.get(type) ?? [])].toSorted(compareCodeUnits);
  const message = `The catalog has no ${type} ${named}.`;
  const hint =
    source.format === 'version'
      ? 'Return to another version, or bring the rest back in the file.'
      : (didYouMean(lookedUpBy(reference), known) ??
        `Correct it, or create the ${type} in the catalog first.`);
  return [{ code: 'unknown-reference', severity: 'error', message, hint, source }];
}

export function blockedBy(
  plan: UpdatePlan | UnchangedPlan,
  problems: readonly Problem[],
): UpdatePlan | UnchangedPlan {
  if (problems.length === 0 || plan.action === 'unchanged') return plan;
  return { ...plan, action: 'blocked', problems: [...plan.problems, ...problems] };
}
