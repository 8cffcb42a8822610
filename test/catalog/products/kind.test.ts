import { describe, expect, test } from 'vitest';
import { type Kind, kindOf, type ServerRelease } from '../../../src/catalog/products/products.ts';

const released: ServerRelease = { kind: 'known', version: '1.12.6', product: 'openmetadata' };
const old: ServerRelease = { kind: 'unsupported', version: '1.9.3', product: 'openmetadata' };
const unread: ServerRelease = { kind: 'unread', why: 'status 503' };
const other: ServerRelease = { kind: 'other' };

function nameOf({ dialect, possible }: Kind): string {
  return possible.length > 1 ? 'not known' : dialect.name;
}

test.for<[statuses: readonly string[], release: ServerRelease, kind: string, evidence: string]>([
  [[], released, 'openmetadata', 'its server is OpenMetadata 1.12.6'],
  [['Approved'], other, 'openmetadata', 'it has contracts that are Approved'],
  [['In Review', 'Draft'], unread, 'openmetadata', 'it has contracts that are In Review'],
  [['Archived', 'Unprocessed', 'Rejected'], old, 'openmetadata', 'Unprocessed, Rejected, Archived'],
  [['Active'], other, 'standard', 'it has contracts that are Active'],
  [['Draft', 'Active'], unread, 'standard', 'it has contracts that are Active'],
  [['Active'], old, 'standard', 'it has contracts that are Active'],
  [['Active'], released, 'not known', '1.12.6, but it has contracts that are Active'],
  [['Approved', 'Active'], other, 'not known', 'Approved, but it has contracts that are Active'],
  [['Draft', 'Deprecated'], other, 'not known', 'its server names no release of OpenMetadata, and'],
  [[], unread, 'not known', "the release of its server can't be read (status 503), and"],
  [['active', 'APPROVED', 'Live'], other, 'not known', 'no contract has a status'],
  [['Draft'], old, 'not known', 'its server is OpenMetadata 1.9.3, and no contract'],
])('%j and %j: %s', ([statuses, release, kind, evidence]) => {
  const found = kindOf('auto', new Set([...statuses, undefined]), release);
  expect(nameOf(found)).toBe(kind);
  expect(found.evidence).toContain(evidence);
  expect(kindOf('auto', new Set(statuses.toReversed()), release).evidence).toBe(found.evidence);
  expect(found.diagnostics.map(({ code }) => code)).toEqual(
    release === old ? ['release-unsupported'] : [],
  );
});

test.for(['standard', 'openmetadata'] as const)('%s that is set needs no evidence', (setting) => {
  expect(nameOf(kindOf(setting, new Set(['Active', 'Approved']), released))).toBe(setting);
});

describe('a status that only OpenMetadata has', () => {
  test.for<[release: ServerRelease, setting: 'auto' | 'openmetadata', expected: boolean]>([
    [released, 'auto', true],
    [other, 'openmetadata', true],
    [other, 'auto', false],
  ])('is known by %j and the setting %s: %s', ([release, setting, expected]) => {
    const { statusProblem } = kindOf(setting, new Set(['In Review']), release);
    const hasStatus = (status: string): boolean => statusProblem(status) === undefined;
    expect(hasStatus('Approved')).toBe(expected);
    expect([hasStatus('In Review'), hasStatus('Deprecated')]).toEqual([true, true]);
  });

  test.for<[seen: string, counts: string]>([
    ['In Review', 'counts as OpenMetadata only because it has contracts that are In Review'],
    ['Active', "doesn't count as OpenMetadata, because it has contracts that are Active"],
  ])('is in doubt in a catalog with contracts that are %s', ([seen, counts]) => {
    const problem = kindOf('auto', new Set([seen])).statusProblem('Approved');
    expect(problem?.message).toBe(
      `It isn't known whether the catalog has the status Approved: no contract has it, and the catalog ${counts}.`,
    );
    expect(problem?.hint).toBe(
      'If it is OpenMetadata, add `catalog: { dialect: openmetadata }` to the configuration.',
    );
  });
});
