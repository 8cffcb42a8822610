import { describe, expect, test } from 'vitest';
import { loadWith, selectEnvironment } from '../../src/config/file.ts';
import { resolveFileSettings, resolveSettings } from '../../src/config/settings.ts';
import { matchesName } from '../../src/contract/names.ts';
import { DiagnosticsError } from '../../src/core/diagnostic.ts';
import { type ConfiguredRules, defaultRules } from '../../src/plan/rules.ts';
import { makeFolder } from '../support/workspace.ts';

function rulesOf(text: string, today?: string): ConfiguredRules {
  return resolveFileSettings({}, {}, makeFolder({ 'contract-sync.yaml': text }), today).rules;
}

/** What is wrong with a file, as `line:column message hint`. */
function complaints(text: string): string[] {
  try {
    rulesOf(text);
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return error.diagnostics.map(
      ({ source, message, hint }) => `${source?.line}:${source?.column} ${message} ${hint ?? ''}`,
    );
  }
  return [];
}

test.each([
  ['{ page-size: 50 }', undefined, 50],
  ['{ pageSize: 50 }', undefined, 50],
  ['{ page-size: auto, pageSize: 50 }', undefined, 'auto'],
  ['{ page-size: 50 }', '20', 20],
  ['{}', undefined, 'auto'],
])('the page size of catalog: %s and the flag %s is %s', (catalog, pageSize, expected) => {
  const folder = makeFolder({ 'contract-sync.yaml': `catalog: ${catalog}\n` });
  const given = { catalogUrl: 'https://catalog.test/api', pageSize };
  expect(resolveSettings(given, {}, folder).pageSize).toBe(expected);
});

test('thousands of patterns are placed, and matched, in a moment', () => {
  const count = 30_000;
  const patterns = Array.from({ length: count }, (_, index) => `w.s${index}.**`);
  const started = performance.now();
  const { scope, patterns: written } = rulesOf(
    `scope:\n${patterns.map((each) => `  - ${each}\n`).join('')}`,
  );
  expect(written.at(-1)?.source).toMatchObject({ line: count + 1 });
  const names = patterns.map((each) => each.replace('**', 'a'));
  expect(names.filter((name) => !matchesName(scope, [name]))).toEqual([]);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('without a file, and with an empty one, the default rules hold', () => {
  const exceptionsFor = expect.any(Function);
  const rules = { ...defaultRules, lifecycle: {}, exceptionsFor };
  expect(resolveFileSettings({}, {}, makeFolder(), '1970-01-01').rules).toEqual(rules);
  expect(rulesOf('', '1970-01-01')).toEqual(rules);
});

test.for(['displayName', 'none'])(
  'a setting of one product goes to it unchanged: carrier: %s',
  (carrier) => {
    const text = `openmetadata: { carrier: ${carrier} }\n`;
    expect(rulesOf(text).sections).toEqual({ openmetadata: { carrier } });
  },
);

test('a word that a product lacks is an error', () => {
  expect(complaints('openmetadata: { carrier: pigeon }\n')).toMatchObject([
    expect.stringContaining('carrier'),
  ]);
});

function exceptionUntil(day: string): string {
  return `allow:\n  - { contract: "a.**", rule: column-removed, reason: agreed, until: ${day} }\n`;
}

describe('an exception', () => {
  test.for([
    { today: '2027-01-30', expired: false },
    { today: '2027-01-31', expired: false },
    { today: '2027-02-01', expired: true },
  ])('that ends on 2027-01-31 has ended on $today: $expired', ({ today, expired }) => {
    expect(rulesOf(exceptionUntil('2027-01-31'), today).exceptionsFor(['a.b'])).toEqual([
      {
        pattern: ['a', '**'],
        rule: 'column-removed',
        reason: 'agreed',
        until: '2027-01-31',
        expired,
        isShared: false,
        source: { file: 'contract-sync.yaml', line: 2, column: 5 },
      },
    ]);
  });

  test.for([
    '""',
    '"  "',
    'x',
    'xxxx',
    '"..."',
    'todo',
    'TODO agree with finance',
    '"- tbd."',
    'n/a',
    'none',
    'test',
  ])('does not hold with %s as its reason', (reason) => {
    const [first = '', ...others] = complaints(
      `allow:\n  - { contract: a, rule: column-removed, reason: ${reason} }\n`,
    );
    expect(first).toMatch(/^2:50 .*(?:says nothing|at least 1 character)/u);
    expect(others).toEqual([]);
  });

  test.for(['agreed', 'DATA-812', '合意済み', 'test data only, says QA', 'none of them reads it'])(
    'holds for the reason %s',
    (reason) => {
      expect(
        complaints(`allow:\n  - { contract: a, rule: column-removed, reason: "${reason}" }\n`),
      ).toEqual([]);
    },
  );

  test('has all of its problems reported at once, in teams and environments too', () => {
    const entry =
      '{ contract: "a@(b)", rule: contract-emptied, place: schema.a, reason: "…", until: YYYY-MM-DD }';
    expect(complaints(`allow:\n  - ${entry}\n`)).toEqual([
      expect.stringMatching(/^2:17 The pattern "a@\(b\)" uses/u),
      '2:57 contract-emptied is about the whole contract. Remove `place`.',
      expect.stringMatching(/^2:75 The reason "…" says nothing. Say who/u),
      '2:87 `allow.0.until` must be a day such as 2027-01-31. ',
    ]);
    const reason = '{ contract: a, rule: column-removed, reason: x }';
    for (const part of ['teams', 'environments'])
      expect(complaints(`${part}: { sales: { allow: [${reason}] } }\n`)).toEqual([
        expect.stringMatching(/The reason "x" says nothing/u),
      ]);
  });

  test.for(['2027-02-30', '2027-13-01', '2027-1-1', 'soon'])('cannot end on %s', (until) => {
    expect(complaints(exceptionUntil(until))).toEqual([
      expect.stringMatching(/^2:\d+ .*2027-01-31/u),
    ]);
  });
});

test('statuses have their own levels, and chains of types are added', () => {
  const { compatibility } = rulesOf(`
lifecycle: { statuses: [Draft, Active, Frozen, Deprecated] }
compatibility: { mode: full, draft: warn, frozen: "off", widenings: [[INT, HUGEINT]] }
`);
  expect(compatibility.mode).toBe('full');
  expect([...compatibility.levels]).toEqual([
    ['Draft', 'warn'],
    ['Active', 'error'],
    ['Deprecated', 'warn'],
    ['Frozen', 'off'],
  ]);
  expect(compatibility.widenings.at(-1)).toEqual(['INT', 'HUGEINT']);
});

test('limits that are not named keep their default', () => {
  expect(rulesOf('limits: { updates: 7 }').limits).toEqual({
    ...defaultRules.limits,
    updates: { kind: 'count', most: 7 },
  });
});

test.for([
  { text: 'compatibility: { deprecated: { mode: warn } }', says: /deprecated.*off, warn, error/u },
  { text: 'limits: { updates: 120% }', says: /more than all contracts.*100%/u },
  { text: 'limits: { updates: many }', says: /a number of contracts, or a share such as 20%/u },
  { text: 'limits: { update: 5 }', says: /Did you mean "updates"/u },
  { text: 'compatibility: { actve: warn }', says: /Did you mean "active"/u },
  { text: 'compatibility: { active: loud }', says: /off, warn, error/u },
  { text: 'compatibility: { mode: sideways }', says: /forward, backward, full, none/u },
  { text: 'unmanaged: deprecate', says: /needs `scope`/u },
  {
    text: 'unmanaged: deprecate\nscope: ["a.**"]\nlifecycle: { statuses: [Draft, Active] }',
    says: /needs the status Deprecated/u,
  },
  { text: 'allow: [{ contract: a, rule: column-removed }]', says: /lacks `reason`/u },
  {
    text: 'allow: [{ contract: a, rule: column, reason: agreed }]',
    says: /one of column-removed, /,
  },
  { text: 'ignore: ["/a~b"]', says: /Invalid pointer pattern/u },
  {
    text: 'ignore: [/slaa/value]',
    says: /"\/slaa\/value" in `ignore` matches no place of a contract\. Did you mean "\/sla\/value"\?/u,
  },
  { text: 'ignore: [/columns]', says: /Its fields are displayName, description, /u },
  {
    text: 'ignore: ["/schema[4 amount]/description"]',
    says: /Write `\/schema\/\*\/description`: `\*` is each element\./u,
  },
  { text: 'ignore: [/schema/amount/tags]', says: /Write `\/schema\/\*\/tags`:/u },
  { text: 'scope: "a.**"', says: /`scope` must be a list\. Write `scope: \["a\.\*\*"\]`\./u },
  { text: 'scope: { a: b }', says: /Write `scope: \[…\]`\./u },
  { text: 'catalog: x', says: /`catalog` must be a mapping\. Write `catalog: \{ url: … \}`\./u },
  { text: 'drift: overwite', says: /one of leave, .* Did you mean "overwrite"/u },
  {
    text: 'teams: { a: { include: a, scope: [a.b.c] }, b: { include: b, scope: ["a.B*.c"] } }',
    says: /The teams a and b own the same names/u,
  },
  { text: 'teams: { sales: { include: sales } }', says: /The team sales lacks `scope`/u },
  { text: 'odcs: { entity: 5 }', says: /`odcs.entity` must be text or a list\./u },
  { text: 'odcs: { entity: [a] }', says: /must be a mapping\. Write `\{ is: … \}`\./u },
  { text: 'protected: yes', says: /Write `protected: \["\*\*"\]` for all contracts/u },
  { text: 'reviews: { notice: 30 }', says: /must be a span such as 12h, 30d or 4w/u },
  { text: 'reviews: { notice: soon }', says: /must be a span such as 12h, 30d or 4w/u },
  { text: 'reviews: { notice: 30d }', says: /does nothing without `reviews\.breaking: readers`/u },
  {
    text: 'reviews: { breaking: [readers, platform] }',
    says: /`readers` stands alone in `reviews\.breaking`\./u,
  },
  { text: 'create: maybe', says: /`create` must be true or false/u },
])('$text is refused with its place', ({ text, says }) => {
  const [first = '', ...others] = complaints(text);
  expect(first).toMatch(says);
  expect(first).toMatch(/^1:\d+ /u);
  expect(others).toEqual([]);
});

test('protected: true gets a suggestion that works', () => {
  expect(complaints('protected: true')[0]).toContain('Write `protected: ["**"]` for all contracts');
  expect(complaints('environments: { dev: { protected: true } }')).toEqual([]);
});

test('`protected: false` protects no environment, and lifts no pattern that is there for all', () => {
  const text = 'protected: ["warehouse.**"]\nenvironments: { dev: { protected: false } }\n';
  const { settings, environment } = selectEnvironment(
    loadWith('a.yaml', () => ({ text })),
    'dev',
  );
  expect(environment).toEqual({ name: 'dev', isProtected: false });
  expect(settings.protected).toEqual(['warehouse.**']);
});

test('an environment overrides sections key by key, and lists as a whole', () => {
  const text =
    'contracts: { include: [a], exclude: ["**/old.yaml"] }\nenvironments: { dev: { contracts: { include: [b] } } }\n';
  const folder = makeFolder({ 'contract-sync.yaml': text });
  expect(resolveFileSettings({ env: 'dev' }, {}, folder)).toMatchObject({
    include: ['b'],
    exclude: expect.arrayContaining(['**/old.yaml']),
  });
});

test.for([
  { text: 'scope: ["a.**", "!(b)"]', place: '1:17', says: 'The pattern "!(b)" uses "!(…)"' },
  { text: 'protected: ["*(a|b).c"]', place: '1:13', says: 'The pattern "*(a|b).c" uses "*(…)"' },
  {
    text: `allow: [{ contract: "${'*a'.repeat(33)}", rule: column-removed, reason: agreed }]`,
    place: '1:21',
    says: 'has more than 32 wildcards',
  },
])('a pattern that matches nothing is refused at its place: $text', ({ text, place, says }) => {
  const [complaint, ...others] = complaints(text);
  expect(others).toEqual([]);
  expect(complaint).toMatch(new RegExp(`^${place} `, 'u'));
  expect(complaint).toContain(says);
});
