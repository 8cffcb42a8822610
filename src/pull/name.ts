/** Paths of new files. Pure. */

import { splitSegments } from '../contract/names.ts';
import type { Identity } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import { ConfigError } from '../core/errors.ts';
import { didYouMean, quote } from '../core/text.ts';

const parts: Readonly<Record<string, (segments: readonly string[], live: Identity) => string>> = {
  name: (segments, { name }) => name ?? segments.at(-1) ?? '',
  domain: (segments) => segments.at(-2) ?? '',
  service: ([service = '']) => service,
  database: ([, database = '']) => database,
  schema: ([, , schema = '']) => schema,
  table: ([, , , table = '']) => table,
};

export type PathPattern = (live: Identity) => string;

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

// `longest` is in bytes; the result has no separators and is valid on every file system.
function safeName(name: string, longest: number): string {
  const safe = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '_')
    .replace(/^\.+/u, '_');
  // A character that is cut decodes as U+FFFD, which no safe name has.
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
