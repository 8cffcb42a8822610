import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createHeadReader,
  headOf,
  isWanted,
  type PageOfHeads,
  type Wanted,
} from '../../src/ahead/heads.ts';
import { createExcerptReader } from '../../src/ahead/excerpt.ts';
import { readPage } from '../../src/catalog/answers.ts';
import type { Attempt } from '../../src/catalog/request.ts';
import type { Content } from '../../src/http/body.ts';
import { rounds } from '../rounds.ts';

const wanted: Wanted = { identities: new Set(['a', 'warehouse.é']), names: [['sales', '**']] };
const readHeads = createHeadReader(wanted);

function contentOf(bytes: Uint8Array): Content {
  const middle = Math.floor(bytes.length / 2);
  return { type: null, chunks: [bytes.slice(0, middle), bytes.slice(middle)] };
}

/** What a page comes to where all of it is parsed. */
function parsed(bytes: Uint8Array): Attempt<PageOfHeads> {
  const page = readPage(contentOf(bytes));
  if ('fault' in page) return page;
  const contracts = page.value.contracts.map((contract) =>
    isWanted(wanted, contract) ? contract : headOf(contract),
  );
  return { value: { ...page.value, contracts } };
}

const name = fc.constantFrom('a', 'b', 'warehouse.é', 'sales.orders', '"]}\\', '\u{1F600}');
const anything = fc.jsonValue({ maxDepth: 3 });
const contract = fc
  .tuple(
    fc.record(
      {
        id: name,
        name: fc.oneof(name, anything),
        fullyQualifiedName: fc.oneof(name, anything),
        entityStatus: fc.oneof(name, anything),
        entity: fc.oneof(fc.record({ id: name, fullyQualifiedName: name }), anything),
        version: fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true }), anything),
      },
      { requiredKeys: ['id'] },
    ),
    fc.dictionary(fc.string({ unit: 'binary' }), anything),
  )
  .map(([known, others]) => ({ ...others, ...known }));
const page = fc.record({
  data: fc.array(contract, { maxLength: 5 }),
  paging: fc.record({ total: fc.nat(), after: fc.oneof(fc.constant(null), fc.string()) }),
  other: anything,
});
const pageBytes = fc
  .tuple(page, fc.constantFrom(0, 1, '\t'), fc.boolean())
  .map(([{ data, paging, ...rest }, indent, pagingFirst]) => {
    const whole = pagingFirst ? { paging, ...rest, data } : { data, paging, ...rest };
    return Buffer.from(JSON.stringify(whole, null, indent));
  });

type Change = { readonly at: number; readonly length: number; readonly byte: number };

/** Puts a byte in the place of another, or in between. */
function spoil(bytes: Buffer, { at, length, byte }: Change): Buffer {
  const start = at % bytes.length;
  return Buffer.concat([bytes.subarray(0, start), Buffer.of(byte), bytes.subarray(start + length)]);
}

describe('a page of which heads are read', () => {
  test('comes to what it comes to when all of it is parsed', () => {
    const skim = createExcerptReader(['id']);
    let skimmed = 0;
    fc.assert(
      fc.property(pageBytes, (bytes) => {
        if (skim(bytes)) skimmed += 1;
        expect(readHeads(contentOf(bytes))).toEqual(parsed(bytes));
      }),
      { numRuns: 1000 },
    );
    expect(skimmed).toBeGreaterThan(500);
  });

  test('is refused where it is cut short, for the reason that parsing gives', () => {
    fc.assert(
      fc.property(
        pageBytes,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (bytes, part) => {
          const cut = bytes.subarray(0, Math.floor(bytes.length * part));
          const attempt = readHeads(contentOf(cut));
          expect(attempt).toMatchObject({ fault: { code: 'malformed-answer', transient: true } });
          expect(attempt).toEqual(parsed(cut));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('comes to what parsing says, where bytes have changed, too', () => {
    const byte = fc.constantFrom(...Buffer.from('"\\{}[],:0 \n\u0001-+.eEtruxé'));
    const change = fc.record({ at: fc.nat(), length: fc.constantFrom(0, 1), byte });
    const counts = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(pageBytes, fc.array(change, { minLength: 1, maxLength: 3 }), (bytes, changes) => {
        const changed = changes.reduce(spoil, bytes);
        const expected = parsed(changed);
        counts['value' in expected ? 'taken' : 'refused'] += 1;
        expect(readHeads(contentOf(changed))).toEqual(expected);
      }),
      { numRuns: rounds(1500) },
    );
    expect(counts.taken).toBeGreaterThan(500);
    expect(counts.refused).toBeGreaterThan(500);
  });

  test.each([
    ['two lists', '{"data":[{"id":"a"}],"data":[{"id":"b"}]}'],
    ['a list and something else of its name', '{"data":[{"id":"a"}],"data":0}'],
    ['something else and a list of its name', '{"data":0,"data":[{"id":"a"}]}'],
    ['two accounts of its paging', '{"paging":{"after":"b"},"data":[{"id":"a"}],"paging":{}}'],
    ['a total that is no count', '{"data":[{"id":"a","x":1}],"paging":{"total":"1"}}'],
    ['a cursor and no contract', '{"data":[],"paging":{"after":"b"}}'],
    ['an id twice', '{"data":[{"id":"b","x":1,"id":"a"}]}'],
    ['an escape in a name of the page', '{"d\\u0061ta":[{"id":"a","x":1}]}'],
    ['an escape in a name of a contract', '{"data":[{"\\u0069d":"a","x":1}]}'],
    ['an element that is no contract', '{"data":[{"id":"a"},7]}'],
    ['a contract without an id', '{"data":[{"name":"a"}]}'],
    ['a byte order mark', '\u{FEFF}{"data":[{"id":"a","x":1}]}'],
    ['blanks around it', ' \r\n\t{ "data" : [ { "id" : "a" , "x" : 1 } , { } ] } \n'],
    ['something behind it', '{"data":[{"id":"a"}]} x'],
    ['a comma too many', '{"data":[{"id":"a"},]}'],
    ['a comma too few', '{"data":[{"id":"a"}{"id":"b"}]}'],
    ['a value too few', '{"data":[{"id":"a","x":}]}'],
    ['a list in its place', '[{"data":[]}]'],
    ['nothing', ''],
  ])('with %s comes to what parsing says', (_what, text) => {
    const bytes = Buffer.from(text);
    expect(readHeads(contentOf(bytes))).toEqual(parsed(bytes));
  });

  test.each(['a', 'b'])(
    'is refused where contract %s, wanted or not, is malformed inside',
    (id) => {
      for (const value of malformed) {
        const bytes = Buffer.from(`{"data":[{"id":"${id}","schema":[${value}]}]}`);
        expect(readHeads(contentOf(bytes))).toMatchObject({ fault: { code: 'malformed-answer' } });
      }
    },
  );

  test('does not lose the neighbour of a contract with a quote too many', () => {
    const [first, second] = ['b', 'a'].map((id) => `{"id":"${id}","description":"A 5" pipe"}`);
    const bytes = Buffer.from(`{"data":[${first},${second}]}`);
    expect(readHeads(contentOf(bytes))).toMatchObject({ fault: { code: 'malformed-answer' } });
  });

  test('may be nested however deep', () => {
    const deep = `{"data":[{"id":"b","x":${'['.repeat(5000)}${']'.repeat(5000)}}],"paging":{}}`;
    expect(readHeads(contentOf(Buffer.from(deep)))).toEqual({
      value: { contracts: [{ id: 'b' }] },
    });
  });
});

const malformed = [
  'nonsense',
  'True',
  'nul',
  '01',
  '-',
  '1.',
  '.5',
  '+1',
  '1e',
  '1e+',
  '"\\x"',
  '"\\u12G4"',
  '"\u0001"',
  '"\n"',
  '{"a" 1}',
  '{"a":}',
  '{1:1}',
  '{"a":1,}',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{]',
  '[}',
];
