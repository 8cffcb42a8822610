import type { Diagnostic } from '../diagnostic.ts';
import type { DesiredContract, EntityReference, Identity, LiveContract } from './contract.ts';

/** How a contract is called towards people: its qualified name, or the best that is known. */
export function contractLabel(identity: Identity): string {
  return (
    identity.fullyQualifiedName ??
    qualifiedName(identity.name, identity.entity) ??
    identity.name ??
    identity.id ??
    'a contract without a name'
  );
}

/** The names that a pattern may match: the contract's own, and that of what it is attached to. */
export function qualifiedNames({ fullyQualifiedName, entity }: Identity): string[] {
  return [fullyQualifiedName, entity?.fullyQualifiedName].filter((name) => name !== undefined);
}

function qualifiedName(
  name: string | undefined,
  entity: EntityReference | undefined,
): string | undefined {
  const owner = entity?.fullyQualifiedName ?? entity?.id;
  return name !== undefined && owner !== undefined ? `${owner} (${name})` : undefined;
}

/**
 * What a file's identity is looked up by, strongest kind first: `id`, else `fullyQualifiedName`,
 * else `name` with `entity.id` or `entity.fullyQualifiedName`. Empty where it names no contract.
 */
export function desiredKey(identity: Identity): string | undefined {
  return identityKeys(identity)[0];
}

/** Every key under which a live contract can be looked up, strongest kind first. */
export function identityKeys({ id, fullyQualifiedName, name, entity }: Identity): string[] {
  const keys: string[] = [];
  if (id !== undefined) keys.push(key('id', id));
  if (fullyQualifiedName !== undefined) keys.push(key('fullyQualifiedName', fullyQualifiedName));
  if (name !== undefined && entity?.id !== undefined) {
    keys.push(key('name+entity.id', name, entity.id));
  }
  if (name !== undefined && entity?.fullyQualifiedName !== undefined) {
    keys.push(key('name+entity.fullyQualifiedName', name, entity.fullyQualifiedName));
  }
  return keys;
}

/** No two identities make one key: the length of the first part tells where the second begins. */
function key(kind: string, first: string, second = ''): string {
  return `${kind} ${first.length} ${first}${second}`;
}

/** The asset by which alone a file's contract is found; undefined where it has another identity. */
export function lookupEntity({ id, fullyQualifiedName, entity }: Identity): string | undefined {
  const isOther = id !== undefined || fullyQualifiedName !== undefined;
  return !isOther && uuid.test(entity?.id ?? '') ? entity?.id : undefined;
}

/** RFC 9562 §4. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** Identity members on which file and catalog differ: they are never patched, so they never agree. */
export function identityConflicts(live: LiveContract, desired: DesiredContract): Diagnostic[] {
  const { identity } = desired;
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

function conflict(
  desired: DesiredContract,
  pointer: readonly string[],
  wanted: string | undefined,
  current: string | undefined,
): Diagnostic[] {
  if (wanted === undefined || current === undefined || wanted === current) return [];
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
