/** By what name a new file means its contract, and where it goes. Pure. */

import { splitSegments } from '../contract/names.ts';
import type { Identity, LiveContract } from '../contract/contract.ts';
import { contractLabel, identityKey, type IdentityKind } from '../contract/identity.ts';
import { ConfigError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { didYouMean, quote } from '../core/text.ts';

/** How many live contracts have a name: one that two of them have means neither. */
export type KnownNames = {
  readonly note: (live: Identity) => void;
  readonly isUnique: (kind: IdentityKind, identity: Identity) => boolean;
};

const readable = ['name+entity.fullyQualifiedName', 'fullyQualifiedName'] as const;

/** An ODCS document often means a contract by its entity alone. */
const known = [...readable, 'entity.fullyQualifiedName'] as const;

/** Starts without a name. */
export function createKnownNames(): KnownNames {
  const counts = new Map<string, number>();
  return {
    note: (live) => {
      for (const kind of known) {
        const key = keyOf(kind, live);
        if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    },
    isUnique: (kind, identity) => counts.get(keyOf(kind, identity) ?? '') === 1,
  };
}

function keyOf(kind: IdentityKind, identity: Identity): string | undefined {
  const key = identityKey(kind, identity);
  return key === undefined ? undefined : `${kind} ${key}`;
}

/** The identity that people read best, if it is the contract's alone; else its id. */
export function identityFor(live: LiveContract, { isUnique }: KnownNames): JsonObject {
  const { id, name, fullyQualifiedName, entity } = live;
  const kind = readable.find((each) => isUnique(each, live));
  if (kind === 'name+entity.fullyQualifiedName') {
    return {
      name: name ?? '',
      entity: {
        ...(entity?.type !== undefined && { type: entity.type }),
        fullyQualifiedName: entity?.fullyQualifiedName ?? '',
      },
    };
  }
  return kind === undefined ? { id } : { fullyQualifiedName: fullyQualifiedName ?? '' };
}

/** What may stand in braces, and what it is of a contract. */
const parts: Readonly<Record<string, (segments: readonly string[], live: Identity) => string>> = {
  name: (segments, { name }) => name ?? segments.at(-1) ?? '',
  domain: (segments) => segments.at(-2) ?? '',
  service: ([service = '']) => service,
  database: ([, database = '']) => database,
  schema: ([, , schema = '']) => schema,
  table: ([, , , table = '']) => table,
};

/** A pattern for the paths of new files, by the names of what they describe. */
export type PathPattern = (live: Identity) => string;

/** The pattern that a text such as `contracts/{domain}/{name}.yaml` writes. */
export function parsePathPattern(text: string): PathPattern {
  refuseUnknownParts(text);
  if (!/\.ya?ml$/u.test(text) || /^(?:\/|.*(?:^|\/)\.\.(?:\/|$))/u.test(text)) {
    throw invalidInto(
      text,
      'is not a YAML file inside the folder',
      'Use a pattern such as contracts/{domain}/{name}.yaml.',
    );
  }
  if (/(?:^|\/)(?:\.[^/]|git~\d)/iu.test(text)) {
    throw invalidInto(
      text,
      'names a hidden file or folder',
      'No part of the pattern may start with a dot: contract files are not looked for in hidden folders.',
    );
  }
  return (live) => {
    const named = live.entity?.fullyQualifiedName ?? live.fullyQualifiedName ?? contractLabel(live);
    const segments = splitSegments(named);
    return text
      .split('/')
      .map((segment) => fill(segment, segments, live))
      .filter((segment) => segment !== '' && segment !== '.')
      .join('/');
  };
}

function fill(segment: string, segments: readonly string[], live: Identity): string {
  const amount = segment.split('{').length - 1;
  const longest = Math.min(100, Math.floor(200 / amount));
  return segment.replaceAll(
    /\{(\w+)\}/gu,
    (braces, part: string) =>
      safeName(parts[part]?.(segments, live) ?? '', longest) || (segment === braces ? '' : '_'),
  );
}

/** A name as part of a path, in so many bytes: it leads nowhere else, and every file system takes it. */
function safeName(name: string, longest: number): string {
  const safe = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '_')
    .replace(/^\.+/u, '_');
  // What is left of a character that is cut decodes as U+FFFD, which no safe name has.
  return Buffer.from(safe)
    .subarray(0, longest)
    .toString()
    .replace(/\ufffd$/u, '');
}

function refuseUnknownParts(text: string): void {
  const known = Object.keys(parts);
  const unknown = [...text.matchAll(/\{([^{}]*)\}?/gu)].find(
    ([braces, part = '']) => !braces.endsWith('}') || !known.includes(part),
  );
  if (!unknown) return;
  const hint = didYouMean(unknown[1] ?? '', known) ?? `The parts are ${known.join(', ')}.`;
  throw invalidInto(text, `has the unknown part ${quote(unknown[0])}`, hint);
}

function invalidInto(text: string, complaint: string, hint: string): ConfigError {
  return new ConfigError('invalid-flag', `--into ${quote(text)} ${complaint}.`, { hint });
}
