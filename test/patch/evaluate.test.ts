import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import { evaluate, type Patch, PatchError, prove } from '../../src/patch/evaluate.ts';

function errorOf(run: () => unknown): PatchError {
  try {
    run();
  } catch (error) {
    if (error instanceof PatchError) return error;
  }
  throw new Error('No PatchError was thrown.');
}

describe('evaluating a patch', () => {
  /** What other evaluators are known to let through. */
  const refused: readonly (readonly [JsonValue, Patch])[] = [
    [{ a: [1, 2] }, [{ op: 'move', from: '/a/0', path: '/a/2' }]],
    [{ a: [1], b: 2 }, [{ op: 'move', from: '/b', path: '/a/2' }]],
    [{ a: [1] }, [{ op: 'copy', from: '/a/0', path: '/a/2' }]],
    [{ a: [1, 2] }, [{ op: 'add', path: '/a/01', value: 3 }]],
    [{ a: [1, 2] }, [{ op: 'test', path: '/a/01', value: 2 }]],
    [{ a: [1] }, [{ op: 'replace', path: '/a/', value: 2 }]],
    [{ a: [1] }, [{ op: 'replace', path: '/a/4294967296', value: 2 }]],
    [{ a: [1] }, [{ op: 'remove', path: '/a/-' }]],
    [{ a: { b: 1 } }, [{ op: 'move', from: '/a', path: '/a/b' }]],
    [{ a: [{}, {}] }, [{ op: 'move', from: '/a/0', path: '/a/0/b' }]],
    [{ a: 1 }, [{ op: 'replace', path: '/b', value: 2 }]],
    [{ a: 'text' }, [{ op: 'add', path: '/a/0', value: 2 }]],
    [{}, [{ op: 'add', path: '/constructor/x', value: 1 }]],
    [{}, [{ op: 'add', path: '/__proto__/x', value: 1 }]],
    [{}, [{ op: 'remove', path: '/toString' }]],
    [{}, [{ op: 'remove', path: '' }]],
    [{}, [{ op: 'add', path: 'a', value: 1 }]],
  ];
  it.each(refused)('is refused: %j, %j', (document, patch) => {
    expect(() => evaluate(document, patch)).toThrow(PatchError);
  });

  it('names the operation that fails, and never shows the document', () => {
    const document = { secret: 'hidden text', list: [1] };
    const patch: Patch = [
      { op: 'replace', path: '/secret', value: 'another text' },
      { op: 'remove', path: '/list/3' },
    ];
    const error = errorOf(() => evaluate(document, patch));
    expect(error.index).toBe(1);
    expect(error.message).toContain('Operation 1 (remove /list/3)');
    expect(error.message).not.toContain('text');
  });

  it('leaves the document as it was, and shares untouched parts with it', () => {
    const document = { a: { b: [1, 2] }, c: { d: 1 } };
    const result = evaluate(document, [{ op: 'add', path: '/a/b/0', value: 0 }]);
    expect(document).toEqual({ a: { b: [1, 2] }, c: { d: 1 } });
    expect(result).toEqual({ a: { b: [0, 1, 2] }, c: { d: 1 } });
    expect((result as typeof document).c).toBe(document.c);
  });

  it('does not touch prototypes through a member named __proto__', () => {
    const patch: Patch = [{ op: 'add', path: '/__proto__', value: { polluted: true } }];
    const result = evaluate({ a: 1 }, patch);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(JSON.stringify(result)).toBe('{"a":1,"__proto__":{"polluted":true}}');
  });

  it('takes false, 0, "" and null for values like any others', () => {
    for (const value of [false, 0, '', null]) {
      const patch: Patch = [
        { op: 'test', path: '/a', value },
        { op: 'copy', from: '/a', path: '/b' },
        { op: 'remove', path: '/a' },
      ];
      expect(evaluate({ a: value }, patch)).toEqual({ b: value });
    }
  });

  it('moves a value onto itself without a change', () => {
    expect(evaluate({ a: 1 }, [{ op: 'move', from: '/a', path: '/a' }])).toEqual({ a: 1 });
  });
});

describe('the proof of a patch', () => {
  const live = { secret: 'hidden', list: ['a', 'b'] };
  const desired = { secret: 'hidden', list: ['b', 'a'] };

  it('succeeds where the patch leads to the desired document, and changes neither', () => {
    const patch: Patch = [{ op: 'move', from: '/list/0', path: '/list/1' }];
    const before = structuredClone([live, desired, patch]);
    prove(live, desired, patch);
    expect([live, desired, patch]).toEqual(before);
  });

  it('leaves a value of the patch as it is, where a later operation adds to it', () => {
    const patch: Patch = [
      { op: 'add', path: '/sla', value: {} },
      { op: 'add', path: '/sla/days', value: 1 },
    ];
    const before = structuredClone(patch);
    prove({}, { sla: { days: 1 } }, patch);
    expect(patch).toEqual(before);
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
