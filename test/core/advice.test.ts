import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SyncError } from '../../src/core/errors.ts';
import { advise, hintOf, reword, wording, slot } from '../../src/core/advice.ts';

const slots = { base: 'the input `base`', paths: 'Check the input `paths`.' };

test('a slot is a flag on the command line, and what another face says there', () => {
  const problem = { code: 'x', ...advise(wording`Leave out ${slot('base')}, or ${slot('only')}.`) };
  expect(problem.hint).toBe('Leave out --base, or --only.');
  expect(reword(problem, slots)).toEqual({
    code: 'x',
    hint: 'Leave out the input `base`, or --only.',
  });
});

test('a slot can be a whole sentence', () => {
  const problem = advise(slot('paths', wording`Leave out ${slot('base')}.`));
  expect(problem.hint).toBe('Leave out --base.');
  expect(reword(problem, { base: slots.base }).hint).toBe('Leave out the input `base`.');
  expect(reword(problem, slots).hint).toBe('Check the input `paths`.');
});

describe('what a user or a server has written is never taken for a slot', () => {
  const texts = ['{flag:base}', '--base', 'base', '${slot("base")}', '%s', '`base`'];

  test.each(texts)('%s', (name) => {
    const problem = advise(wording`Rename ${name}, or leave out ${slot('base')}.`);
    expect(problem.hint).toBe(`Rename ${name}, or leave out --base.`);
    expect(reword(problem, slots).hint).toBe(`Rename ${name}, or leave out the input \`base\`.`);
    expect(JSON.parse(JSON.stringify(problem))).toEqual({
      hint: `Rename ${name}, or leave out --base.`,
    });
    expect(reword({ hint: name, message: name }, slots)).toEqual({ hint: name, message: name });
    expect(reword(advise(name), slots).hint).toBe(name);
  });
});

test('a hint that is part of another keeps its slots, in a copy too', () => {
  const part = { ...advise(wording`Leave out ${slot('base')}.`) };
  const whole = advise(wording`Run again. ${hintOf(part) ?? ''}`);
  expect(reword(whole, slots).hint).toBe('Run again. Leave out the input `base`.');
});

test('an error without a hint has nothing to word', () => {
  expect(reword(new SyncError('x', 'No.'), slots)).toMatchObject({ code: 'x', hint: undefined });
});

test('a hint that took the place of one with slots stays', () => {
  const replaced = { ...advise(wording`Leave out ${slot('base')}.`), hint: 'Allowed: --base.' };
  expect(reword(replaced, slots).hint).toBe('Allowed: --base.');
});

/** Rooms whose hints the Action and the library show too. */
const rooms = ['apply', 'auth', 'catalog', 'config', 'files', 'plan', 'review'];
const sources = [
  ...['pairs', 'plan', 'saved', 'history'].map((name) => `src/commands/${name}.ts`),
  ...rooms.flatMap((room) =>
    readdirSync(join('src', room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join('src', room, name)),
  ),
].map((name) => readFileSync(name, 'utf8'));

/** What only the command line says, and hints that are put into a slot as a whole. */
const others =
  /git fetch|logout --local|use --force|^Allowed by|^(?:Set CONTRACT_SYNC_TOKEN|Pass|Remove)\b/u;

test('a flag in a hint is in a slot', () => {
  const plain = sources.flatMap((source) =>
    [...source.matchAll(/(['`])([A-Z](?:\\`|(?!\1).)* --[a-z](?:\\`|(?!\1).)*)\1/gu)]
      .filter(({ 0: text, index }) => {
        const before = source.slice(0, index);
        return !/\bslot\(\s*'[a-z-]+',\s*$/u.test(before) && !text.includes("${slot('");
      })
      .map(([, , hint = '']) => hint),
  );
  expect(plain.filter((hint) => !others.test(hint))).toEqual([]);
});

const named = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/slot\(\s*'([a-z: -]+)'/gu)].map(([, name = '']) => name),
  ),
);

test.for([
  {
    face: 'action',
    file: 'action/slots.ts',
    without: [
      'catalog-url',
      'editor', // by the history of each contract
      'exclude',
      'folder',
      'known-environments',
      'only',
      'other-command',
    ],
  },
  {
    face: 'library',
    file: 'library.ts',
    // Of the rest, what the command line says is what a program says too.
    without: [
      'editor',
      'env-or-variable',
      'other-url',
      'overwrites',
      'plan-again',
      'review-again',
      'same-catalog',
    ],
  },
])('the $face fills each slot that it can have', ({ file, without }) => {
  const filled = ['report/slots.ts', file]
    .map((each) => readFileSync(`src/${each}`, 'utf8'))
    .join('\n');
  const missing = [...named].filter((name) => !new RegExp(`^  '?${name}'?:`, 'mu').test(filled));
  expect(missing.toSorted()).toEqual(without);
});
