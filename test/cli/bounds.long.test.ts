import { createGzip } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type Answering, contractDocument, sendJson, serve } from '../support/server.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';
import { type MeasuredRun, runMeasured } from './measured.ts';

const token = 'eyJhbGciOiJub25lIn0.claims.signature';

/** Plans one file against a server. */
async function planAgainst(answering: Answering, file = 'name: a\nfullyQualifiedName: a\n') {
  const { url } = await serve(answering);
  const folder = makeFolder({ 'contracts/a.yaml': file });
  return runMeasured(['plan'], { folder, environment: accessTo({ url: url.href, token }) });
}

/** At least twice what an idle machine takes. */
function expectModest({ seconds, peakMegabytes }: MeasuredRun): void {
  expect(seconds).toBeLessThan(15);
  expect(peakMegabytes).toBeLessThan(500);
}

test('an error page of 1.6 MB, made to be searched for ever, is reported at once', async () => {
  const page = '<title'.repeat(270_000);
  const run = await planAgainst((_, response) => void response.writeHead(403).end(page));
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('[forbidden]') });
  expectModest(run);
});

test('an error that does not end is left after its first words', async () => {
  const run = await planAgainst((_, response) => {
    response.writeHead(403);
    const more = (): void =>
      void (response.destroyed || response.write('<title>'.repeat(9999), more));
    more();
  });
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('[forbidden]') });
  expectModest(run);
});

/** JSON of that many megabytes, compressed to a thousandth. */
async function gzipBomb(size: number, piece: string): Promise<Buffer> {
  const pieces = function* () {
    yield '{"data":[{"id":"a"}';
    for (let megabytes = 0; megabytes < size; megabytes += 1)
      yield piece.repeat(Math.floor(1e6 / piece.length));
    yield '],"paging":{"total":1}}';
  };
  return buffer(Readable.from(pieces()).pipe(createGzip({ level: 1 })));
}

test.each([
  ['250 MB of empty objects', 250, ',{}', 'larger than 64 MB'],
  ['60 MB of empty objects', 60, ',{}', 'more than 2500000 objects and lists'],
  ['60 MB of empty lists', 60, ',[]', 'more than 2500000 objects and lists'],
])('%s, zipped to a thousandth, are not unpacked', async (_what, size, piece, complaint) => {
  const bomb = await gzipBomb(size, piece);
  const limits: (string | null)[] = [];
  const run = await planAgainst(({ query }, response) => {
    // The question for the release has none.
    if (!query.has('limit')) return void response.writeHead(404).end();
    limits.push(query.get('limit'));
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(bomb);
  });
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(complaint) });
  expect(limits).toEqual(['100', '10', '1']);
  expectModest(run);
});

test('so are they in the middle of a long list', async () => {
  const bomb = await gzipBomb(60, ',{}');
  const run = await planAgainst(({ query }, response) => {
    const from = Number(query.get('after') ?? '0');
    const isBomb = from >= 20_100;
    response.writeHead(200, isBomb ? { 'content-encoding': 'gzip' } : {});
    if (isBomb) return void response.end(bomb);
    const to = from + Number(query.get('limit'));
    const data = Array.from({ length: to - from }, (_, index) => contractDocument(from + index));
    return void response.end(JSON.stringify({ data, paging: { total: 50_000, after: `${to}` } }));
  });
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('more than 2500000') });
  expectModest(run);
});

test('a page that is too large is requested in smaller ones', async () => {
  const wide = 'x'.repeat(1_000_000);
  const limits: (string | null)[] = [];
  const run = await planAgainst(({ query }, response) => {
    if (query.has('limit')) limits.push(query.get('limit'));
    const from = Number(query.get('after') ?? '0');
    const to = Math.min(150, from + Number(query.get('limit')));
    const data = Array.from({ length: to - from }, (_, index) =>
      contractDocument(from + index, { fullyQualifiedName: `${from + index}`, description: wide }),
    );
    sendJson(response, { data, paging: { total: 150, ...(to < 150 && { after: String(to) }) } });
  }, 'fullyQualifiedName: "149"\ndescription: new\n');
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to update') });
  expect(limits).toEqual(['100', ...Array.from({ length: 15 }, () => '10')]);
  expectModest(run);
});

/** A list of so many contracts, each with a field of a hundred thousand lists in lists. */
function deepCatalog(field: string, contracts: number): Answering {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const one = (number: number): string =>
    JSON.stringify(
      contractDocument(number, { fullyQualifiedName: `${number}`, entityStatus: 'Active' }),
    ).replace('{', `{"${field}":${deep},`);
  return (_, response) => {
    const data = Array.from({ length: contracts }, (_row, index) => one(index)).join(',');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"data":[${data}],"paging":{"total":${contracts}}}`);
  };
}

const files =
  'fullyQualifiedName: "1"\nschema: []\n---\nfullyQualifiedName: "2"\ndescription: New.\n';

/** A slow machine makes it say that it waits. */
const onlyProgress = expect.stringMatching(/^(?:Reading the catalog: .*\n)*$/u);

test('a managed field that nests without end is a problem of its contract alone', async () => {
  const run = await planAgainst(deepCatalog('schema', 20), files);
  expect(run).toMatchObject({ code: 1, stderr: onlyProgress });
  expect(run.stdout).toContain("error: The catalog's `schema` is nested deeper than 100 levels");
  expect(run.stdout).toContain('Plan: 1 to update, 1 blocked, 0 unchanged, 18 unmanaged.');
  expectModest(run);
});

test('an unmanaged field may nest as it likes', async () => {
  const run = await planAgainst(deepCatalog('lineage', 20), files);
  expect(run).toMatchObject({ code: 0, stderr: onlyProgress });
  expect(run.stdout).toContain('Plan: 2 to update, 0 unchanged, 18 unmanaged.');
  expectModest(run);
});
