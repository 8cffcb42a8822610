import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/core/json.ts';
import { detectFormat } from '../../../../src/files/formats/odcs/read.ts';
import { problemsOf } from './mapping.ts';

const contract = (apiVersion: JsonValue): JsonValue => ({ kind: 'DataContract', apiVersion });

function detected(document: JsonValue): string[] {
  const found = detectFormat(document);
  return [found.format, ...problemsOf(found)];
}

describe('a contract of the standard', () => {
  test.each(['v3.0.0', 'v3.0.2', 'v3.1.0', 'v3.2.0', 'v3.2.1', '3.1.0', 'v3.1', 3.1])(
    'in version %s is read',
    (apiVersion) => {
      expect(detected(contract(apiVersion))).toEqual(['odcs']);
    },
  );

  test.each(['v3.3.0', '3.10.2', 'v3.3.0-rc.1'])(
    'in version %s is read, with a warning that it is newer',
    (apiVersion) => {
      expect(detected(contract(apiVersion))).toEqual([
        'odcs',
        'warning odcs-version-newer /apiVersion',
      ]);
    },
  );

  test.each([
    ['v2.2.2', 'Convert the file to ODCS v3.1.0'],
    ['v4.0.0', 'Upgrade contract-sync'],
    ['v30.1.0', 'Upgrade contract-sync'],
    ['latest', 'Write `apiVersion: v3.1.0`'],
    [null, 'Write `apiVersion: v3.1.0`'],
    [['v3.1.0'], 'Write `apiVersion: v3.1.0`'],
  ])('in version %j is refused, with the way out', (apiVersion, wayOut) => {
    const found = detectFormat(contract(apiVersion));
    expect(detected(contract(apiVersion))).toEqual([
      'foreign',
      'error odcs-version-unsupported /apiVersion',
    ]);
    expect(found.diagnostics[0]?.hint).toContain(wayOut);
  });

  test('without a version is refused', () => {
    expect(detected({ kind: 'DataContract' })).toEqual([
      'foreign',
      'error odcs-version-unsupported /apiVersion',
    ]);
  });

  test.each([{ kind: 'datacontract', apiVersion: 'v3.1.0' }, { apiVersion: 'v3.0.2' }])(
    'without its kind is recognised: %j',
    (document) => {
      expect(detected(document)).toEqual(['foreign', 'error odcs-kind-unknown /kind']);
    },
  );
});

test('a data product is left out', () => {
  expect(detected({ kind: 'DataProduct', apiVersion: 'v1.0.0' })).toEqual([
    'foreign',
    'information not-a-contract /kind',
  ]);
});

test('the Data Contract Specification is refused, naming the command that converts it', () => {
  const found = detectFormat({ dataContractSpecification: '1.1.0', id: 'x' });
  expect(detected({ dataContractSpecification: '1.1.0', id: 'x' })).toEqual([
    'foreign',
    'error odcs-version-unsupported /dataContractSpecification',
  ]);
  expect(found.diagnostics[0]?.hint).toContain('`datacontract export odcs`');
});

test.each([
  { name: 'orders', entity: { fullyQualifiedName: 'a.b' } },
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'Service' },
  [],
  'text',
  null,
])('%j follows neither standard', (document) => {
  expect(detected(document)).toEqual(['native']);
});
