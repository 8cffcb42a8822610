import { defaultLifecycle } from '../../../contract/conventions.ts';
import type { RestateRules } from '../../../contract/equality.ts';
import {
  isArray,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { didYouMean, quote } from '../../../core/text.ts';
import {
  listAt,
  type MappingScope,
  memberAt,
  objectAt,
  objectsAt,
  objectsIn,
  type Placed,
  type PlacedObject,
  type Section,
  type Stated,
  stateGroup,
  stateList,
  stateValue,
  textAt,
  withObject,
} from './scope.ts';

// ODCS word → its possible statuses: the first that the lifecycle has, else the last.
const knownWords: { readonly [word: string]: readonly string[] } = {
  draft: ['Draft'],
  proposed: ['Draft'],
  active: ['Active', 'Approved'],
  deprecated: ['Deprecated'],
  retired: ['Archived', 'Deprecated'],
};

// A catalog exports these as `draft`, so `draft` does not revert a review.
const draftsToo = ['In Review', 'Rejected', 'Unprocessed'];

export function mapStatus(scope: MappingScope): Stated | undefined {
  const word = scope.text(scope.document, 'status');
  if (!word) return undefined;
  const { value, pointer } = word;
  const { settings, statuses } = scope;
  const status = statusOf(value, scope);
  if (status === undefined) {
    const words = [...Object.keys(knownWords), ...Object.keys(settings.status)];
    const known = statuses ?? defaultLifecycle.statuses;
    const meant = known.find((each) => normalWord(each) === normalWord(value)) ?? known[0];
    const message = `Unknown status ${quote(value)}.`;
    const hint =
      didYouMean(value, words) ??
      `Say which status it means, as in \`odcs.status: { ${quote(value)}: ${meant} }\`. The statuses are ${known.join(', ')}.`;
    scope.report({ code: 'unknown-status', message, hint, pointer });
    return undefined;
  }
  if (statuses && !statuses.includes(status)) {
    const message = `${quote(value)} means ${quote(status)}, which the lifecycle doesn't have.`;
    const hint = 'Say what it means with `odcs.status`, or add the status to `lifecycle.statuses`.';
    scope.report({ code: 'unknown-status', message, hint, pointer });
    return undefined;
  }
  if (status === 'Draft') return stateValue(pointer, status, draftsToo);
  return stateValue(pointer, status, normalWord(value) === 'retired' ? ['Archived'] : undefined);
}

function statusOf(word: string, { settings, run, statuses: own }: MappingScope) {
  const wanted = normalWord(word);
  const configured = Object.entries(settings.status).find(([key]) => normalWord(key) === wanted);
  if (configured) return configured[1];
  const candidates = Object.hasOwn(knownWords, wanted) ? (knownWords[wanted] ?? []) : [];
  const statuses = own ?? defaultLifecycle.statuses;
  const isMeant = (status: string): boolean =>
    statuses.includes(status) && !run.later?.includes(status);
  return candidates.find(isMeant) ?? candidates.at(-1);
}

function normalWord(word: string): string {
  return word.toLowerCase().replaceAll(/\s/gu, '');
}

export function statusWord(
  status: JsonValue | undefined,
  { equivalence }: RestateRules,
  scope: MappingScope,
): string | undefined {
  if (typeof status !== 'string') return undefined;
  const words = [...Object.keys(scope.settings.status), ...Object.keys(knownWords)];
  const wordFor = (wanted: string): string | undefined =>
    words.find((word) => {
      const meant = statusOf(word, scope);
      if (meant === undefined) return false;
      const stored = equivalence.asStored?.({ entityStatus: meant }, {})['entityStatus'];
      return (typeof stored === 'string' ? stored : meant) === wanted;
    });
  const other = draftsToo.includes(status) ? wordFor('Draft') : undefined;
  return wordFor(status) ?? other ?? (status === 'Archived' ? 'retired' : undefined);
}

export function restateStatus({ scope, rules, live }: Section): JsonObject {
  const document = scope.document.value;
  const status = statusWord(live['entityStatus'], rules, scope);
  return status === undefined ? document : { ...document, status };
}

/** An empty description of a file removes the live one. */
export function mapDescription(scope: MappingScope): Stated | undefined {
  const { document, object } = scope;
  const parts = objectAt(document, 'description');
  let stated = parts ? joined(parts, scope) : scope.text(document, 'description');
  if (object && isOwnDescription(object, document)) stated = scope.text(object, 'description');
  return stated && stateValue(stated.pointer, stated.value || null);
}

/** The document's description comes first, but not where it is for several objects. */
export function isOwnDescription(object: PlacedObject, document: PlacedObject): boolean {
  const own = textAt(object, 'description')?.value;
  if (own === undefined) return false;
  const { description } = document.value;
  const texts = isObject(description) ? headings.map(([key]) => description[key]) : [description];
  const isSaid = texts.some((text) => typeof text === 'string' && text !== '');
  return !isSaid || (own !== '' && objectsAt(document, 'schema').length > 1);
}

const headings = [
  ['purpose', ''],
  ['limitations', '\n\n**Limitations:**\n'],
  ['usage', '\n\n**Usage:**\n'],
] as const;

// Joined as a catalog's own import does: a heading follows other text. Empty parts, which
// spreadsheets leave, are skipped; if all are empty, the live description is removed.
function joined(description: PlacedObject, scope: MappingScope): Placed<string> | undefined {
  const parts = headings.flatMap(([key, heading]) => {
    const part = scope.text(description, key);
    return part ? [{ ...part, heading }] : [];
  });
  const [first, ...others] = parts.filter(({ value }) => value.trim() !== '');
  if (!first) return parts[0] && { pointer: parts[0].pointer, value: '' };
  const rest = others.map(({ heading, value }) => heading + value);
  return { pointer: first.pointer, value: [first.value, ...rest].join('') };
}

/** A text without headings is the purpose. */
export function splitDescription(text: string): JsonObject {
  const parts: { [key: string]: string } = {};
  let key: string = 'purpose';
  let rest = text;
  for (const [next, heading] of headings.slice(1)) {
    const start = rest.indexOf(heading, 1);
    if (start === -1) continue;
    parts[key] = rest.slice(0, start);
    rest = rest.slice(start + heading.length);
    key = next;
  }
  return { ...parts, [key]: rest };
}

export function restateDescription({ scope, live }: Section): JsonObject {
  const { object } = scope;
  const document = scope.document.value;
  const text = typeof live['description'] === 'string' ? live['description'] : '';
  if (object && isOwnDescription(object, scope.document))
    return withObject(scope, { ...object.value, description: text });
  const { description } = document;
  return { ...document, description: isObject(description) ? partsOf(text, description) : text };
}

// The only part of a file takes all of a text without headings.
function partsOf(text: string, former: JsonObject): JsonObject {
  const names: readonly string[] = headings.map(([name]) => name);
  const split = splitDescription(text);
  const said = names.filter((name) => !isNothing(former[name]));
  const isOne = said.length === 1 && Object.keys(split).length === 1;
  const parts = isOne ? { [said[0] ?? '']: text } : split;
  const others = Object.entries(former).filter(
    ([name]) => !names.includes(name) || Object.hasOwn(parts, name),
  );
  return { ...Object.fromEntries(others), ...parts };
}

export function mapOwners(scope: MappingScope): Stated | undefined {
  const { document, settings } = scope;
  const team = objectAt(document, 'team');
  if (settings.owners.team) {
    const owner = team && reference(team, 'name', 'team', scope);
    return owner && stateList(owner.from, [owner]);
  }
  // A list up to version 3.0, a mapping with `members` since.
  const list = listAt(document, 'team') ?? (team && listAt(team, 'members'));
  const { roles, name, type } = settings.owners;
  const owners = objectsIn(list).flatMap((member) => {
    const role = scope.text(member, 'role')?.value.trim().toLowerCase();
    const [left] = /^\d{4}-\d{2}-\d{2}/u.exec(textAt(member, 'dateOut')?.value ?? '') ?? [];
    // A member still counts on the day of `dateOut`.
    const isThere = left === undefined || left >= scope.run.today;
    const isOwner = isThere && roles.some((each) => each.toLowerCase() === role);
    return (isOwner && reference(member, name, type, scope)) || [];
  });
  return list && owners.length > 0 ? stateList(list.pointer, owners) : undefined;
}

function reference(parent: PlacedObject, key: string, type: string, scope: MappingScope) {
  const name = scope.text(parent, key);
  if (!name || name.value === '') return undefined;
  return stateGroup(parent.pointer, {
    type: stateValue(parent.pointer, type),
    name: stateValue(name.pointer, name.value),
  });
}

export function mapExtension(scope: MappingScope): Stated | undefined {
  const members = scope.settings.extension.flatMap((name) => {
    const member = propertyValue(name, scope);
    return member ? [[name, stateValue(member.pointer, withoutNulls(member.value))] as const] : [];
  });
  const [first] = members;
  return first && stateGroup(first[1].from, Object.fromEntries(members));
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

function propertyValue(name: string, scope: MappingScope): Placed | undefined {
  const property = customProperty(name, scope);
  return property && (scope.text(property, 'value') ?? memberAt(property, 'value'));
}

export function customProperty(name: string, scope: MappingScope): PlacedObject | undefined {
  return customProperties(scope).find((each) => textAt(each, 'property')?.value === name);
}

function customProperties({ object, document }: MappingScope): readonly PlacedObject[] {
  const owners = object ? [object, document] : [document];
  return owners.flatMap((owner) => objectsAt(owner, 'customProperties'));
}

const movedFromProperty = 'contractSync.movedFrom';

// Reserved for settings of contract-sync; never content.
const ownPrefix = 'contractSync.';

export function mapMovedFrom(scope: MappingScope): Stated | undefined {
  reportOwnProperties(scope);
  const member = propertyValue(movedFromProperty, scope);
  if (!member) return undefined;
  const { value, pointer } = member;
  if (pointer[0] !== 'schema' && objectsAt(scope.document, 'schema').length > 1) {
    const message =
      'The document has several objects, and only one of them can have had this name.';
    const hint = 'Move this custom property to that object.';
    scope.report({ code: 'moved-name-claimed', message, hint, pointer });
    return undefined;
  }
  const names = [value].flat().filter((each) => typeof each === 'string' && each.trim() !== '');
  if (names.length < [value].flat().length || names.length === 0) {
    const message = `The custom property ${quote(movedFromProperty)} must be a qualified name, or a list of them.`;
    const hint =
      'Write the name that the contract or its entity had: value: warehouse.shop.sales.orders';
    scope.report({ code: 'wrong-type', message, hint, pointer });
    return undefined;
  }
  return stateList(
    pointer,
    names.map((name) => stateValue(pointer, name)),
  );
}

// A misspelt name would silently have no effect.
function reportOwnProperties(scope: MappingScope): void {
  for (const property of customProperties(scope)) {
    const name = textAt(property, 'property');
    if (!name || !isOwnProperty(name.value) || name.value === movedFromProperty) continue;
    const message = `Unknown custom property ${quote(name.value)}.`;
    const hint = `The only one that contract-sync reads is ${movedFromProperty}.`;
    const { pointer } = name;
    scope.report({ code: 'unknown-key', severity: 'warning', message, hint, pointer });
  }
}

export function isOwnProperty(name: JsonValue | undefined): boolean {
  return typeof name === 'string' && name.startsWith(ownPrefix);
}
