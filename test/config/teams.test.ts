import { writeFileSync } from 'node:fs';
import { standard } from '../../src/catalog/products/standard.ts';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadFile } from '../../src/config/file.ts';
import { readBasePolicy } from '../../src/config/policy.ts';
import { resolveFileSettings } from '../../src/config/settings.ts';
import { canOverlap, matchesName, canonicalSegments } from '../../src/contract/names.ts';
import { adoptConventions, rulesFor } from '../../src/plan/rules.ts';
import { DiagnosticsError } from '../../src/core/diagnostic.ts';
import { commitFirst, policyPlace } from '../support/git-folder.ts';
import { makeFolder } from '../support/workspace.ts';

const shared = `
catalog: { concurrency: 3 }
protected: [a.shared]
compatibility: { mode: full, active: warn }
allow:
  - { contract: a.b, rule: column-removed, reason: agreed with finance }
environments:
  dev: { compatibility: { active: off }, catalog: { url: http://dev } }
`;
const own = {
  scope: '["a.**"]',
  protected: '[a.own]',
  compatibility: '{ active: error }',
  missing: 'report',
};
const asTeam = `${shared}teams:\n  sales: { include: sales, ${Object.entries(own)
  .map(([key, value]) => `${key}: ${value}`)
  .join(', ')} }\n`;
const asFolder = `extends: ../contract-sync.yaml\n${Object.entries(own)
  .map(([key, value]) => `${key}: ${value}\n`)
  .join('')}`;

test.each([undefined, 'dev'])(
  'a team and a folder that extends the root mean the same in environment %s',
  (env) => {
    const day = '2026-11-23';
    const { rules } = resolveFileSettings(
      { env },
      {},
      makeFolder({ 'contract-sync.yaml': asTeam, 'sales/orders.yaml': '' }),
      day,
    );
    const folder = makeFolder({
      'contract-sync.yaml': shared,
      'sales/contract-sync.yaml': asFolder,
    });
    const alone = resolveFileSettings({ env }, {}, join(folder, 'sales'), day);
    const live = { id: '1', fullyQualifiedName: 'a.c', document: {} };
    const ofTeam = rulesFor({ live }, adoptConventions(rules, standard));
    expect(ofTeam.team).toBe('sales');
    for (const key of ['scope', 'protected', 'compatibility', 'missing', 'limits'] as const)
      expect(alone.rules[key], key).toEqual(ofTeam[key]);
    expect(alone.rules.exceptionsFor(['a.b'])).toMatchObject([{ rule: 'column-removed' }]);
    expect(ofTeam.exceptionsFor(['a.b'])).toMatchObject([{ rule: 'column-removed' }]);
    expect(alone.rules.protected).toEqual([
      ['a', 'shared'],
      ['a', 'own'],
    ]);
    expect(alone.environment?.name).toBe(env);
  },
);

test('what adds up keeps its places', () => {
  const folder = makeFolder({
    'contract-sync.yaml': shared,
    'sales/contract-sync.yaml': asFolder,
  });
  const { patterns } = resolveFileSettings({}, {}, join(folder, 'sales')).rules;
  const places = patterns.map(({ text, source }) => `${text} ${source?.file}:${source?.line}`);
  expect(places).toEqual([
    'a.shared ../contract-sync.yaml:3',
    'a.own contract-sync.yaml:3',
    'a.** contract-sync.yaml:2',
    'a.b ../contract-sync.yaml:6',
  ]);
});

test.each([
  ['a missing file', { 'sales/contract-sync.yaml': 'extends: ../other.yaml\n' }, '../other.yaml'],
  [
    'one that extends another',
    {
      'sales/contract-sync.yaml': 'extends: ../contract-sync.yaml\n',
      'contract-sync.yaml': '# A chain.\nextends: more.yaml\n',
    },
    '../contract-sync.yaml',
  ],
])('%s can not be extended', (_, files, file) => {
  const folder = join(makeFolder(files), 'sales');
  const fail = () => loadFile(undefined, folder);
  expect(fail).toThrow(DiagnosticsError);
  expect(fail).toThrow(
    expect.objectContaining({
      diagnostics: [expect.objectContaining({ source: expect.objectContaining({ file }) })],
    }),
  );
});

function changesOf(before: string, after: string) {
  const folder = makeFolder({ 'contract-sync.yaml': before });
  commitFirst(folder);
  writeFileSync(join(folder, 'contract-sync.yaml'), after);
  return readBasePolicy('HEAD', policyPlace(folder)).changed;
}

const team = (more: string) => `teams: { sales: { include: a, scope: [a.b]${more} } }\n`;

test.each([
  [team(''), team(', compatibility: { active: warn }'), true],
  [team(''), team(', missing: report'), true],
  [`missing: report\n${team('')}`, `missing: report\n${team(', missing: error')}`, false],
  [team(', protected: [a.b]'), team(''), true],
  [team(''), team(', protected: [a.b]'), false],
  [team(', limits: { updates: 5 }'), team(', limits: { updates: 6 }'), true],
  [
    team(''),
    team(', allow: [{ contract: a.b, rule: column-removed, reason: agreed with all }]'),
    true,
  ],
])('%s → %s loosens the checks: %s', (before, after, loosens) => {
  const changed = changesOf(before, after);
  expect(changed).toMatchObject([{ loosens }]);
  expect(changed[0]?.setting).toMatch(/^teams\.sales\./u);
});

test('the policy of the base is that of its own teams, and of what it extends', () => {
  const folder = makeFolder({
    'contract-sync.yaml': team(', missing: report'),
    'a/contract-sync.yaml': 'extends: ../shared.yaml\nscope: [a.b]\n',
    'shared.yaml': 'missing: report\n',
  });
  commitFirst(folder);
  writeFileSync(join(folder, 'contract-sync.yaml'), team(''));
  writeFileSync(join(folder, 'shared.yaml'), '');
  const [sales] = readBasePolicy('HEAD', policyPlace(folder)).rules.teams;
  expect(sales?.rules.missing).toBe('report');
  expect(sales?.has('a/x.yaml')).toBe(true);
  const below = join(folder, 'a');
  const { rules, changed } = readBasePolicy('HEAD', policyPlace(below));
  expect(rules.missing).toBe('report');
  expect(changed).toMatchObject([{ setting: 'missing', after: 'error', loosens: false }]);
});

test('two patterns overlap where some name matches both', () => {
  const part = fc.constantFrom('a', 'b', 'ab', '*', '**', 'a*', '*b', 'a*b');
  const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
  const names = ['a', 'b', 'ab', 'aab', 'abb', 'c'];
  const all = [0, 1, 2].reduce(
    (known) => [...known, ...known.flatMap((name) => names.map((each) => `${name}.${each}`))],
    names,
  );
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const [first, second] = [canonicalSegments(one), canonicalSegments(other)];
      const isMet = all.some(
        (name) => matchesName([first], [name]) && matchesName([second], [name]),
      );
      if (isMet) expect(canOverlap(first, second)).toBe(true);
      expect(canOverlap(first, second)).toBe(canOverlap(second, first));
    }),
    { numRuns: 60 },
  );
  expect(canOverlap(canonicalSegments('a.*.c'), canonicalSegments('a.b.d'))).toBe(false);
  expect(canOverlap(canonicalSegments('a.x*.**'), canonicalSegments('a.y*.**'))).toBe(false);
  expect(
    canOverlap(canonicalSegments('warehouse.sales'), canonicalSegments('warehouse.sales.**')),
  ).toBe(true);
});
