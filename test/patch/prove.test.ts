import { describe, expect, it } from 'vitest';
import { type Patch, PatchError, prove } from '../../src/patch/evaluate.ts';

describe('the proof of a patch', () => {
  const live = { secret: 'hidden', list: ['a', 'b'] };
  const desired = { secret: 'hidden', list: ['b', 'a'] };

  it('succeeds where the patch leads to the desired document, and changes neither', () => {
    const patch: Patch = [{ op: 'move', from: '/list/0', path: '/list/1' }];
    const before = structuredClone([live, desired, patch]);
    prove(live, desired, patch);
    expect([live, desired, patch]).toEqual(before);
  });

  it.each<[string, Patch]>([
    ['does too little', []],
    ['does something else', [{ op: 'remove', path: '/list/0' }]],
    ['does not apply', [{ op: 'remove', path: '/list/2' }]],
    ['is let through by one evaluator only', [{ op: 'move', from: '/list/0', path: '/list/7' }]],
  ])('fails for a patch that %s, without showing the document', (_, patch) => {
    expect(() => prove(live, desired, patch)).toThrow(PatchError);
    expect(() => prove(live, desired, patch)).not.toThrow(/hidden/u);
  });

  it('fails where only fast-json-patch refuses the patch', () => {
    const patch: Patch = [{ op: 'add', path: '/__proto__', value: 1 }];
    const target = JSON.parse('{"__proto__": 1}') as Record<string, number>;
    expect(() => prove({}, target, patch)).toThrow(PatchError);
  });

  it('takes the order of unordered arrays for nothing', () => {
    prove(live, desired, [], { unordered: ['list'] });
    expect(() => prove(live, desired, [])).toThrow(PatchError);
    const other = { ...desired, list: ['b', 'a', 'a'] };
    expect(() => prove(live, other, [], { unordered: ['list'] })).toThrow(PatchError);
  });
});
