import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutPage, readPage } from '../../src/catalog/answers.ts';
import { isArray, type JsonValue } from '../../src/core/json.ts';
import { idOf } from '../support/server.ts';
import { rounds } from '../support/rounds.ts';

const headers = new Headers({ 'content-type': 'application/json' });

const blanks = fc.constantFrom('', ' ', '\n\t', ' '.repeat(70));

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('{', ']', '"', '\\', '\\"', '"data":[', '\u2028'),
);

// V8 reads a key of one quotation mark as a backslash where it has seen that key before.
const key = text.filter((each) => !each.includes('\\'));

const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom<JsonValue>(null, true, 0, -1.5e3),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(key, fc.constant('data')), tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Pages, and what only looks like one, with blanks around the tokens of the outermost object. */
const pages = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom('data', 'paging'), key), value, blanks), {
    maxLength: 4,
  })
  .chain((members) =>
    fc.constantFrom(0, 2).map((indent) => {
      const written = members.map(
        ([name, member, blank]) =>
          `${blank}${JSON.stringify(name)}${blank}:${blank}${JSON.stringify(member, null, indent)}`,
      );
      return `{${written.join(',')}}`;
    }),
  );

/** The page with the elements of its last `data` back in their places. */
function joined(page: string): JsonValue {
  const { elements, rest } = cutPage(page);
  const parsed = elements.map(({ text: each }): JsonValue => JSON.parse(each));
  let next = 0;
  const whole: JsonValue = JSON.parse(rest, (key, member: JsonValue) =>
    key === 'data' && Array.isArray(member)
      ? member.map((each: JsonValue) => (each === null ? (parsed[next++] ?? null) : each))
      : member,
  );
  return whole;
}

const longLists = new Set(['schema', 'semantics']);

function shortOf(contract: Readonly<Record<string, JsonValue>>): JsonValue {
  const members = Object.entries(contract);
  return Object.fromEntries(
    members.map(([name, held]) => [name, longLists.has(name) && isArray(held) ? null : held]),
  );
}

test('the elements of a page are cut out where they are', () => {
  const member = fc.oneof(key, fc.constantFrom('schema', 'semantics'));
  const listing = fc.array(fc.oneof(fc.dictionary(member, value), fc.array(value)));
  fc.assert(
    fc.property(listing, value, blanks, fc.constantFrom(0, 2), (data, paging, blank, indent) => {
      const [before, listed] = [paging, data].map((each) => JSON.stringify(each, null, indent));
      const page = `{"paging": ${before}, "data"${blank}:${listed}}`;
      const { elements, rest } = cutPage(page);
      expect(elements.map(({ text: each }): JsonValue => JSON.parse(each))).toEqual(data);
      expect(JSON.parse(rest)).toEqual({ paging, data: data.map(() => null) });
      for (const [index, contract] of data.entries()) {
        const { short = '' } = elements[index] ?? {};
        if (!isArray(contract)) expect(JSON.parse(short)).toEqual(shortOf(contract));
      }
    }),
    { numRuns: rounds(500) },
  );
});

test('a page with a slip anywhere is as wrong in pieces as it is whole', () => {
  const slips = fc.tuple(
    fc.nat(),
    fc.nat({ max: 1 }),
    fc.constantFrom('', '"', '{', '}', '[', ']', ',', '\\', ':', 'n'),
  );
  fc.assert(
    fc.property(pages, slips, (page, [place, removed, added]) => {
      const at = place % (page.length + 1);
      const slipped = page.slice(0, at) + added + page.slice(at + removed);
      let isJson = true;
      try {
        JSON.parse(slipped);
      } catch {
        isJson = false;
      }
      if (isJson) expect(() => joined(slipped)).not.toThrow();
      else expect(() => joined(slipped)).toThrow(SyntaxError);
    }),
    { numRuns: rounds(2500) },
  );
});

test('a contract is cut to the part that is kept before the next is read', () => {
  const data = [1, 2].map((each) => ({ id: idOf(each), name: `orders ${each}` }));
  const kept: string[] = [];
  const page = readPage({ headers, text: JSON.stringify({ data }) }, (live) => {
    kept.push(live.id);
    return { id: live.id, document: {} };
  });
  expect(kept).toEqual([idOf(1), idOf(2)]);
  expect(page).toEqual({
    value: { contracts: kept.map((id) => ({ id, document: {} })), oddEnd: 'unpaged' },
  });
});

test.each([
  `{"id":"1","name":"orders","version":1.0,"updatedAt":7,"owners":[{"deleted":true}]}`,
  `{"id":"1","sla":{"amount":12345678901234567890.5}}`,
  `{"id":"1","schema":${'['.repeat(200)}${']'.repeat(200)}}`,
  `{"semantics":[{"id":"a]\\""}],"id":"1", "sch\\u0065ma" : [], "schema" : [{"schema":[2]},"id"] ,"name":"n"}`,
  `{"id":"1","schema":{"name":[]},"sla":["schema",[3]]}`,
])('a contract that is kept is read whole, and one that is left out not checked: %s', (text) => {
  const page = `{"data":[${text}],"paging":{}}`;
  expect(readPage({ headers, text: page }, (live) => live)).toEqual(
    readPage({ headers, text: page }),
  );
  const left = readPage({ headers, text: page }, ({ id }) => ({ id, document: {} }));
  expect(left).toEqual({ value: { contracts: [{ id: '1', document: {} }] } });
});

test.each([
  ['null among them', '{"data":[null,{"id":"1"}],"paging":{}}'],
  ['null alone', '{"data":[null],"more":[{"id":"1"}],"paging":{}}'],
  ['a number', '{"data":[{"id":"1"},5],"paging":{}}'],
  ['one without an id', '{"data":[{"id":"1"},{}],"paging":{}}'],
  ['a list', '{"data":[[{"id":"1"}]],"paging":{}}'],
  ['one only in a list of a like name', '{"data":[null],"x\\"data":[{"id":"1"}],"paging":{}}'],
])('a page with %s is refused', (_, page) => {
  const read = readPage({ headers, text: page });
  expect(read).toMatchObject({ fault: { code: 'unexpected-answer' } });
});

test('a page is read however its members are written', () => {
  const contract = { id: idOf(1), data: [{ paging: [] }], text: '"data":[{]}' };
  for (const page of [
    `{"paging":{"after":"c"},"data":[${JSON.stringify(contract)}]}`,
    `{"d\\u0061ta":[${JSON.stringify(contract)}],"paging":{"after":"c"}}`,
    JSON.stringify({ data: [contract], paging: { after: 'c' } }, null, 2),
    JSON.stringify({ data: [contract], 'x"data': [{}], paging: { after: 'c' } }),
    `{"data":[${JSON.stringify(contract)}],"text":"${'\\n'.repeat(2 ** 22)}","paging":{"after":"c"}}`,
  ]) {
    const read = readPage({ headers, text: page });
    expect(read).toMatchObject({ value: { after: 'c', contracts: [{ document: contract }] } });
  }
});

test.each([
  ['behind a contract without an id', '{"data":[{},{"id":}],"paging":{}}'],
  ['where "data" comes twice', '{"data":[{"id":}],"data":[]}'],
])('a page with a broken contract %s is requested again', (_, page) => {
  const read = readPage({ headers, text: page });
  expect(read).toMatchObject({ fault: { code: 'unexpected-answer', transient: true } });
});
