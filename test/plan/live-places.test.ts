import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { diff } from '../../src/patch/diff.ts';
import { valueByKey } from '../../src/patch/key-path.ts';
import { formatPointer } from '../../src/patch/pointer.ts';
import { livePlaces } from '../../src/plan/live-places.ts';

const column = fc.record({
  name: fc.constantFrom('id', 'amount', 'city', 'note', 'total'),
  dataType: fc.constantFrom('INT', 'TEXT'),
});
const columns = fc.uniqueArray(column, { selector: ({ name }) => name, maxLength: 5 });

test.prop([columns, columns])(
  'each operation is about the place that it changes',
  (live, wanted) => {
    const edits = diff({ schema: live }, { schema: wanted });
    const places = livePlaces(
      { schema: live },
      edits.map(({ operation }) => operation),
      {},
    );
    expect(places).toHaveLength(edits.length);
    for (const [index, { operation }] of edits.entries()) {
      const { path = [], of } = places[index] ?? {};
      const [before, after] = [live, wanted].map((schema) => valueByKey({ schema }, path));
      if (operation.op === 'move') expect({ path, of }).toEqual({ path: ['schema'], of: 'order' });
      if (operation.op === 'remove') expect(before).toBeDefined();
      if (operation.op === 'add') expect(after).toEqual(operation.value);
      if (operation.op === 'replace') expect(before, formatPointer(path)).toBeDefined();
    }
  },
);
