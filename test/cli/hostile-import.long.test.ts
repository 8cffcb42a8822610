import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { hostileText } from '../support/hostile-text.ts';
import { runInProcess } from '../support/run-program.ts';
import { contractDocument, sendJson, serve } from '../support/server.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';

const fileNames =
  'node_modules|foo.yaml|CON|aux.yml|com1|a.|..|.git|GIT~1|Orders|orders|ORDERS|-|*|a/b';
// No database of a catalog keeps a NUL.
const name = fc
  .oneof({ weight: 3, arbitrary: hostileText }, fc.constantFrom(...fileNames.split('|')))
  .filter((text) => text.trim() !== '' && !text.includes('\0'));
const text = hostileText.filter((each) => !each.includes('\0'));
const column = fc.record({
  name,
  dataType: fc.constantFrom('INT', 'STRING', 'DATE', 'STRUCT', 'UUID'),
  description: text,
});
const content = fc.record(
  {
    description: text,
    displayName: text,
    schema: fc.uniqueArray(column, { maxLength: 3, selector: (each) => each.name.toLowerCase() }),
    semantics: fc.uniqueArray(fc.record({ name, description: text, rule: text }), {
      maxLength: 2,
      selector: (each) => each.name,
    }),
  },
  { requiredKeys: [] },
);
const segments = fc.tuple(name, name, name);
const hostile = fc.sample(fc.tuple(segments, content), { numRuns: 500, seed: 40 });

function inQuotes(segment: string): string {
  return /[."]/u.test(segment) ? `"${segment.replaceAll('"', '""')}"` : segment;
}

const live = hostile.map(([own, fields], at): JsonObject => {
  const [schema, table, contract] = own;
  const asset = ['shop', 'sales', schema, `${table}${at}`].map(inQuotes).join('.');
  return contractDocument(at, {
    ...fields,
    name: contract,
    fullyQualifiedName: `${asset}.${inQuotes(contract)}`,
    entity: { id: `e${at}`, type: 'table', fullyQualifiedName: asset },
    entityStatus: 'Draft',
  });
});

const kinds = ['standard', 'openmetadata'].flatMap((dialect) => [
  { dialect, format: 'native', into: 'contracts/{domain}/{name}.yaml' },
  // One document in a file: names that many share need longer paths.
  { dialect, format: 'odcs', into: 'contracts/{schema}/{table}/{name}.odcs.yaml' },
]);

test.for(kinds)(
  '500 contracts with hostile names and texts are imported ($dialect, $format), and the plan is empty',
  async ({ dialect, format, into }) => {
    const { url } = await serve((_request, response) => {
      sendJson(response, { data: live, paging: { total: live.length } });
    });
    const folder = makeFolder({ 'contract-sync.yaml': `catalog: { dialect: ${dialect} }\n` });
    const world = { folder, environment: accessTo({ url: url.href, token: 'a.b.c' }) };
    const imported = await runInProcess(['import', '--format', format, '--into', into], world);
    const leftOut = /^information: Left to the catalog.* \[field-left-out\]\n {2}.*\n$/u;
    expect(imported.stderr.replace(leftOut, '')).toBe('');
    expect(imported.stdout).toContain('Imported: 500 contracts in ');
    const validated = await runInProcess(['validate'], world);
    expect(validated).toMatchObject({ code: 0, stderr: '' });
    const planned = await runInProcess(['plan', '--detailed-exitcode'], world);
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(planned.stdout).toContain('No changes. 500 unchanged.');
  },
);
