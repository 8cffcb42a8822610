import { splitSegments } from '../contract/names.ts';
import type { Identity } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import { ConfigError } from '../core/diagnostic.ts';
import { didYouMean, quote } from '../core/text.ts';

const parts: Readonly<Record<string, (segments: readonly string[], live: Identity) => string>> = {
  name: (segments, { name }) => name ?? segments.at(-1) ?? '',
  domain: (segments) => segments.at(-2) ?? '',
  service: ([service = '']) => service,
  database: ([, database = '']) => database,
  schema: ([, , schema = '']) => schema,
  table: ([, , , table = '']) => table,
};

/** Paths that are the same name to some file systems have the same key. */
export function pathKey(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase();
}

/** Whether some get the same path from every pattern. */
export function areTwins(contracts: readonly Identity[]): boolean {
  return new Set(contracts.map((live) => pathKey(fullest(live)))).size < contracts.length;
}

export function parsePathPattern(text: string): (live: Identity) => string {
  const known = Object.keys(parts);
  const unknown = [...text.matchAll(/\{([^{}]*)\}?/gu)].find(
    ([braces, part = '']) => !braces.endsWith('}') || !known.includes(part),
  );
  if (unknown) {
    const hint = didYouMean(unknown[1] ?? '', known) ?? `The parts are ${known.join(', ')}.`;
    throw invalidInto(text, `has the unknown part ${quote(unknown[0])}`, hint);
  }
  if (!/\.ya?ml$/u.test(text) || /^(?:\/|.*(?:^|\/)\.\.(?:\/|$))/u.test(text)) {
    const hint = 'Use a pattern such as contracts/{domain}/{name}.yaml.';
    throw invalidInto(text, 'is not a YAML file inside the folder', hint);
  }
  if (/(?:^|\/)(?:\.[^/]|git~\d|node_modules\/)/iu.test(text)) {
    const hint =
      'No part of the pattern may start with a dot or be node_modules: contract files are not looked for there.';
    throw invalidInto(text, 'names a hidden file or folder', hint);
  }
  return (live) => {
    const named = live.entity?.fullyQualifiedName ?? live.fullyQualifiedName ?? contractLabel(live);
    const segments = splitSegments(named);
    const filled = text.split('/').map((segment) => fill(segment, segments, live));
    const file = filled.pop() ?? '';
    const folders = filled.filter((segment) => segment !== '' && segment !== '.');
    // Neither skipped nor taken for a file in a search; Windows drops a dot at the end.
    const safe = folders.map((name) =>
      name.replace(/^node_modules$|\.ya?ml$/iu, '$&_').replace(/\.$/u, '_'),
    );
    return [...safe, file].map((name) => name.replace(reserved, '$&_')).join('/');
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

// Names of devices on Windows, also with an extension.
const reserved = /^(?:con|prn|aux|nul|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?=\.|$)/iu;

function invalidInto(text: string, complaint: string, hint: string): ConfigError {
  return new ConfigError('invalid-command-line', `--into ${quote(text)} ${complaint}.`, { hint });
}

const fullest = parsePathPattern(
  `${Object.keys(parts)
    .map((part) => `{${part}}`)
    .join('/')}.yaml`,
);
