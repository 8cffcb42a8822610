import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { type Document, parseAllDocuments, stringify } from 'yaml';
import { resolveAliases, toJson } from '../../../src/files/read/value.ts';
import { parseYaml } from '../../../src/files/read/yaml.ts';

/**
 * The valid cases of github.com/yaml/yaml-test-suite (MIT licence) that have a JSON form, by
 * their identifiers.
 */
const cases: readonly (readonly [string, string])[] = Object.entries(
  JSON.parse(readFileSync(join(import.meta.dirname, 'yaml-test-suite.json'), 'utf8')),
);

describe('a case of the YAML test suite is read as the yaml package reads it', () => {
  test.each(cases)('%s', (_name, text) => {
    expect(readFindings(text)).toEqual([]);
    expect(readValues(text)).toEqual(packageValues(text));
  });
});

property.prop(
  [fc.jsonValue({ noUnicodeString: false }), fc.constantFrom('PLAIN', 'BLOCK_FOLDED')],
  { examples: [[[-0], 'PLAIN']] },
)('any JSON value that the yaml package writes is read back', (value, defaultStringType) => {
  const text = stringify(value, { defaultStringType, aliasDuplicateObjects: false });
  const codes = readFindings(text);
  // By way of JSON, which has no -0.
  const written: unknown = JSON.parse(JSON.stringify(packageValues(text)));
  if (codes.length === 0) expect(readValues(text)).toEqual(written);
  else expect(codes.every((code) => harmless.has(code))).toBe(true);
});

// What a generated value may contain, and a contract may not.
const harmless: ReadonlySet<string> = new Set(['forbidden-key', 'integer-too-large']);

function readValues(text: string): unknown[] {
  const { documents, lines } = parseYaml(text);
  return documents.map((document) => toJson(document, resolveAliases(document, text), lines).value);
}

function readFindings(text: string): string[] {
  const { documents, lines, findings } = parseYaml(text);
  const converted = documents.flatMap((document) => [
    ...toJson(document, resolveAliases(document, text), lines).findings,
  ]);
  return [...findings, ...converted].map(({ code }) => code);
}

function packageValues(text: string): unknown[] {
  const documents = parseAllDocuments(text, { resolveKnownTags: false, logLevel: 'silent' });
  return [...(documents as Iterable<Document>)].map((document) => document.toJS());
}
