import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { type Document, parseAllDocuments, stringify } from 'yaml';
import { readDocuments } from '../../../src/files/read/document.ts';

/**
 * The valid cases of github.com/yaml/yaml-test-suite (MIT licence) that have a JSON form, by
 * their identifiers.
 */
const cases: readonly (readonly [string, string])[] = Object.entries(
  JSON.parse(readFileSync(join(import.meta.dirname, 'yaml-test-suite.json'), 'utf8')),
);

test.each(cases)(
  'a case of the YAML test suite is read as the yaml package reads it: %s',
  (_name, text) => {
    const codes = readFindings(text);
    expect(codes.filter((code) => code !== 'unknown-tag')).toEqual([]);
    if (codes.length > 0) return;
    // Readers count documents without content differently.
    const [own, others] = [readValues(text), packageValues(text)].map(withoutNulls);
    expect(own).toEqual(others);
  },
);

function withoutNulls(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value) => value !== null);
}

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
const harmless: ReadonlySet<string> = new Set(['forbidden-key', 'number-too-long']);

function readValues(text: string): unknown[] {
  return readDocuments(text).documents.map(({ value }) => value);
}

function readFindings(text: string): string[] {
  const { documents, errors } = readDocuments(text);
  return [...errors, ...documents.flatMap((each) => each.errors)].map(({ code }) => code);
}

function packageValues(text: string): unknown[] {
  const documents = parseAllDocuments(text, { resolveKnownTags: false, logLevel: 'silent' });
  return [...(documents as Iterable<Document>)].map((document) => document.toJS());
}
