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
