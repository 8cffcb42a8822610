import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namesInFiles } from '../../src/contract/identity.ts';
import {
  canonicalSegments,
  indexPatterns,
  isBlank,
  matchesName,
  nameInCatalog,
  type NameRule,
  namesBack,
  nearestPattern,
  writeSegments,
} from '../../src/contract/names.ts';
import { composed } from '../../src/core/text.ts';
import { rounds } from '../support/rounds.ts';

test.for<[string, string]>([
  ['another case', 'Warehouse.FINANCE.Ledger'],
  ['quotes that need not be', '"warehouse".finance."ledger"'],
  ['blanks around segments', ' warehouse . finance\t.ledger \u00A0'],
  ['characters without width', 'ware\u200Bhouse.\uFEFFfi\u00ADnance.led\u2060ger\u200D'],
  ['invisible tags and controls', 'warehouse\u{E0041}.finance\u0000.ledger\u202E'],
  ['ligatures', 'warehouse.\uFB01nance.ledger'],
  ['wide letters', '\uFF57arehouse.finance.ledger'],
  ['wide full stops', 'warehouse\uFF0Efinance\uFF0Eledger'],
  ['wide quotes that need not be', '\uFF02warehouse\uFF02.finance.ledger'],
  ['a quote that is never closed', 'warehouse".finance.ledger'],
])('a name with %s is the same name to a rule', ([, name]) => {
  expect(canonicalSegments(name)).toEqual(['warehouse', 'finance', 'ledger']);
});

test.for<[string, string, string]>([
  ['é, composed or not', 'caf\u00E9', 'cafe\u0301'],
  ['ß and its capitals', 'stra\u00DFe', 'STRASSE'],
  ['σ at the end of a word', 'οδος', 'ΟΔΟΣ'],
  ['σ in front of a wildcard', 'οδοσ*', 'οδος*'],
  ['the dotted capital İ', '\u0130x', 'I\u0307x'],
])('%s are one', ([, one, other]) => {
  expect(canonicalSegments(one)).toEqual(canonicalSegments(other));
});

test.for<[string, string, string]>([
  ['segments that a dot separates', 'a.b', 'ab'],
  ['a segment with a dot of its own', 'a."b.c"', 'a.b.c'],
  ['an empty segment', 'a..b', 'a.b'],
  ['another letter', 'warehouse.finance', 'warehouse.fmance'],
])('%s make another name', ([, one, other]) => {
  expect(canonicalSegments(one)).not.toEqual(canonicalSegments(other));
});

test('a canonical name stays as it is, and can be written as a pattern', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const segments = canonicalSegments(name);
      expect(segments.map((segment) => canonicalSegments(`"${segment}"`))).toEqual(
        segments.map((segment) => [segment]),
      );
      expect(canonicalSegments(writeSegments(segments))).toEqual(segments);
    }),
    { numRuns: rounds(1000) },
  );
});

test('a segment with a dot is quoted, as OpenMetadata does', () => {
  expect(writeSegments(['address', 'po.box'])).toBe('address."po.box"');
});

test('a thousand quotes take no time to speak of', () => {
  expect(canonicalSegments('"'.repeat(100_001))).toEqual(['']);
  expect(canonicalSegments('".'.repeat(100_001))).toHaveLength(50_002);
});

test.for(['', ' ', '.', '""."\u200B"', '\u00AD', '\u3164.\u115F'])('%j names nothing', (name) => {
  expect(isBlank(name)).toBe(true);
});

test.for(['a', '_', '-', '数', '"."', '..a'])('%j is one', (name) => {
  expect(isBlank(name)).toBe(false);
});

test('composing changes no other letter', () => {
  expect(composed('Cafe\u0301 \uFB01 \u200B')).toBe('Caf\u00E9 \uFB01 \u200B');
});

function matches(pattern: string, name: string): boolean {
  return matchesName([canonicalSegments(pattern)], [name]);
}

test.for([
  { pattern: 'a.b', yes: ['a.b', 'A.b', '"a".b'], no: ['a', 'a.b.c', 'a.bb'] },
  { pattern: '*', yes: ['a', ''], no: ['a.b'] },
  { pattern: 'a.*', yes: ['a.b', 'a.'], no: ['a', 'a.b.c'] },
  { pattern: 'a.stg_*', yes: ['a.stg_', 'a.stg_x'], no: ['a.stg', 'a.xstg_'] },
  { pattern: 'a.*_old_*.z', yes: ['a.x_old_y.z', 'a._old__old_.z'], no: ['a.xold_y.z'] },
  { pattern: '**', yes: ['a', 'a.b.c', ''], no: [] },
  { pattern: 'a.**', yes: ['a', 'a.b', 'a.b.c'], no: ['b.a', 'ab'] },
  { pattern: '**.z', yes: ['z', 'a.z', 'a.b.z', 'z.z'], no: ['a.zz', 'z.a'] },
  { pattern: 'a.**.b.**.c', yes: ['a.b.c', 'a.x.b.b.y.c'], no: ['a.c', 'a.b.x'] },
  { pattern: 'a.{b,c}', yes: ['a.{b,c}'], no: ['a.b'] },
  { pattern: 'a.[bc]?', yes: ['a.[bc]?'], no: ['a.b', 'a.b?'] },
  { pattern: 'a.*', yes: ['a..hidden'.slice(0, 2), 'a."b.c"'], no: ['a."b.c".d'] },
  { pattern: 'a."b.*".d', yes: ['a."b.c".d'], no: ['a.b.c.d'] },
  { pattern: 'a.b*', yes: ['a."b.c"', 'a."b"', 'A.Bc'], no: ['a.b.c', '"a.b"'] },
  { pattern: 'a."b', yes: ['a.b', 'a".b'], no: ['a.c'] },
])('$pattern matches $yes and not $no', ({ pattern, yes, no }) => {
  expect(yes.filter((name) => !matches(pattern, name))).toEqual([]);
  expect(no.filter((name) => matches(pattern, name))).toEqual([]);
});

test('any of the patterns and any of the names is enough, and without any nothing matches', () => {
  const patterns = ['x', 'a.**'].map(canonicalSegments);
  expect(matchesName(patterns, ['b', 'a.b'])).toBe(true);
  expect(matchesName(patterns, [])).toBe(false);
  expect(matchesName([], ['a'])).toBe(false);
});

test('a pattern matches the same names as its regular expression', () => {
  const segment = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 4 }).map((c) => c.join(''));
  const pattern = fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 1, maxLength: 4 });
  const name = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(pattern, name, (pattern, name) => {
      expect(matches(pattern.join('.'), name.join('.'))).toBe(
        expressionOf(pattern).test(`${name.join('.')}.`),
      );
    }),
    { numRuns: rounds(1000) },
  );
});

/** Each segment with a dot behind it, so that `**` may stand for none. */
function expressionOf(pattern: readonly string[]): RegExp {
  const parts = pattern.map((segment) =>
    segment === '**' ? '(?:[^.]*\\.)*' : `${segment.replaceAll('*', '[^.]*')}\\.`,
  );
  return new RegExp(`^${parts.join('')}$`, 'u');
}

test('a hostile pattern takes no longer than its length times that of the name', () => {
  const pattern = `${'*a'.repeat(200)}*b`;
  const name = 'a'.repeat(20_000);
  expect(matches(pattern, name)).toBe(false);
  expect(matches(`${'**.a.'.repeat(200)}b`, 'a.'.repeat(20_000))).toBe(false);
});

const text = fc.array(fc.constantFrom('a', 'b', 'A', '*', '.', '**', '"', 'é', ' '), {
  maxLength: 7,
});

test('an index finds the same matches as each pattern alone, in the order of the patterns', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), fc.array(text, { maxLength: 3 }), (some, all) => {
      const items = some.map((parts) => ({ pattern: canonicalSegments(parts.join('')) }));
      const names = all.map((parts) => parts.join('').replaceAll('*', ''));
      const expected = items.filter(({ pattern }) => matchesName([pattern], names));
      expect(indexPatterns(items)(names)).toEqual(expected);
    }),
    { numRuns: rounds(500) },
  );
});

const names = [
  'Warehouse.finance.ledger',
  'warehouse.finance.payroll',
  'warehouse.sales.public.orders',
  'warehouse.sales.public.stg_orders',
  'lake."raw.v2".events',
].map(canonicalSegments);

test.for<[pattern: string, meant: string | undefined]>([
  ['warehouse.fiance.**', 'warehouse.finance.**'],
  ['warehose.finance.ledger', 'warehouse.finance.ledger'],
  ['warehouse.sales.pubic.ordres', 'warehouse.sales.public.orders'],
  ['warehouse.*.pubilc.*', 'warehouse.*.public.*'],
  ['**.payrol', '**.payroll'],
  ['warehouse.finance', 'warehouse.finance.**'],
  ['warehouse', 'warehouse.**'],
  ['lake."raw.v3".*', 'lake."raw.v2".*'],
  ['warehouse.finance.ledger.daily', undefined],
  ['marketing.**', undefined],
  ['warehouse.hr.**', undefined],
  ['**.fiance.**', undefined],
])('%s gets the suggestion %s', ([pattern, meant]) => {
  expect(nearestPattern(canonicalSegments(pattern), names)).toBe(meant);
});

test('without names there is no nearest one', () => {
  expect(nearestPattern(canonicalSegments('a.**'), [])).toBeUndefined();
  expect(nearestPattern(canonicalSegments('**.a'), [])).toBeUndefined();
});

const toDev: readonly NameRule[] = [{ from: 'w.', to: 'w_dev.' }];

test.for<[string, readonly NameRule[], string, string]>([
  ['its start is replaced', toDev, 'w.fin.ledger', 'w_dev.fin.ledger'],
  ['the rest keeps its spelling', toDev, 'w.Fin."a.b"', 'w_dev.Fin."a.b"'],
  ['in another case', toDev, 'W.Fin.ledger', 'w_dev.Fin.ledger'],
  ['with quotes that need not be', toDev, '"w".fin."a.b"', 'w_dev.fin."a.b"'],
  ['with quotes in the rule', [{ from: '"w".', to: 'w_dev.' }], 'w.fin', 'w_dev.fin'],
  ['with an invisible character', toDev, 'w\u200B.fin', 'w_dev.fin'],
  ['in full width', toDev, '\uFF57\uFF0Efin', 'w_dev.fin'],
  ['behind a blank', toDev, ' w.fin', 'w_dev.fin'],
  ['composed otherwise', [{ from: 'caf\u00E9.', to: 'dev.' }], 'cafe\u0301.fin', 'dev.fin'],
  ['ß for SS', [{ from: 'stra\u00DFe_', to: 'dev_' }], 'STRASSE_fin.x', 'dev_fin.x'],
  ['SS for ß', [{ from: 'STRASSE_', to: 'dev_' }], 'stra\u00DFe_fin.x', 'dev_fin.x'],
  ['within a segment', [{ from: 'prod_', to: 'dev_' }], '"PROD_a.b".c', '"dev_a.b".c'],
  ['several segments', [{ from: 'w.fin', to: 'd.f.x' }], 'W.FIN_a.b', 'd.f.x_a.b'],
  ['the first rule that fits', [...toDev, { from: 'W.', to: 'two.' }], 'W.fin', 'w_dev.fin'],
  ['another start', toDev, 'w2.fin', 'w2.fin'],
  ['the start alone', toDev, 'w', 'w'],
  ['a rule that is blank to rules', [{ from: '\u200B', to: 'x' }], 'w.fin', 'w.fin'],
])('a name of a file becomes that of the catalog: %s', ([, rules, name, inCatalog]) => {
  expect(nameInCatalog(name, rules)).toBe(inCatalog);
});

const namesOf = (fullyQualifiedName: string) => namesInFiles({ fullyQualifiedName }, toDev);

describe('a pattern on names of files matches the contracts of such files, and no others', () => {
  const shared = ['w_dev.fin.ledger', 'w.fin.ledger', 'w_dev.sales.orders', 'w2.fin.x'];
  test.for<[string, readonly string[]]>([
    ['w.fin.**', ['w_dev.fin.ledger']],
    ['"w".fin.**', ['w_dev.fin.ledger']],
    ['W\u200B.fin.*', ['w_dev.fin.ledger']],
    [' w.fin.*', ['w_dev.fin.ledger']],
    ['\uFF57.fin.*', ['w_dev.fin.ledger']],
    ['w*.fin.**', ['w_dev.fin.ledger', 'w2.fin.x']],
    ['*.fin.**', ['w_dev.fin.ledger', 'w2.fin.x']],
    ['**.orders', ['w_dev.sales.orders']],
    ['w_dev.sales.*', ['w_dev.sales.orders']],
  ])('%s', ([pattern, matched]) => {
    const patterns = [canonicalSegments(pattern)];
    expect(shared.filter((name) => matchesName(patterns, namesOf(name)))).toEqual(matched);
  });
});

const segment = fc
  .string({ unit: fc.constantFrom('a', 'B', '\u00DF', 's', '\uFF41', '\u200B'), maxLength: 4 })
  .chain((text) =>
    fc.constantFrom(`x${text}`, `X${text}`, `"x${text}"`, `"x.${text}"`, ` x${text}`),
  );
const name = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
const rule = fc
  .tuple(name, name, fc.constantFrom('', '.'))
  .map(([from, to, end]) => ({ from: `${from}${end}`, to: `${to}${end}` }));
const rules = fc.array(rule, { maxLength: 3 });

test('a name that a file uses is among those by which patterns know its contract', () => {
  fc.assert(
    fc.property(name, rules, (written, mapping) => {
      const back = namesBack(nameInCatalog(written, mapping), mapping).map(canonicalSegments);
      expect(back).toContainEqual(canonicalSegments(written));
    }),
    { numRuns: rounds(2500) },
  );
});
