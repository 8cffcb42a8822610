import { expect, test } from 'vitest';
import { NotJson, skipValue } from '../../src/ahead/json-bytes.ts';

const places = [...Array(20).keys()];
const bytes = [...Array(256).keys()];

test.each(places)(
  'a byte at %i of a string is stepped over where it stands for itself',
  (place) => {
    for (const byte of bytes) {
      const text = Buffer.from(`[${'a'.repeat(3)}"${'a'.repeat(40)}"`).subarray(place % 4);
      const start = text.indexOf('"');
      text[start + 1 + place] = byte;
      const stepOver = () => skipValue(text, start);
      if (byte === 0x22) expect(stepOver()).toBe(start + place + 2);
      else if (byte < 0x20 || byte === 0x5c) expect(stepOver).toThrow(NotJson);
      else expect(stepOver()).toBe(text.length);
    }
  },
);

test('a string that is not ASCII is stepped over as a whole', () => {
  for (const text of ['ä', 'Bestellungen für übermorgen, täglich', '注文'.repeat(20)]) {
    const json = Buffer.from(JSON.stringify(text));
    expect(skipValue(json, 0)).toBe(json.length);
  }
});
