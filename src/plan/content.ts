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

export type Content = {
  readonly desired: DesiredContract;
  readonly problems: readonly Problem[];
};

type Rewrite = (content: Content, live: LiveContract, facts: Facts) => Content;

const rewrites: readonly Rewrite[] = [leaveToCatalog, resolveReferences, findProperties];

export function contentFor(live: LiveContract, file: DesiredContract, facts: Facts): Content {
  return rewrites.reduce<Content>((content, rewrite) => rewrite(content, live, facts), {
    desired: file,
    problems: [],
  });
}

// Values that an ODCS file omits, or states in coarser words, stay as the catalog has them.
function leaveToCatalog(content: Content, live: LiveContract): Content {
  const { desired } = content;
  return { ...content, desired: desired.refine?.(live) ?? desired };
}

// Replaces each reference by its id, type and name: the catalog may not store any other form.
function resolveReferences(
  content: Content,
  { document }: LiveContract,
  { people }: Facts,
): Content {
  const { desired } = content;
  const fields = peopleFields.filter((field) => isArray(desired.managed[field]));
  if (!people || fields.length === 0) return content;
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
    unknownReferences(desired, { field, live: document[field] ?? null, people }),
  );
  return {
    desired: { ...desired, managed: { ...desired.managed, ...Object.fromEntries(resolved) } },
    problems: [...content.problems, ...unknown, ...notOwning(desired, people)],
  };
}

// One of them has the catalog refuse every later change too.
function notOwning(
  { managed, locate }: DesiredContract,
  { lookups, owningTeams }: People,
): Problem[] {
  return peopleIn(managed, 'owners').flatMap((item, index) => {
    const reference = parseReference(item);
    const found = reference && lookups(reference);
    const teamType = found?.kind === 'found' ? found.teamType : undefined;
    return notAnOwner(teamType, owningTeams, locate(['owners', String(index)]));
  });
}

function findProperties(
  { desired, problems }: Content,
  { document }: LiveContract,
  { properties }: Facts,
): Content {
  const { managed, locate } = desired;
  const [wanted, live] = [managed['extension'], document['extension']].map((extension) =>
    isObject(extension) ? extension : {},
  );
  if (!properties || !wanted) return { desired, problems };
  const unknown = Object.entries(wanted).filter(
    ([name, value]) =>
      !properties.includes(name) && !isNothing(value) && !deepEqual(value, live?.[name]),
  );
  const told = unknown.map(([name]) => ({
    code: 'unknown-key',
    severity: 'error' as const,
    message: `The catalog has no custom property ${quote(name)} for contracts.`,
    hint: didYouMean(name, properties) ?? 'Define it in the catalog first.',
    source: locate(['extension', name]),
  }));
  return { desired, problems: [...problems, ...told] };
}

type Against = { readonly field: string; readonly live: JsonValue; readonly people: People };

function unknownReferences(
  { managed, locate }: DesiredContract,
  { field, live, people }: Against,
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
  if (lookup?.kind === 'unreadable')
    return [
      {
        code: 'reference-unreadable',
        severity: 'error',
        scope: 'contract',
        message: `Can't look up ${describeReference(reference)}: ${lookup.why}`,
        hint: 'The other contracts can be applied; plan again for this one.',
        source,
      },
    ];
  if (lookup?.kind !== 'unknown') return [];
  const isOfFile = source.format !== 'version';
  const known = [...(names.get(reference.type) ?? [])].toSorted(compareCodeUnits);
  return [
    {
      code: 'unknown-reference',
      severity: 'error',
      message: `The catalog has no ${reference.type} ${namedAs(reference)}.`,
      hint: isOfFile
        ? (didYouMean(lookedUpBy(reference), known) ??
          `Correct it, or create the ${reference.type} in the catalog first.`)
        : 'Return to another version, or bring the rest back in the file.',
      source,
    },
  ];
}

function namedAs(reference: PersonReference): string {
  const { id, name } = reference;
  return name === undefined || id === undefined
    ? quote(lookedUpBy(reference))
    : `${quote(name)} with the id ${id}`;
}

export function blockedBy(
  plan: UpdatePlan | UnchangedPlan,
  problems: readonly Problem[],
): UpdatePlan | UnchangedPlan {
  if (problems.length === 0 || plan.action === 'unchanged') return plan;
  return { ...plan, action: 'blocked', problems: [...plan.problems, ...problems] };
}
