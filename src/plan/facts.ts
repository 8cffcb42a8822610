/** Facts that planning asks of the catalog besides its list, and what they say of a contract. */

import {
  type FieldProblem,
  placeProblems,
  type PropertyRules,
  type TokenOwner,
} from '../contract/conventions.ts';
import type {
  ApartReason,
  AssetId,
  DesiredContract,
  FoundEntity,
  LiveContract,
  PropertyDefinition,
} from '../contract/contract.ts';
import { completeReferences, keepUnstated } from '../contract/equality.ts';
import {
  describeReference,
  lookedUpBy,
  type Lookup,
  parseReference,
  peopleFields,
  peopleIn,
  type PersonReference,
  type Prospect,
} from '../contract/identity.ts';
import { type Problem, type SourcePosition } from '../core/diagnostic.ts';
import {
  compareCodeUnits,
  deepEqual,
  isArray,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
  isEmpty,
} from '../core/json.ts';
import { didYouMean, quote, composed } from '../core/text.ts';
import type { LivePlace } from '../patch/merge.ts';
import { type FiledPair, isFiled, type PlannedPair } from './pair.ts';
import type { UpdatePlan } from './plan.ts';
import { evaluate, type Operation } from '../patch/evaluate.ts';
import { formatPointer, type Pointer } from '../patch/pointer.ts';

export type Facts = {
  /** Absent where the catalog takes references as written. */
  readonly people?: People | undefined;
  /** Absent where the catalog takes tags as written. */
  readonly tags?: Tags | undefined;
  /** Absent where those that `extension` may have aren't known. */
  readonly properties?: PropertyRules & { readonly definitions: readonly PropertyDefinition[] };
  /** Whose token it is, where a reviewer's word may count; absent if unknown. */
  readonly caller?: TokenOwner | undefined;
  readonly prospects: ReadonlyMap<DesiredContract, Prospect>;
  /** By the id of a live contract: why it differs from its base at a place. */
  readonly reasons: ReadonlyMap<string, (place: LivePlace) => ApartReason>;
};

export type People = {
  readonly lookups: (reference: PersonReference) => Lookup | undefined;
  /** Those that live contracts have. */
  readonly known: readonly PersonReference[];
  readonly owningTeams?: readonly string[] | undefined;
};

export const noFacts: Facts = { prospects: new Map(), reasons: new Map() };

type Content = { readonly desired: DesiredContract; readonly problems: readonly Problem[] };

export function contentFor(live: LiveContract, file: DesiredContract, facts: Facts): Content {
  // Values that an ODCS file omits, or states in coarser words, stay as the catalog has them.
  const people = resolveReferences(keepUnstated(live, file), live, facts);
  const tags = facts.tags
    ? resolveTags(people.desired, live, facts.tags)
    : { desired: people.desired, problems: [] };
  const { desired, problems } = resolveProperties(tags.desired, live, facts);
  return { desired, problems: [...people.problems, ...tags.problems, ...problems] };
}

// Replaces each reference by its id, type and name: the catalog may not store any other form.
function resolveReferences(
  desired: DesiredContract,
  { document }: LiveContract,
  { people }: Facts,
): Content {
  if (!people) return { desired, problems: [] };
  const managed: { [field: string]: JsonValue } = { ...desired.managed };
  const problems: Problem[] = [];
  for (const field of peopleFields) {
    const items = managed[field];
    if (!isArray(items)) continue;
    const completed = completeReferences(document[field] ?? null, items);
    const resolved: JsonValue[] = [];
    for (const [index, item] of items.entries()) {
      const reference = parseReference(item);
      const isLive = isArray(completed) && completed[index] !== item;
      if (reference && !isLive)
        problems.push(...problemOf(reference, people, desired.locate([field, String(index)])));
      const found = reference && people.lookups(reference);
      const person =
        reference && found?.kind === 'found'
          ? { id: found.id, type: reference.type, name: found.name }
          : item;
      if (!resolved.some((other) => deepEqual(other, person))) resolved.push(person);
    }
    managed[field] = resolved;
  }
  return {
    desired: { ...desired, managed },
    problems: [...problems, ...notOwning(desired, people)],
  };
}

// The catalog refuses every later change of a contract with such an owner.
function notOwning({ managed, locate }: DesiredContract, { lookups, owningTeams }: People) {
  return peopleIn(managed, 'owners').flatMap((item, index): Problem[] => {
    const reference = parseReference(item);
    const found = reference && lookups(reference);
    const teamType = found?.kind === 'found' ? found.teamType : undefined;
    if (teamType === undefined || owningTeams?.includes(teamType) !== false) return [];
    const source = locate(['owners', String(index)]);
    const message = `A team of the type ${teamType} can't own a contract: the catalog refuses every change of one that it owns.`;
    const hint = `Set \`owners\` in the file: one team of the type ${owningTeams.join(' or ')}, or users.`;
    return [{ code: 'not-an-owner', severity: 'error', message, hint, source }];
  });
}

function resolveProperties(
  desired: DesiredContract,
  { document }: LiveContract,
  { properties }: Facts,
): Content {
  const { extension: wanted } = desired.managed;
  if (!properties || !isObject(wanted)) return { desired, problems: [] };
  const { extension: live } = document;
  const stored = isObject(live) ? live : {};
  const extension: [name: string, value: JsonValue][] = [];
  const problems: FieldProblem[] = [];
  for (const [name, written] of Object.entries(wanted)) {
    const definition = properties.definitions.find((each) => each.name === name);
    const value = definition ? properties.asStored(written, definition) : written;
    extension.push([name, value]);
    if (isNothing(value) || deepEqual(value, stored[name])) continue;
    if (definition) problems.push(...properties.check(value, definition));
    else problems.push(unknownProperty(name, properties.definitions));
  }
  return {
    desired: {
      ...desired,
      managed: { ...desired.managed, extension: Object.fromEntries(extension) },
    },
    problems: placeProblems(problems, desired),
  };
}

function unknownProperty(name: string, definitions: readonly PropertyDefinition[]): FieldProblem {
  const message = `The catalog has no custom property ${quote(name)} for contracts.`;
  const known = definitions.map((each) => each.name);
  const hint = didYouMean(name, known) ?? 'Define it in the catalog first.';
  return { code: 'unknown-key', severity: 'error', message, hint, pointer: ['extension', name] };
}

function problemOf(
  reference: PersonReference,
  { lookups, known }: People,
  source: SourcePosition,
): Problem[] {
  const lookup = lookups(reference);
  if (lookup?.kind === 'unreadable')
    return [lookupFailed(describeReference(reference), lookup.why, source)];
  if (lookup?.kind !== 'unknown') return [];
  const { type, id, name } = reference;
  const isBoth = name !== undefined && id !== undefined;
  const named = isBoth ? `${quote(name)} with the id ${id}` : quote(lookedUpBy(reference));
  const names = known.flatMap((each) => (each.type === type ? (each.name ?? []) : []));
  const message = `The catalog has no ${type} ${named}.`;
  const hint =
    source.format === 'version'
      ? 'Return to another version, or bring the rest back in the file.'
      : (didYouMean(lookedUpBy(reference), [...new Set(names)].toSorted(compareCodeUnits)) ??
        `Correct it, or create the ${type} in the catalog first.`);
  return [{ code: 'unknown-reference', severity: 'error', message, hint, source }];
}

export function lookupFailed(subject: string, why: string, source: SourcePosition): Problem {
  const message = `Can't look up ${subject}: ${why}`;
  const hint = 'The other contracts can be applied; plan again for this one.';
  return { code: 'lookup-failed', severity: 'error', scope: 'contract', message, hint, source };
}

/** A catalog may refuse a change, whatever is in it, where the asset lacks a column of the contract. */
export function assetsOfUpdates(planned: readonly PlannedPair[]): AssetId[] {
  const assets = planned.flatMap((each) => {
    const { id, type } = each.pair.live?.entity ?? {};
    if (id === undefined || type === undefined) return [];
    return isUpdating(each) && columnsAfter(each).length > 0 ? [{ id, type }] : [];
  });
  return [...new Map(assets.map((each) => [each.id, each])).values()];
}

type Updating = { readonly pair: FiledPair; readonly plan: UpdatePlan };

function isUpdating(planned: PlannedPair): planned is Updating {
  const { pair, plan } = planned;
  return isFiled(pair) && plan !== undefined && 'target' in plan && plan.changes.length > 0;
}

function columnsAfter({ pair, plan }: Updating) {
  return columnsIn('schema' in plan.target ? plan.target : pair.live.document);
}

export function judgeAssets(
  planned: PlannedPair,
  assets: ReadonlyMap<string, FoundEntity>,
): PlannedPair {
  const asset = assets.get(planned.pair.live?.entity?.id ?? '');
  if (!asset || !isUpdating(planned)) return planned;
  const { pair, plan } = planned;
  const own = keepUnstated(pair.live, pair.desired);
  const problems = unknownColumns(own, asset, columnsAfter(planned));
  if (problems.length === 0) return planned;
  return { pair, plan: { ...plan, action: 'blocked', problems: [...plan.problems, ...problems] } };
}

export function unknownColumns(
  { managed, locate }: DesiredContract,
  { type = 'asset', columns }: FoundEntity,
  contract = columnsIn(managed),
): Problem[] {
  if (!columns) return [];
  const written = new Map(columnsIn(managed));
  return contract.flatMap(([name]) => {
    if (columns.includes(name)) return [];
    const index = written.get(name);
    const problem = { code: 'unknown-column', severity: 'error' } as const;
    if (index === undefined) {
      const message = `The ${type} has lost the column ${quote(name)}, which the live contract still has.`;
      const hint = 'Give a `schema` without it: until then the catalog refuses every change.';
      return [{ ...problem, message, hint, source: locate(['schema']) }];
    }
    const message = `The ${type} has no column ${quote(name)}.`;
    const hint = didYouMean(name, columns) ?? `Its columns are ${columns.join(', ')}.`;
    return [{ ...problem, message, hint, source: locate(['schema', index, 'name']) }];
  });
}

function columnsIn({ schema }: JsonObject): (readonly [name: string, index: string])[] {
  if (!isArray(schema)) return [];
  return schema.flatMap((column, index) => {
    const name = isObject(column) ? column['name'] : undefined;
    return typeof name === 'string' ? [[name, String(index)] as const] : [];
  });
}

export type TagAnswer =
  | { readonly kind: 'tag' | 'glossaryTerm' | 'unknown' }
  | { readonly kind: 'unreadable'; readonly why: string };

export type Tags = {
  readonly answers: ReadonlyMap<string, TagAnswer>;
  /** The tags of live contracts. */
  readonly known: ReadonlySet<string>;
};

type PlacedTag = {
  readonly name: string;
  readonly hasSource: boolean;
  readonly column: string;
  readonly pointer: Pointer;
};

export function* tagsIn(
  columns: JsonValue | undefined,
  pointer: Pointer = ['schema'],
  parent = '',
): Generator<PlacedTag> {
  for (const [index, item] of isArray(columns) ? columns.entries() : []) {
    const { name, tags, children } = isObject(item) ? item : {};
    if (isEmpty(tags) && isEmpty(children)) continue;
    const at = [...pointer, String(index)];
    const column = `${parent}\n${typeof name === 'string' ? composed(name) : ''}`;
    for (const [position, tag] of isArray(tags) ? tags.entries() : []) {
      const { tagFQN, source } = isObject(tag) ? tag : {};
      if (typeof tagFQN !== 'string') continue;
      const place = [...at, 'tags', String(position)];
      yield { name: tagFQN, hasSource: !isNothing(source), column, pointer: place };
    }
    yield* tagsIn(children, [...at, 'children'], column);
  }
}

/** A tag that live's column has already keeps the source that it has there. */
export function tagsToLookUp(
  { managed }: DesiredContract,
  live?: LiveContract,
): readonly PlacedTag[] {
  const bare = [...tagsIn(managed['schema'])].filter(({ hasSource }) => !hasSource);
  if (bare.length === 0) return [];
  const keyOf = ({ column, name }: PlacedTag): string => `${column}\n\n${name}`;
  const there = new Set([...tagsIn(live?.document['schema'])].map(keyOf));
  return bare.filter((tag) => !there.has(keyOf(tag)));
}

function resolveTags(
  desired: DesiredContract,
  live: LiveContract,
  { answers, known }: Tags,
): Content {
  const sources: Operation[] = [];
  const problems: Problem[] = [];
  for (const { name, pointer } of tagsToLookUp(desired, live)) {
    const answer = answers.get(name);
    const source = desired.locate([...pointer, 'tagFQN']);
    if (answer?.kind === 'glossaryTerm') {
      const path = formatPointer([...pointer, 'source']);
      sources.push({ op: 'add', path, value: 'Glossary' });
    } else if (answer?.kind === 'unreadable') {
      problems.push(lookupFailed(`the tag ${quote(name)}`, answer.why, source));
    } else if (answer?.kind === 'unknown') {
      const message = `The catalog has no tag and no glossary term ${quote(name)}.`;
      const hint = didYouMean(name, [...known]) ?? 'Correct it, or create it in the catalog first.';
      problems.push({ code: 'unknown-reference', severity: 'error', message, hint, source });
    }
  }
  const managed = evaluate(desired.managed, sources);
  const isChanged = sources.length > 0 && isObject(managed);
  return { desired: isChanged ? { ...desired, managed } : desired, problems };
}
