import { isScalar } from '../yaml-build.js';
import { type AliasTargets, dereference } from './aliases.ts';
import type { Finding } from './finding.ts';
import { quote } from '../core/text.ts';
import { offsetOf } from './node.ts';

// Assigning either can reach the prototype of objects all over a program that trusts its input.
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** The text of a mapping's key, or undefined where JSON can have no such key. */
export function keyText(
  key: unknown,
  targets: AliasTargets,
  report: (finding: Finding) => void,
): string | undefined {
  const target = dereference(key, targets);
  if (!isScalar(target) || typeof target.value !== 'string') {
    report(nonStringKey(key, isScalar(target) ? target.value : undefined));
    return undefined;
  }
  if (forbiddenKeys.has(target.value)) {
    report(forbiddenKey(target.value, key));
    return undefined;
  }
  return target.value;
}

function nonStringKey(key: unknown, value: unknown): Finding {
  const scalar = typeof value === 'number' || typeof value === 'boolean';
  return {
    code: 'non-string-key',
    severity: 'error',
    message: scalar
      ? `The key ${value} is a ${typeof value}, and the keys of JSON are text.`
      : 'This key is no text, and the keys of JSON are text.',
    hint: scalar ? `Quote it: "${value}".` : 'Write a plain or a quoted word as the key.',
    offset: offsetOf(key),
  };
}

function forbiddenKey(name: string, key: unknown): Finding {
  return {
    code: 'forbidden-key',
    severity: 'error',
    message: `The key ${quote(name)} is refused, because it can harm programs that read it.`,
    hint: 'Rename it.',
    offset: offsetOf(key),
  };
}

export function duplicateKey(name: string, key: unknown, firstLine: number): Finding {
  return {
    code: 'duplicate-key',
    severity: 'error',
    message: `The key ${quote(name)} stands here a second time; the first is on line ${firstLine}.`,
    hint: 'Remove one of the two.',
    offset: offsetOf(key),
  };
}

export function mergeOfNoMapping(value: unknown): Finding {
  return {
    code: 'merge-of-no-mapping',
    severity: 'error',
    message: 'The merge key << takes a mapping or a list of mappings, and this is neither.',
    hint: 'Quote the key, "<<", if it is meant as text.',
    offset: offsetOf(value),
  };
}
