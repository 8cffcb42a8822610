import { isArray, isObject, type JsonValue } from '../core/json.ts';
import { InexactNumber } from '../core/number.ts';
import { printable } from '../core/text.ts';
import { labelKeyPath } from '../patch/key-path.ts';
import type { Pointer } from '../patch/pointer.ts';
import type { FieldProblem } from './conventions.ts';

/** The catalog's numbers in a value that a double doesn't hold: nothing that has one is written. */
export function inexactNumbers(
  value: JsonValue | undefined,
  pointer: Pointer = [],
  labelOf: (pointer: Pointer) => string = labelKeyPath,
): FieldProblem[] {
  if (value instanceof InexactNumber) return [inexact(value, pointer, labelOf(pointer))];
  if (!isArray(value) && !isObject(value)) return [];
  return Object.entries(value).flatMap(([token, child]) =>
    inexactNumbers(child, [...pointer, token], labelOf),
  );
}

function inexact({ text }: InexactNumber, pointer: Pointer, label: string): FieldProblem {
  return {
    code: 'number-inexact',
    severity: 'error',
    message: `\`${label}\` is ${printable(text, 40)} in the catalog, a number that this program can't hold exactly and so never writes.`,
    hint: `Change it in the catalog, best to text, or leave \`${pointer[0]}\` out of the file.`,
    pointer,
  };
}
