import { expect, test } from 'vitest';
import { decodeText } from '../../../src/files/text.ts';

/** YAML 1.2 §5.1. */
const allowed = ['\t', '\n', '\r\n', '\u0085'];

const controls = [...Array(0xa0).keys()]
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /^\p{Cc}$/u.test(character));

test.each([
  ['of ASCII', 'name: orders'],
  ['with more than ASCII', 'name: bestellungen für übermorgen'],
])('control characters are found in a text %s', (_, before) => {
  for (const character of controls.filter((each) => !allowed.includes(each))) {
    expect(decode(`${before}${character}.`)).toMatchObject({
      problem: { code: 'yaml-syntax', source: { line: 1, column: before.length + 1 } },
    });
  }
  const text = `${before}${allowed.join(before)}.`;
  expect(decode(text)).toEqual({ text });
});

function decode(text: string) {
  return decodeText('a.yaml', Buffer.from(text));
}
