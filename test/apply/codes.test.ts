import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explanations } from '../../src/cli/reference.ts';
import { root } from '../support/root.ts';

const src = join(root, 'src');

/** The words in quotes in a part of a file of the sources. */
function quotedIn(file: string, part: RegExp): string[] {
  const text = readFileSync(join(src, file), 'utf8');
  const parts = text.matchAll(part).toArray().join(' ');
  return [...parts.matchAll(/'([a-z]+(?:-[a-z]+)*)'/gu)].map(([, code = '']) => code);
}

test('every code of an outcome that is not applied is explained', () => {
  const ofApply = readdirSync(join(src, 'apply'))
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => quotedIn(join('apply', file), /\bcode: '[^']*'/gu));
  const ofRequests = quotedIn('catalog/fault.ts', /type FaultCode =[^;]*;/gu);
  const ofContracts = quotedIn('catalog/products/openmetadata/refused.ts', /\bcode: '[^']*'/gu);
  expect(ofApply).toContain('stopped-early');
  expect(ofRequests).toContain('unauthorized');
  expect(ofContracts).toContain('contract-moved');
  const codes = new Set([...ofApply, ...ofRequests, ...ofContracts, 'number-inexact']);
  expect([...codes].filter((code) => !Object.hasOwn(explanations, code)).toSorted()).toEqual([]);
});
