import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { type FileState, findProvenance } from '../../src/history/reason.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { at, versionsOf } from './histories.ts';

const int = { dataType: 'INT' };
const id = { name: 'id', ...int };
const amount = { name: 'amount', ...int };
const tip = { name: 'tip', ...int };

const file = { description: 'One.', schema: [id, amount] };
const edited = { ...file, schema: [id, amount, tip] };

function commitOf(name: string, hours: number, managed: JsonObject): FileState {
  return { commit: name, author: 'Ada', time: at(hours), managed };
}

/** Where the newest version comes from: the versions are an hour apart, from 0 on. */
function sourceOf(states: readonly JsonObject[], ...commits: readonly FileState[]) {
  const known = { states: [...commits, commitOf('first', 0, file)], knownFrom: -Infinity };
  const [source] = findProvenance(versionsOf(states), known, defaultRules);
  return source && 'commit' in source ? `${source.kind} ${source.commit}` : source?.kind;
}

function withSteps(...steps: string[][]) {
  return { ...edited, extension: { steps } };
}

describe('a version is judged by the places that it changed:', () => {
  test('a description beside a column that git does not know', () => {
    const applied = { ...edited, description: 'Two.' };
    const commit = commitOf('alice', 1.5, { ...file, description: 'Two.' });
    expect(sourceOf([file, edited, applied], commit)).toBe('git alice');
  });

  test('a column beside another one, in the same list', () => {
    const schema = [{ ...id, dataType: 'LONG' }, amount];
    const applied = { ...file, schema: [...schema, tip] };
    const commit = commitOf('alice', 1.5, { ...file, schema });
    expect(sourceOf([file, edited, applied], commit)).toBe('git alice');
  });

  test('a column that it removed, beside one that git does not know', () => {
    const commit = commitOf('alice', 1.5, { ...file, schema: [id] });
    expect(sourceOf([file, edited, { ...file, schema: [id, tip] }], commit)).toBe('git alice');
    expect(sourceOf([file, edited, { ...file, schema: [amount, tip] }], commit)).toBe('no-commit');
  });

  test('an order beside a column that git does not know', () => {
    const commit = commitOf('alice', 1.5, { ...file, schema: [amount, id] });
    const applied = { ...file, schema: [amount, id, tip] };
    expect(sourceOf([file, edited, applied], commit)).toBe('git alice');
    expect(sourceOf([file, edited, applied])).toBe('no-commit');
  });

  test('a list without keys is one place', () => {
    const commit = commitOf('alice', 1.5, { ...file, extension: { steps: [['a'], ['c']] } });
    const before = withSteps(['a'], ['b']);
    expect(sourceOf([file, before, withSteps(['a'], ['c'])], commit)).toBe('git alice');
    expect(sourceOf([file, before, withSteps(['a'], ['c'], ['d'])], commit)).toBe('no-commit');
  });

  test('no commit has two changes of which one was an edit', () => {
    const mixed = { description: 'Two.', schema: [id, amount, tip] };
    const commit = commitOf('alice', 0.5, { ...file, description: 'Two.' });
    expect(sourceOf([file, mixed], commit)).toBe('no-commit');
    expect(sourceOf([file, mixed], commitOf('pull', 2, mixed), commit)).toBe('git-since pull');
  });

  test('of two commits with the change, the one without others', () => {
    const commit = commitOf('alice', 0.5, { ...file, description: 'Two.' });
    const branch = commitOf('bob', 0.7, { description: 'Two.', schema: [id] });
    expect(sourceOf([file, { ...file, description: 'Two.' }], branch, commit)).toBe('git alice');
  });
});
