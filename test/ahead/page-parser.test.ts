import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { headOf, isWanted, isWhole, type PageOfHeads, type Wanted } from '../../src/ahead/heads.ts';
import { createPageParser, type PageParser } from '../../src/ahead/page-parser.ts';
import { standard } from '../../src/catalog/dialects/standard.ts';
import { openmetadata } from '../../src/catalog/dialects/openmetadata/openmetadata.ts';
import type { ContractHead, Identity } from '../../src/contract/contract.ts';
import { lookupValue } from '../../src/contract/identity.ts';
import { parseNamePattern } from '../../src/contract/name-pattern.ts';
import type { JsonValue } from '../../src/core/json.ts';
import type { Content } from '../../src/http/body.ts';
import { createMatcher } from '../../src/plan/match.ts';
import { idOf } from '../catalog/server.ts';
import { makeFolder } from '../workspace.ts';

const program = join(import.meta.dirname, '../../src/ahead/pages-worker.ts');
const longList = 100_000;

/** In chunks that cut characters, one with memory of its own, the others with some that they share. */
function contentOf(text: string): Content {
  const bytes = new TextEncoder().encode(text);
  const chunks = [bytes.slice(0, 7), bytes.subarray(7, 50), bytes.subarray(50)];
  return { type: 'application/json', chunks };
}

function pageOf(...data: JsonValue[]): Content {
  return contentOf(JSON.stringify({ data, paging: { total: 9, after: 'c' } }));
}

function wantedOf(identities: readonly Identity[], names: readonly string[] = []): Wanted {
  const values = identities.map(lookupValue).filter((value) => value !== undefined);
  return { identities: new Set(values), names: names.map(parseNamePattern) };
}

function parserOf(wanted: Wanted, ofProgram = program): PageParser {
  const parser = createPageParser(wanted, ofProgram);
  onTestFinished(parser.close);
  return parser;
}

function threadedParser(wanted: Wanted, ofProgram = program): PageParser {
  const parser = parserOf(wanted, ofProgram);
  parser.expect(longList);
  return parser;
}

/** What a page comes to, its contracts without a document where that has not been read. */
async function headsOf(parser: PageParser, content: Content): Promise<PageOfHeads> {
  const page = await parser.parse(content);
  if ('fault' in page) throw new Error(page.fault.message);
  const contracts = page.value.contracts.map((contract) =>
    isWhole(contract) ? contract : headOf(contract),
  );
  return { ...page.value, contracts };
}

test('nobody can look into a contract that has not been read', async () => {
  const parser = threadedParser(wantedOf([]));
  const page = await parser.parse(pageOf(orders));
  const [contract] = 'value' in page ? page.value.contracts : [];
  expect(contract?.id).toBe(idOf(1));
  expect(() => contract?.document['name']).toThrow('not asked for whole');
  expect(() => JSON.stringify(contract?.document)).toThrow('not asked for whole');
});

const orders = { id: idOf(1), name: 'orders', version: 0.1, extra: [null, '…'.repeat(50)] };
const customers = { ...orders, id: idOf(2), name: 'customers', entityStatus: 'Draft' };
const items = { ...orders, id: idOf(3), fullyQualifiedName: 'shop.items' };

test('a short list is read whole, page by page', async () => {
  const parser = parserOf(wantedOf([]));
  parser.expect(100);
  const page = await parser.parse(pageOf(orders, customers));
  expect(page).toMatchObject({ value: { contracts: [{ document: orders }, { version: '0.1' }] } });
  expect(parser.isBeside()).toBe(false);
});

test('a list of some thousands is read here, and of what nobody means the head', async () => {
  const parser = parserOf(wantedOf([{ id: idOf(1) }]));
  parser.expect(5000);
  expect(await headsOf(parser, pageOf(orders, customers))).toMatchObject({
    contracts: [{ document: orders }, { id: idOf(2) }],
  });
  expect(parser.isBeside()).toBe(false);
});

test('of a long list those are whole that are looked up or named, of the others the head comes', async () => {
  const wanted = wantedOf([{ id: idOf(1) }], ['shop.**']);
  const parser = threadedParser(wanted);
  expect(parser.isBeside()).toBe(true);
  expect(await headsOf(parser, pageOf(orders, customers, items))).toEqual({
    contracts: [
      { id: idOf(1), name: 'orders', version: '0.1', document: orders },
      { id: idOf(2), name: 'customers', entityStatus: 'Draft' },
      { ...items, extra: undefined, version: '0.1', document: items },
    ],
    total: 9,
    after: 'c',
  });
});

test('what is no page is refused by the thread as it is here', async () => {
  const here = parserOf(wantedOf([]));
  const threaded = threadedParser(wantedOf([]));
  for (const text of ['', '{"data":[', '[]', '{"data":[{}]}', '{"data":[],"paging":{"after":1}}']) {
    const refused = await threaded.parse(contentOf(text));
    expect(refused).toMatchObject({ fault: { message: expect.stringMatching(/\.$/u) } });
    expect(refused).toEqual(await here.parse(contentOf(text)));
  }
});

test('a page over which the thread ends may be asked for again, and is then read here', async () => {
  const folder = makeFolder({
    'broken.mjs': `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => process.exit(1));`,
  });
  const parser = threadedParser(wantedOf([{ id: idOf(1) }]), join(folder, 'broken.mjs'));
  const lost = await Promise.all([parser.parse(pageOf(orders)), parser.parse(pageOf(customers))]);
  const fault = { code: 'malformed-answer', transient: true };
  expect(lost).toMatchObject([{ fault }, { fault }]);
  expect(parser.isBeside()).toBe(false);
  expect(await headsOf(parser, pageOf(orders, customers))).toMatchObject({
    contracts: [{ document: orders }, { id: idOf(2) }],
  });
});

test('whatever a file means is wanted, in either dialect', () => {
  const word = fc.constantFrom('a', 'b', 'a.b', 'c');
  const reference = fc.record({ id: word, fullyQualifiedName: word }, { requiredKeys: [] });
  const identity = fc.record(
    { id: word, fullyQualifiedName: word, name: word, entity: reference },
    { requiredKeys: [] },
  );
  const suffixed = fc.tuple(word, word).map(([entity, name]) => `${entity}.dataContract_${name}`);
  const head: fc.Arbitrary<ContractHead> = fc.record(
    { id: word, name: word, fullyQualifiedName: fc.oneof(word, suffixed), entity: reference },
    { requiredKeys: ['id'] },
  );
  let found = 0;
  fc.assert(
    fc.property(fc.array(identity, { maxLength: 3 }), head, (identities, listed) => {
      const source = { file: 'a.yaml', line: 1, column: 1 };
      const desired = identities.map((each) => ({
        identity: each,
        managed: {},
        source,
        locate: () => source,
      }));
      for (const { complete } of [standard, openmetadata]) {
        const live = { ...complete(listed), document: {} };
        if (!createMatcher(desired).match(live)) continue;
        found += 1;
        expect(isWanted(wantedOf(identities), listed)).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
  expect(found).toBeGreaterThan(500);
});
