import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { documented } from '../../src/catalog/dialects/choose.ts';
import { openmetadata } from '../../src/catalog/dialects/openmetadata.ts';
import { siftPages, type PageReader } from '../../src/catalog/page-reader.ts';
import type { Content } from '../../src/http/body.ts';
import { passes, type Sieve } from '../../src/catalog/sieve.ts';
import type { ContractHead, Identity } from '../../src/contract/contract.ts';
import { lookupValue } from '../../src/contract/identity.ts';
import { parseNamePattern } from '../../src/contract/name-pattern.ts';
import type { JsonValue } from '../../src/core/json.ts';
import { createMatcher } from '../../src/plan/match.ts';
import { makeFolder } from '../workspace.ts';
import { idOf } from './server.ts';

const program = join(import.meta.dirname, '../../src/catalog/page-worker.ts');
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

function sieveOf(identities: readonly Identity[], names: readonly string[] = []): Sieve {
  const values = identities.map(lookupValue).filter((value) => value !== undefined);
  return { identities: new Set(values), names: names.map(parseNamePattern) };
}

function readerOf(sieve: Sieve, ofProgram = program): PageReader {
  const reader = siftPages(sieve, ofProgram);
  onTestFinished(reader.close);
  return reader;
}

function threadedReader(sieve: Sieve, ofProgram = program): PageReader {
  const reader = readerOf(sieve, ofProgram);
  reader.expect(longList);
  return reader;
}

const orders = { id: idOf(1), name: 'orders', version: 0.1, extra: [null, '…'.repeat(50)] };
const customers = { ...orders, id: idOf(2), name: 'customers', entityStatus: 'Draft' };
const items = { ...orders, id: idOf(3), fullyQualifiedName: 'shop.items' };

test('a short list is read whole, page by page', async () => {
  const reader = readerOf(sieveOf([]));
  reader.expect(100);
  const page = await reader.read(pageOf(orders, customers));
  expect(page).toMatchObject({ value: { contracts: [{ document: orders }, { version: '0.1' }] } });
  expect(reader.ahead()).toBe(1);
});

test('of a long list those are whole that are looked up or named, of the others the head comes', async () => {
  const sieve = sieveOf([{ id: idOf(1) }], ['shop.**']);
  const reader = threadedReader(sieve);
  expect(reader.ahead()).toBeGreaterThan(1);
  expect(await reader.read(pageOf(orders, customers, items))).toEqual({
    value: {
      contracts: [
        { id: idOf(1), name: 'orders', version: '0.1', document: orders },
        { id: idOf(2), name: 'customers', entityStatus: 'Draft' },
        { ...items, extra: undefined, version: '0.1', document: items },
      ],
      total: 9,
      after: 'c',
    },
  });
});

test('what is no page is refused by the thread as it is here', async () => {
  const here = readerOf(sieveOf([]));
  const threaded = threadedReader(sieveOf([]));
  for (const text of ['', '{"data":[', '[]', '{"data":[{}]}', '{"data":[],"paging":{"after":1}}']) {
    const refused = await threaded.read(contentOf(text));
    expect(refused).toMatchObject({ fault: { message: expect.stringMatching(/\.$/u) } });
    expect(refused).toEqual(await here.read(contentOf(text)));
  }
});

test('a page over which the thread ends may be asked for again, and is then read here', async () => {
  const folder = makeFolder({
    'broken.mjs': `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => process.exit(1));`,
  });
  const reader = threadedReader(sieveOf([{ id: idOf(1) }]), join(folder, 'broken.mjs'));
  const lost = await Promise.all([reader.read(pageOf(orders)), reader.read(pageOf(customers))]);
  const fault = { code: 'malformed-answer', transient: true };
  expect(lost).toMatchObject([{ fault }, { fault }]);
  expect(reader.ahead()).toBe(1);
  expect(await reader.read(pageOf(orders, customers))).toMatchObject({
    value: { contracts: [{ document: orders }, { id: idOf(2) }] },
  });
});

test('whatever a file means passes the sieve, in either dialect', () => {
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
      for (const { complete } of [documented, openmetadata]) {
        const live = { ...complete(listed), document: {} };
        if (!createMatcher(desired).match(live)) continue;
        found += 1;
        expect(passes(sieveOf(identities), listed)).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
  expect(found).toBeGreaterThan(500);
});
