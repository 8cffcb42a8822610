import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import { evaluate, type Patch, PatchError } from '../../src/patch/evaluate.ts';

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

  it('leaves the document as it was, and shares what it does not touch', () => {
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
