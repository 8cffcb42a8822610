import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, inject, test } from 'vitest';
import { inParentheses } from '../.ci/compile-early.ts';
import { wrapper } from '../src/cli/modules.ts';

const [before, after] = wrapper;

test('what was called stands in parentheses, and declarations before all that may call them', () => {
  const code = `"use strict";exports.two=twice(1);function twice(a){return a*2}async function*all(){yield 1}const each=a=>late(a);class A{m(){return(()=>1)()}get g(){return 2}}function late(a){return[a].map(b=>b+1)}exports.each=each;exports.seen=[...twice.name,new A().m()];`;
  const called = [
    'function twice(a){return a*2}',
    'async function*all(){yield 1}',
    'a=>late(a)',
    'm(){return(()=>1)()}',
    'get g(){return 2}',
    'b=>b+1',
  ];
  const marked = inParentheses(
    code,
    called.map((text) => rangeOf(text, code)),
  );
  expect(marked).toBe(
    `"use strict";var twice=(function (a){return a*2}),all=(async function*(){yield 1});exports.two=twice(1);const each=(a=>late(a));class A{m(){return(()=>1)()}get g(){return 2}}function late(a){return[a].map((b=>b+1))}exports.each=each;exports.seen=[...twice.name,new A().m()];`,
  );
  expect(exportsOf(marked)).toEqual(exportsOf(code));
});

test('what a plan calls is compiled as its chunk is loaded', () => {
  const chunks = join(inject('bundles'), 'chunks');
  const [plan = ''] = readdirSync(chunks)
    .filter((name) => name.startsWith('plan-'))
    .map((name) => readFileSync(join(chunks, name), 'utf8'))
    .toSorted((a, b) => b.length - a.length);
  const compiled = new Script(`${before}${plan}${after}`).createCachedData();
  expect(compiled.length).toBeGreaterThan(plan.length);
});

/** Where V8 says that it is: in what Node has around it. */
function rangeOf(text: string, code: string) {
  const startOffset = before.length + code.indexOf(text);
  return { startOffset, endOffset: startOffset + text.length };
}

function exportsOf(code: string): Readonly<Record<string, unknown>> {
  const exports = {};
  new Script(`${before}${code}${after}`).runInThisContext()(exports);
  return { ...exports, each: undefined };
}
