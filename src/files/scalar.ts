import type { Scalar } from 'yaml';
import type { JsonPrimitive } from '../core/json.ts';
import type { Finding } from './finding.ts';
import { quote } from '../core/text.ts';
import { offsetOf } from './node.ts';

type Report = (finding: Finding) => void;

/** A scalar as JSON has it; null where it cannot, after a report. */
export function scalarValue(scalar: Scalar, report: Report): JsonPrimitive {
  const { value } = scalar;
  if (typeof value === 'number') return numberValue(value, scalar, report);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return null;
}

function numberValue(value: number, scalar: Scalar, report: Report): number | null {
  const text = scalar.source ?? String(value);
  if (!Number.isFinite(value)) {
    report(notFinite(text, offsetOf(scalar)));
    return null;
  }
  if (isInteger(text) && !Number.isSafeInteger(value)) {
    report(integerTooLarge(text, offsetOf(scalar)));
    return null;
  }
  if (/^[-+]?0\d/u.test(text)) report(leadingZero(text, value, offsetOf(scalar)));
  return value === 0 ? 0 : value; // JSON text has no -0.
}

/** Written as an integer: 1e20 is a float, which is rounded by agreement. */
function isInteger(text: string): boolean {
  return /^(?:[-+]?\d+|0o[0-7]+|0x[\da-f]+)$/iu.test(text);
}

function notFinite(text: string, offset: number): Finding {
  return {
    code: 'number-not-finite',
    severity: 'error',
    message: `The number ${quote(text)} is no number that JSON can hold.`,
    hint: 'Quote it if it is meant as text.',
    offset,
  };
}

function integerTooLarge(text: string, offset: number): Finding {
  return {
    code: 'integer-too-large',
    severity: 'error',
    message: `The integer ${quote(text)} is past 2^53 - 1, so JSON readers would round it.`,
    hint: 'Quote it to keep all of its digits.',
    offset,
  };
}

function leadingZero(text: string, value: number, offset: number): Finding {
  return {
    code: 'leading-zero',
    severity: 'warning',
    message: `The number ${text} is read as ${value}; older YAML tools read it as octal.`,
    hint: 'Drop the leading zero, or quote it if it is meant as text.',
    offset,
  };
}
