import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readBasePolicy } from '../../src/config/policy.ts';
import { commitFirst, policyPlace } from '../support/git-folder.ts';
import { makeFolder } from '../support/workspace.ts';

function changesOf(before: string, after: string) {
  const folder = makeFolder({ 'contract-sync.yaml': before });
  commitFirst(folder);
  writeFileSync(join(folder, 'contract-sync.yaml'), after);
  return readBasePolicy('HEAD', policyPlace(folder)).changed;
}

const allow = (contract: string, more: string): string =>
  `allow: [{ contract: ${contract}, rule: column-removed, reason: agreed${more} }]`;

test.each([
  ['compatibility: { mode: full }', 'compatibility: { mode: none }', true],
  ['compatibility: { mode: none }', 'compatibility: { mode: full }', false],
  ['compatibility: { mode: forward }', 'compatibility: { mode: backward }', false],
  ['', 'compatibility: { active: warn }', true],
  ['', 'missing: report', true],
  ['drift: block', '', true],
  ['', 'conflicts: block', false],
  ['limits: { updates: 20% }', '', true],
  ['limits: { updates: 5 }', 'limits: { updates: 6% }', false],
  ['', 'limits: { from: 100 }', true],
  ['reviews: { breaking: a }', '', true],
  ['reviews: { breaking: a }', 'reviews: { breaking: [a, b] }', true],
  ['reviews: { breaking: [a, b] }', 'reviews: { breaking: a }', false],
  ['', 'reviews: { breaking: a }', false],
  ['reviews: { breaking: readers }', '', true],
  ['reviews: { breaking: readers }', 'reviews: { breaking: a }', true],
  ['reviews: { breaking: readers }', 'reviews: { breaking: readers, notice: 30d }', true],
  [
    'reviews: { breaking: readers, notice: 4w }',
    'reviews: { breaking: readers, notice: 30d }',
    false,
  ],
  [
    'reviews: { breaking: readers, notice: 30d }',
    'reviews: { breaking: readers, notice: 2w }',
    true,
  ],
  ['reviews: { breaking: readers }', 'reviews: { breaking: readers, fallback: a }', true],
  ['protected: ["a.b"]', 'protected: ["a.c"]', true],
  ['', 'protected: ["a.b"]', false],
  ['', allow('a.b', ''), true],
  [allow('a.b', ''), allow('a.b', ', place: schema.c, until: 2027-01-31'), false],
  [allow('a.b', ', place: schema.c'), allow('a.b', ''), true],
  ['', 'ignore: [/schema/*/tags]', true],
  ['ignore: [/schema/*/tags]', '', false],
  ['', 'create: true', true],
  ['create: true', '', false],
  ['', 'catalog: { dialect: standard }', false],
])('%s → %s loosens the checks: %s', (before, after, loosens) => {
  expect(changesOf(before, after)).toMatchObject([{ loosens }]);
});

test('writing out a default changes no policy', () => {
  const written =
    'catalog: { dialect: auto }\nmissing: error\ncompatibility: { mode: forward, active: error }\nlimits: { from: 10 }\nignore: []\n';
  expect(changesOf('', written)).toEqual([]);
});

test("the URL of the catalog and its credentials don't count as policy", () => {
  expect(changesOf('', 'catalog: { url: "https://a.example", concurrency: 2 }')).toEqual([]);
});
