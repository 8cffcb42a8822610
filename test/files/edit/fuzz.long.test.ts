import { expect, test } from 'vitest';
import { deepEqual, isObject, type JsonValue } from '../../../src/core/json.ts';
import { editYaml } from '../../../src/files/edit/edit.ts';
import type { TextChange } from '../../../src/files/edit/state.ts';
import { valuesIn } from '../../../src/files/read/document.ts';
import { evaluate } from '../../../src/patch/evaluate.ts';
import { formatPointer } from '../../../src/patch/pointer.ts';
import {
  keepsEnds,
  keepsIndentation,
  keepsStyle,
  strayBytes,
  valuesOf,
  wronglyLost,
} from './oracles.ts';
import { brokenText } from './broken-text.ts';
import { createRandom, type Random } from './random.ts';
import { type GeneratedFile, randomFile } from './random-file.ts';
import { randomOperation } from './random-operation.ts';
import { rounds } from '../../support/rounds.ts';

/** `EDIT_FUZZ_RUNS=50000` runs for long; each run is an edit, three of a file. */
const runs = Number(process.env['EDIT_FUZZ_RUNS'] ?? rounds(1000));
const seed = Number(process.env['EDIT_FUZZ_SEED'] ?? 1);
const timeout = 180_000 + runs * 40;

type Figures = {
  edits: number;
  refused: number;
  wrong: number;
  lostComments: number;
  otherStyle: number;
  otherEnds: number;
  bytes: number;
  strayBytes: number;
};

test('edits of any file say what they should, and change nothing else', { timeout }, () => {
  const random = createRandom(seed);
  const figures: Figures = {
    edits: 0,
    refused: 0,
    wrong: 0,
    lostComments: 0,
    otherStyle: 0,
    otherEnds: 0,
    bytes: 0,
    strayBytes: 0,
  };
  while (figures.edits < runs) editOne(random, figures);
  console.log(`seed ${seed}`, figures);
  expect(figures).toMatchObject({ wrong: 0, lostComments: 0, otherEnds: 0 });
  expect(figures.strayBytes / figures.bytes).toBeLessThan(0.001);
  expect(figures.refused / figures.edits).toBeLessThan(0.02);
  expect(figures.otherStyle / figures.edits).toBeLessThan(0.01);
});

function editOne(random: Random, figures: Figures): void {
  const { file, values } = readableFile(random);
  for (const operation of random.list(3, () => randomOperation(random, valueOf(file, values)))) {
    figures.edits += 1;
    figures.bytes += file.text.length;
    const edit = editYaml(file.text, [operation], file.document);
    if (edit.kind === 'refused') {
      figures.refused += 1;
      continue;
    }
    const expected = values.with(file.document, evaluate(valueOf(file, values), [operation]));
    const isRight = deepEqual(valuesOf(edit.text), expected);
    if (isRight) examine(file, edit.text, operation, figures);
    else figures.wrong += 1;
  }
}

function examine(
  { text, document, comments }: GeneratedFile,
  edited: string,
  operation: TextChange,
  figures: Figures,
): void {
  const isKept =
    keepsIndentation(text, edited, document) && keepsStyle(text, edited, document, operation);
  figures.lostComments += wronglyLost(comments, edited, operation).length;
  figures.strayBytes += strayBytes(text, edited, document, operation);
  figures.otherStyle += isKept ? 0 : 1;
  figures.otherEnds += keepsEnds(text, edited) ? 0 : 1;
}

type ReadableFile = { readonly file: GeneratedFile; readonly values: readonly JsonValue[] };

/** Some keys and texts make a file that is not valid: it is thrown away. */
function readableFile(random: Random): ReadableFile {
  for (;;) {
    const file = randomFile(random);
    const values = valuesOf(file.text);
    if (values) return { file, values };
  }
}

function valueOf({ document }: GeneratedFile, values: readonly JsonValue[]): JsonValue {
  return values[document] ?? null;
}

test('patches of several operations say what they should', { timeout }, () => {
  const random = createRandom(seed + 1);
  for (let run = 0; run < runs / 10; run += 1) {
    const { file, values } = readableFile(random);
    let value = valueOf(file, values);
    const patch = random.list(2 + random.below(4), () => {
      const operation = randomOperation(random, value);
      value = evaluate(value, [operation]);
      return operation;
    });
    const edit = editYaml(file.text, patch, file.document);
    if (edit.kind === 'refused') continue;
    expect(valuesOf(edit.text), JSON.stringify({ file, patch })).toEqual(
      values.with(file.document, value),
    );
  }
});

test('broken text is refused with a line, and never thrown at', { timeout }, () => {
  const random = createRandom(seed + 3);
  for (let run = 0; run < runs / 3; run += 1) {
    const { file, values } = readableFile(random);
    const { text, document } = { ...file, text: brokenText(random, file.text) };
    const value = evaluate(valueOf(file, values), [randomOperation(random, valueOf(file, values))]);
    const operation: TextChange = { op: 'replace', path: '', value };
    const edit = editYaml(text, [operation], document);
    const lines = text.split('\n').length;
    if (edit.kind === 'edited') {
      const former = valuesOf(text);
      // Readers of YAML differ on some broken texts.
      if (!former || !deepEqual([...former], [...valuesIn(text)])) continue;
      const expected = former.with(document, evaluate(former[document] ?? null, [operation]));
      expect(valuesOf(edit.text), text).toEqual(expected);
    } else {
      expect(edit.line, text).toBeGreaterThanOrEqual(1);
      expect(edit.line, text).toBeLessThanOrEqual(lines);
      expect(edit.reason).not.toBe('');
    }
  }
});

test('an edit to the present value changes no byte', { timeout }, () => {
  const random = createRandom(seed + 2);
  for (let run = 0; run < runs / 10; run += 1) {
    const { file, values } = readableFile(random);
    const value = valueOf(file, values);
    const members: readonly (readonly [string, JsonValue])[] = isObject(value)
      ? Object.entries(value)
      : [];
    const patch: TextChange[] = [
      { op: 'replace', path: '', value: reordered(value) },
      ...members.map(([key, member]): TextChange => {
        return { op: 'replace', path: formatPointer([key]), value: reordered(member) };
      }),
    ];
    expect(editYaml(file.text, patch, file.document)).toMatchObject({ text: file.text });
  }
});

/** The order of members means nothing. */
function reordered(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toReversed());
}
