import { composed } from '../core/text.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { isBlank } from './names.ts';
import type { DesiredContract, EntityReference, Identity, LiveContract } from './contract.ts';

export function contractLabel(identity: Identity): string {
  return (
    identity.fullyQualifiedName ??
    qualifiedName(identity.name, identity.entity) ??
    identity.name ??
    identity.id ??
    identity.entity?.fullyQualifiedName ??
    'a contract without a name'
  );
}

export function qualifiedNames({ fullyQualifiedName, entity }: Identity): string[] {
  const ofAsset = entity?.fullyQualifiedName;
  return [fullyQualifiedName, ofAsset === fullyQualifiedName ? undefined : ofAsset]
    .filter((name) => name !== undefined)
    .filter((name) => !isBlank(name));
}

function qualifiedName(
  name: string | undefined,
  entity: EntityReference | undefined,
): string | undefined {
  const owner = entity?.fullyQualifiedName ?? entity?.id;
  if (name === undefined || owner === undefined) return undefined;
  // Most contracts have the name of their asset: once is enough.
  return owner.endsWith(`.${name}`) ? owner : `${owner} (${name})`;
}

export const identityKinds = [
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

// The length keeps two pairs from making one key.
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

function isMoved(live: Identity, { movedFrom = [] }: DesiredContract): boolean {
  const names = writtenNames(live);
  return movedFrom.some((name) => names.includes(composed(name)));
}

export function lookupEntity(identity: Identity): string | undefined {
  return strongestKind(identity) === 'name+entity.id' ? attachedTo(identity) : undefined;
}

export function attachedTo({ entity }: Identity): string | undefined {
  return entity?.id !== undefined && isUuid(entity.id) ? entity.id : undefined;
}

/** RFC 9562 §4. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(text);
}

export function identityConflicts(live: LiveContract, desired: DesiredContract): Diagnostic[] {
  const { identity } = desired;
  if (isMoved(live, desired)) return [notYetMoved(live, desired)];
  return [
    ...conflict(desired, ['name'], identity.name, live.name),
    ...conflict(
      desired,
      ['fullyQualifiedName'],
      identity.fullyQualifiedName,
      live.fullyQualifiedName,
    ),
    ...(['id', 'type', 'name', 'fullyQualifiedName'] as const).flatMap((member) =>
      conflict(desired, ['entity', member], identity.entity?.[member], live.entity?.[member]),
    ),
  ];
}

function notYetMoved(live: LiveContract, { identity, locate }: DesiredContract): Diagnostic {
  return {
    code: 'not-moved-yet',
    severity: 'information',
    message: `The catalog still calls this contract ${contractLabel(live)}; the file calls it ${contractLabel(identity)}.`,
    hint: 'Identity fields are never patched: rename or move it in the catalog.',
    source: locate(['movedFrom']),
  };
}

function conflict(
  desired: DesiredContract,
  pointer: readonly string[],
  wanted: string | undefined,
  current: string | undefined,
): Diagnostic[] {
  if (wanted === undefined || current === undefined) return [];
  if (composed(idKey(wanted)) === composed(idKey(current))) return [];
  return [
    {
      code: 'identity-differs',
      severity: 'warning',
      message: `The file says \`${pointer.join('.')}: ${wanted}\`, the catalog says \`${current}\`; identity fields are never patched.`,
      hint: 'Correct the file, or rename the contract in the catalog.',
      source: desired.locate(pointer),
    },
  ];
}
