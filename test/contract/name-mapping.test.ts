import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namesInFiles } from '../../src/contract/identity.ts';
import {
  canonicalSegments,
  matchesName,
  nameInCatalog,
  namesBack,
  type NameRule,
} from '../../src/contract/names.ts';

const toDev: readonly NameRule[] = [{ from: 'w.', to: 'w_dev.' }];

describe('a name of a file becomes that of the catalog', () => {
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
  ])('%s', ([, rules, name, inCatalog]) => {
    expect(nameInCatalog(name, rules)).toBe(inCatalog);
  });
});

const namesOf = (fullyQualifiedName: string) => namesInFiles({ fullyQualifiedName }, toDev);

describe('a pattern on names of files matches the contract that such a file means, and no other', () => {
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
    { numRuns: 5000 },
  );
});
