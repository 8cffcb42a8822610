import { composed } from '../core/text.ts';
import type { Diagnostic, SourcePosition } from '../core/diagnostic.ts';
import { isBlank, namesBack, type NameRule } from './names.ts';
import {
  type DesiredContract,
  type EntityReference,
  type FoundEntity,
  type Identity,
  type LiveContract,
  textMembers,
} from './contract.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';

export function contractLabel(identity: Identity): string {
  const { id, name, entity, fullyQualifiedName } = identity;
  const owner = entity?.fullyQualifiedName ?? entity?.id;
  if (fullyQualifiedName !== undefined) return fullyQualifiedName;
  if (name === undefined || owner === undefined)
    return name ?? id ?? entity?.fullyQualifiedName ?? 'a contract without a name';
  // Most contracts have the name of their asset: once is enough.
  return owner.endsWith(`.${name}`) ? owner : `${owner} (${name})`;
}

export function qualifiedNames({ fullyQualifiedName, entity }: Identity): string[] {
  const ofAsset = entity?.fullyQualifiedName;
  return [fullyQualifiedName, ofAsset === fullyQualifiedName ? undefined : ofAsset]
    .filter((name) => name !== undefined)
    .filter((name) => !isBlank(name));
}

/** The names by which files and patterns may call it; none if `names` leads from no name to it. */
export function namesInFiles(identity: Identity, rules: readonly NameRule[]): string[] {
  return qualifiedNames(identity).flatMap((name) => namesBack(name, rules));
}

/** Those by which a contract is protected or selected: in doubt, the catalog's. */
export function namesToGuard(identity: Identity, rules: readonly NameRule[]): string[] {
  const inFiles = namesInFiles(identity, rules);
  return inFiles.length > 0 ? inFiles : qualifiedNames(identity);
}

const identityKinds = [
  'id',
  'fullyQualifiedName',
  'name+entity.id',
  'name+entity.fullyQualifiedName',
  'entity.fullyQualifiedName',
] as const;
export type IdentityKind = (typeof identityKinds)[number];

/** Exact, but for Unicode composition. */
export function identityKey(kind: IdentityKind, identity: Identity): string | undefined {
  const key = writtenKey(kind, identity);
  return key === undefined ? undefined : composed(key);
}

/** For comparison: requests keep the catalog's spelling. */
export function idKey(id: string): string {
  // RFC 9562 §4: a UUID is read in either case.
  return isUuid(id) ? id.toLowerCase() : id;
}

function writtenKey(kind: IdentityKind, identity: Identity): string | undefined {
  const { id, fullyQualifiedName, name, entity } = identity;
  switch (kind) {
    case 'id':
      return id && idKey(id);
    case 'fullyQualifiedName':
      return fullyQualifiedName;
    case 'name+entity.id':
      return attachedKey(name, entity?.id && idKey(entity.id));
    case 'name+entity.fullyQualifiedName':
      return attachedKey(name, entity?.fullyQualifiedName);
    case 'entity.fullyQualifiedName':
      return entity?.fullyQualifiedName;
  }
}

// The length keeps different pairs from having one key.
function attachedKey(name: string | undefined, entity: string | undefined): string | undefined {
  if (name === undefined || entity === undefined) return undefined;
  return `${composed(name).length} ${name}${entity}`;
}

export function strongestKind(identity: Identity): IdentityKind | undefined {
  return identityKinds.find((kind) => identityKey(kind, identity) !== undefined);
}

export function writtenNames({ fullyQualifiedName, name, entity }: Identity): string[] {
  const asset = entity?.fullyQualifiedName;
  const attached = name === undefined || asset === undefined ? undefined : `${asset}.${name}`;
  return [fullyQualifiedName, attached, asset].filter((each) => each !== undefined).map(composed);
}

export function identityKeys(identity: Identity, kinds: readonly IdentityKind[]): string[] {
  return kinds.flatMap((kind) => {
    const key = identityKey(kind, identity);
    return key === undefined ? [] : [`${kind} ${key}`];
  });
}

/** An asset may have several contracts: it counts only where nothing else identifies one. */
export function claimedKeys(
  identity: Identity,
  isBare = strongestKind(identity) === 'entity.fullyQualifiedName',
): string[] {
  return identityKeys(identity, isBare ? identityKinds : identityKinds.slice(0, -1));
}

export function attachedTo({ entity }: Identity): string | undefined {
  return entity?.id !== undefined && isUuid(entity.id) ? entity.id : undefined;
}

/** RFC 9562 §4. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(text);
}

export function identityConflicts(live: LiveContract, desired: DesiredContract): Diagnostic[] {
  const { identity, movedFrom = [] } = desired;
  const names = writtenNames(live);
  if (movedFrom.some((name) => names.includes(composed(name)))) {
    const message = `The catalog still calls this contract ${contractLabel(live)}; the file calls it ${contractLabel(identity)}.`;
    const hint = 'Identity fields are never patched: rename or move it in the catalog.';
    const source = desired.locate(['movedFrom']);
    return [{ code: 'not-moved-yet', severity: 'information', message, hint, source }];
  }
  const own = (['name', 'fullyQualifiedName'] as const).map(
    (member) => [[member], identity[member], live[member]] as const,
  );
  const ofAsset = (['id', 'type', 'name', 'fullyQualifiedName'] as const).map(
    (member) => [['entity', member], identity.entity?.[member], live.entity?.[member]] as const,
  );
  return [...own, ...ofAsset].flatMap(([pointer, wanted, current]): Diagnostic[] => {
    if (wanted === undefined || current === undefined) return [];
    if (composed(idKey(wanted)) === composed(idKey(current))) return [];
    const message = `The file says \`${pointer.join('.')}: ${wanted}\`, the catalog says \`${current}\`; identity fields are never patched.`;
    const hint = 'Correct the file, or rename the contract in the catalog.';
    const source = desired.locate(pointer);
    return [{ code: 'identity-differs', severity: 'warning', message, hint, source }];
  });
}

type Paired = {
  readonly live?: LiveContract | undefined;
  readonly desired?: DesiredContract | undefined;
};

/** Finds pairs whose file names another live contract too, as a copied file does. */
export function identitiesOfTwo(pairs: readonly Paired[], all: readonly Paired[]): Diagnostic[] {
  const foreign = Map.groupBy(pairs.flatMap(foreignKeys), ({ key }) => key);
  if (foreign.size === 0) return [];
  return all.flatMap(({ live: other }) => {
    if (!other) return [];
    const claims = identityKeys(other, identityKinds).flatMap((key) => foreign.get(key) ?? []);
    const byFile = Map.groupBy(claims, ({ desired }) => desired);
    return [...byFile.values()].flatMap(([strongest]) =>
      strongest ? namesTwo(strongest, other) : [],
    );
  });
}

type ForeignKey = {
  readonly key: string;
  readonly kind: IdentityKind;
  readonly live: LiveContract;
  readonly desired: DesiredContract;
};

function foreignKeys({ live, desired }: Paired): ForeignKey[] {
  if (!live || !desired) return [];
  return identityKinds.flatMap((kind) => {
    const key = identityKey(kind, desired.identity);
    const isForeign = key !== undefined && key !== identityKey(kind, live);
    return isForeign ? [{ key: `${kind} ${key}`, kind, live, desired }] : [];
  });
}

const membersOf = (kind: string): string => `\`${kind.replace('+', '` and `')}\``;

function namesTwo({ kind, live, desired }: ForeignKey, other: LiveContract): Diagnostic {
  const { identity, locate } = desired;
  const shared = identityKinds.find((each) => {
    const key = identityKey(each, identity);
    return key !== undefined && key === identityKey(each, live);
  });
  const own = membersOf(shared ?? 'movedFrom');
  const wrong = membersOf(kind);
  const message = `The file names two live contracts: ${contractLabel(live)} (${live.id}) by its ${own}, and ${contractLabel(other)} (${other.id}) by its ${wrong}.`;
  const hint = `If the file is for the second, correct its ${own}: a copied file still has the original's. If it is for the first, correct its ${wrong}.`;
  const source = locate((kind.split('+')[0] ?? kind).split('.'));
  return { code: 'ambiguous-identity', severity: 'error', message, hint, source };
}

type Narrowing = { readonly has: (file: string) => boolean } | undefined;

export function refuseDuplicates(contracts: readonly DesiredContract[], narrowing: Narrowing) {
  const claimed = new Map<string, SourcePosition>();
  const diagnostics: Diagnostic[] = [];
  const unclaimed = contracts.filter(({ identity, source }) => {
    const keys = claimedKeys(identity);
    const first = keys.map((key) => claimed.get(key)).find((place) => place !== undefined);
    // Reported at a file that the run reads: it may be narrowed to one of the two.
    const isHere = !first || !narrowing || narrowing.has(source.file) || !narrowing.has(first.file);
    if (first)
      diagnostics.push(isHere ? duplicateClaim(source, first) : duplicateClaim(first, source));
    else for (const key of keys) claimed.set(key, source);
    return !first;
  });
  return {
    contracts: unclaimed,
    diagnostics: [...diagnostics, ...refuseMoves(unclaimed, narrowing)],
  };
}

function refuseMoves(contracts: readonly DesiredContract[], narrowing: Narrowing): Diagnostic[] {
  const moving = contracts.filter(({ movedFrom }) => movedFrom !== undefined);
  if (moving.length === 0) return [];
  const declared = new Map(
    contracts.flatMap((contract) => {
      const { name, entity } = contract.identity;
      const asset = name === undefined ? undefined : entity?.fullyQualifiedName;
      const own = writtenNames(contract.identity).filter((each) => each !== asset);
      return own.map((each) => [each, contract] as const);
    }),
  );
  return moving.flatMap((contract) =>
    (contract.movedFrom ?? []).map(composed).flatMap((name) => {
      const other = declared.get(name);
      if (!other) declared.set(name, contract);
      if (!other || other === contract) return [];
      const isElsewhere = narrowing?.has(contract.source.file) === false;
      const { file, line } = isElsewhere ? contract.source : other.source;
      const message = `${name} is claimed by ${file}:${line} too.`;
      const hint =
        "A contract has one file: remove `movedFrom`, or the other file. Two contracts can't swap their names.";
      const source = isElsewhere ? other.source : contract.locate(['movedFrom']);
      return [{ code: 'moved-name-claimed', severity: 'error' as const, message, hint, source }];
    }),
  );
}

function duplicateClaim(source: SourcePosition, first: SourcePosition): Diagnostic {
  return {
    code: 'duplicate-contract',
    severity: 'error',
    message: `This is the same contract as the one at ${first.file}:${first.line}:${first.column}.`,
    hint: 'Keep one of the two: a contract has one file.',
    source,
  };
}

export function indexFiles(files: readonly DesiredContract[]) {
  const byKind = Map.groupBy(files, ({ identity }) => strongestKind(identity));
  // Only the kinds of identity that the files use.
  const kinds = identityKinds.flatMap((kind) => {
    const own = byKind.get(kind) ?? [];
    const byKey = new Map(own.map((file) => [identityKey(kind, file.identity) ?? '', file]));
    return own.length === 0 ? [] : [{ kind, byKey }];
  });
  const moved = new Map(
    files.flatMap((file) => (file.movedFrom ?? []).map((name) => [composed(name), file] as const)),
  );
  /** Files of this identity, by the strongest kind first: a second one is a rival. */
  const named = (live: LiveContract): readonly DesiredContract[] => {
    const found: DesiredContract[] = [];
    for (const { kind, byKey } of kinds) {
      const key = identityKey(kind, live);
      const file = key === undefined ? undefined : byKey.get(key);
      if (file) found.push(file);
    }
    return found;
  };
  const movedTo = (live: LiveContract): DesiredContract | undefined => {
    if (moved.size === 0) return undefined;
    const name = writtenNames(live).find((each) => moved.has(each));
    return name === undefined ? undefined : moved.get(name);
  };
  return { named, movedTo, find: (live: LiveContract) => named(live)[0] ?? movedTo(live) };
}

export type PersonReference = EntityReference & { readonly type: string };

export type Lookup =
  | {
      readonly kind: 'found';
      readonly id: string;
      readonly name: string;
      readonly teamType?: string | undefined;
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreadable'; readonly why: string };

export const peopleFields = ['owners', 'reviewers'] as const;
export type PeopleField = (typeof peopleFields)[number];

export function peopleIn(fields: JsonObject, field: string): readonly JsonValue[] {
  const items = fields[field];
  return isArray(items) ? items : [];
}

/** The owners and reviewers of these fields. */
export function referencesIn(fields: JsonObject): PersonReference[] {
  return peopleFields
    .flatMap((field) => peopleIn(fields, field))
    .map(parseReference)
    .filter((reference) => reference !== undefined);
}

export function parseReference(item: JsonValue): PersonReference | undefined {
  if (!isObject(item)) return undefined;
  const { type, ...names } = textMembers(item, ['type', 'id', 'name', 'fullyQualifiedName']);
  // A URL's path can't hold `.` or `..`.
  if (type === undefined || /^\.{0,2}$/u.test(lookedUpBy({ type, ...names }))) return undefined;
  return { type, ...names };
}

export function lookedUpBy({ id, name, fullyQualifiedName }: PersonReference): string {
  // A name with a dot is quoted where it is qualified, and only there.
  return id ?? name ?? fullyQualifiedName?.replace(/^"(.*)"$/u, '$1') ?? '';
}

export function referenceKey(reference: PersonReference): string {
  const by = reference.id === undefined ? 'name' : 'id';
  return `${by} ${reference.type} ${idKey(lookedUpBy(reference))}`;
}

export function describeReference(reference: PersonReference): string {
  return `${reference.type} ${reference.name ?? lookedUpBy(reference)}`;
}

export type Prospect =
  | { readonly kind: 'free'; readonly asset: Asset; readonly fullyQualifiedName: string }
  | { readonly kind: 'unknown-asset' }
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'deleted'; readonly id: string }
  | { readonly kind: 'unreadable'; readonly why: string };

export type Asset = FoundEntity & { readonly type: string; readonly fullyQualifiedName: string };
