import { expect, test } from 'vitest';
import { guessKeys } from '../../src/files/guess-keys.ts';
import { largestFile } from '../../src/files/obstacle.ts';
import { makeFolder } from './folder.ts';

function guess(text: string): string[] {
  return guessKeys(['a.yaml'], makeFolder({ 'a.yaml': text }), ['owners', 'reviewers']);
}

test.for([
  ['id: x\nowners: []\n', ['owners']],
  ['{ "owners" : [], reviewers: [] }', ['owners', 'reviewers']],
  ["id: x\r\n'reviewers':\r\n  - name: x\r\n", ['reviewers']],
  ['{\n  id: x,\n\towners: []\n}', ['owners']],
  ['description: the owners of this\nco-owners: []\n', []],
] as const)('the text %j seems to hold the keys %j', ([text, keys]) => {
  expect(guess(text)).toEqual(keys);
});

test('a file that is too large to be read is not looked at', () => {
  expect(guess(`owners: []\n${' '.repeat(largestFile)}`)).toEqual([]);
});

// Each of its lines could begin a key.
test('a megabyte of empty lines takes no time to speak of', () => {
  expect(guess(`id: owners\n${'\n'.repeat(1_000_000)}`)).toEqual([]);
});
