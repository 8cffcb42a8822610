import { expect, test } from 'vitest';
import { type Guess, guess as guessOf, guessesStatus } from '../../src/ahead/guess.ts';
import { largestFile } from '../../src/files/find/walk.ts';
import { readSources } from '../../src/files/read/text.ts';
import { makeFolder } from '../files/folder.ts';

function guess(text: string): Guess<string> {
  const sources = readSources(['a.yaml'], makeFolder({ 'a.yaml': text }));
  return guessOf(sources, ['owners', 'reviewers']);
}

test.for([
  ['id: x\nowners: []\n', ['owners']],
  ['{ "owners" : [], reviewers: [] }', ['owners', 'reviewers']],
  ["id: x\r\n'reviewers':\r\n  - name: x\r\n", ['reviewers']],
  ['{\n  id: x,\n\towners: []\n}', ['owners']],
  ['description: the owners of this\nco-owners: []\n', []],
] as const)('the text %j seems to hold the keys %j', ([text, keys]) => {
  expect(guess(text).keys).toEqual(keys);
});

test.for([
  ['id: x\n', ['x']],
  ['fullyQualifiedName: shop.orders # the old one\r\n', ['shop.orders']],
  ['name: x\nentity:\n  id: "a b"\n', ['a b']],
  ["entity: {type: table, fullyQualifiedName: 'shop.ö'}\n", ['shop.ö']],
  ['fullyQualifiedName: shop."a, b"\n', ['shop."a, b"']],
  ['---\nid: x\n---\nid: y\n', ['x', 'y']],
  ['\uFEFFid: x\n', ['x']],
  ['{"id":"x","fullyQualifiedName":"a.\\"b.c\\""}', ['x']],
  ['entity: { type: table, fullyQualifiedName: y, id: x }', ['x', 'y']],
  ["id: 'it''s'\n", ["it's"]],
  ['fullyQualifiedName: "a.\\"b.c\\".d"\n', ['a."b.c".d']],
  ['description: the id: of this\n', []],
] as const)('the text %j seems to be about %j', ([text, identities]) => {
  expect([...guess(text).identities]).toEqual(expect.arrayContaining([...identities]));
  expect(guess(text).identities.size > 0).toBe(identities.length > 0);
});

test.for([
  ['entityStatus: Approved\n', true],
  ['{ name: x, \'entityStatus\' : "In Review" }', true],
  ['entityStatus: ApprovedNot\n', false],
  ['entityStatus: Draft # Approved\n', false],
  ['description: "entityStatus: Approved"\n', false],
] as const)('whether the text %j seems to give a status: %s', ([text, expected]) => {
  const sources = readSources(['a.yaml'], makeFolder({ 'a.yaml': text }));
  expect(guessesStatus(sources, ['Approved', 'In Review'])).toBe(expected);
  expect(guessesStatus(sources, [])).toBe(false);
});

test('a file that is too large to be read is not looked at', () => {
  expect(guess(`owners: []\n${' '.repeat(largestFile)}`).keys).toEqual([]);
});

// Each of its lines could begin a key.
test('a megabyte of empty lines takes no time to speak of', () => {
  expect(guess(`id: owners\n${'\n'.repeat(1_000_000)}`).keys).toEqual([]);
});
