import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../../src/core/json.ts';
import { resolveAliases, toJson } from '../../../src/files/read/value.ts';
import { placesIn } from '../../../src/files/read/document.ts';
import { parseSimple, type Places, type SimpleDocument } from '../../../src/files/read/simple.ts';
import { syntaxFindings } from '../../../src/files/read/syntax.ts';
import { parseYaml } from '../../../src/files/read/yaml.ts';
import type { Pointer } from '../../../src/patch/pointer.ts';

/** What the two ways of reading a text come to: 'slow' where only the `yaml` package may read it. */
export type Agreement = 'slow' | 'agree' | `differ: ${string}`;

/** Compares values, findings and the offsets of every key and value, and of some that are not there. */
export function agreementOn(text: string): Agreement {
  const simple = parseSimple(text);
  if (!simple) return 'slow';
  const { documents, lines, findings } = parseYaml(text);
  if (findings.length > 0) return `differ: ${findings[0]?.code}`;
  if (documents.length !== simple.length) return `differ: ${documents.length} documents`;
  for (const [index, document] of documents.entries()) {
    const targets = resolveAliases(document, text);
    const { value, findings: unfit } = toJson(document, targets, lines);
    const found = [...syntaxFindings(document, text), ...unfit];
    if (found.length > 0) return `differ: ${found[0]?.code}`;
    const difference = differenceOf(simple[index], value, placesIn(document, targets));
    if (difference !== undefined) return `differ: ${difference}`;
  }
  return 'agree';
}

function differenceOf(
  simple: SimpleDocument | undefined,
  value: JsonValue,
  { locateValue, locateKey }: Places,
): string | undefined {
  if (!simple || !isDeepStrictEqual(simple.value, value)) return 'values';
  // Members must come in one order too.
  if (JSON.stringify(simple.value) !== JSON.stringify(value)) return 'order';
  for (const pointer of pointersAround(value)) {
    if (simple.locateValue(pointer) !== locateValue(pointer))
      return `value at /${pointer.join('/')}`;
    if (simple.locateKey(pointer) !== locateKey(pointer)) return `key at /${pointer.join('/')}`;
  }
  return undefined;
}

/** Of every value, and of something below it that is not there. */
function pointersAround(value: JsonValue): Pointer[] {
  return pointersOf(value).flatMap((pointer) => [pointer, [...pointer, '99'], [...pointer, '-']]);
}

function pointersOf(value: JsonValue): Pointer[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const entries: readonly (readonly [string, JsonValue])[] = Object.entries(value);
  return [[], ...entries.flatMap(([key, item]) => pointersOf(item).map((rest) => [key, ...rest]))];
}
