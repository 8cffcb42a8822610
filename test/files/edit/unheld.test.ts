import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import type { JsonValue } from '../../../src/core/json.ts';
import { editYaml } from '../../../src/files/edit/edit.ts';
import { readDocuments } from '../../../src/files/read/document.ts';
import { evaluate, type Operation } from '../../../src/patch/evaluate.ts';
import { valueAt } from '../../../src/patch/pointer.ts';
import { rounds } from '../../support/rounds.ts';
import { createRandom, type Random } from './random.ts';

/** Each stands once in its text, with the pointer of the value that it goes with. */
type Mark = { readonly text: string; readonly pointer: string };

type Made = {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly pointers: readonly string[];
};

/** Keys that are numbers, tags, infinities and big integers, in blocks and in flow of several lines. */
function makeText(random: Random): Made {
  const marks: Mark[] = [];
  const pointers: string[] = [];
  let count = 0;
  const scalar = (pointer: string): string => {
    count += 1;
    const unheld = random.pick([
      `!t${1000 + count}`,
      `12345678901234567${1000 + count}`,
      `9e9${1000 + count}`,
    ]);
    if (random.chance(0.5)) return random.pick([`v${count}`, `'v ${count}'`, `"v${count}"`]);
    marks.push({ text: unheld, pointer });
    return unheld.startsWith('!') ? `${unheld} v` : unheld;
  };
  const collection = (pointer: string, depth: number, margin: string, isFlow: boolean): string => {
    const isMap = random.chance(0.5);
    const items = random.list(1 + random.below(3), (index) => {
      count += 1;
      const isUnheld = isMap && random.chance(0.2);
      const key = isUnheld ? `8${1000 + count}` : `k${count}`;
      if (isUnheld) marks.push({ text: `${key}:`, pointer });
      const own = isUnheld ? pointer : `${pointer}/${isMap ? key : index}`;
      if (!isUnheld) pointers.push(own);
      const isBelowFlow = isFlow || random.chance(0.4);
      const isLeaf = depth === 0 || random.chance(0.3);
      const value = isLeaf ? scalar(own) : collection(own, depth - 1, `${margin}  `, isBelowFlow);
      return (isMap ? `${key}:` : '-') + (value.startsWith('\n') ? value : ` ${value}`);
    });
    if (!isFlow) return items.map((item) => `\n${margin}${item}`).join('');
    const flow = isMap ? items : items.map((item) => item.slice(2));
    const space = random.chance(0.5) ? `\n${margin}` : ' ';
    const [open, close] = isMap ? '{}' : '[]';
    return `${open}${space}${flow.join(`,${space}`)}${space}${close}`;
  };
  const text = `${collection('', 3, '', false).slice(1)}\n`;
  return { text, marks, pointers };
}

function makeOperation(random: Random, { pointers }: Made): Operation {
  const [from, target] = [random.pick(pointers), random.pick(pointers)];
  const path = random.chance(0.5) ? target : target.replace(/[^/]*$/u, 'new');
  return random.pick<Operation>([
    { op: 'remove', path: from },
    { op: 'replace', path: from, value: random.pick<JsonValue>(['new', { new: 1 }]) },
    { op: 'add', path, value: 'new' },
    { op: 'copy', from, path },
    { op: 'move', from, path },
  ]);
}

test('what JSON has not is moved, kept or refused, and goes only with what is removed', () => {
  const random = createRandom(1);
  let edited = 0;
  for (let run = 0; run < rounds(600); run += 1) {
    const made = makeText(random);
    const value = readDocuments(made.text).documents[0]?.value;
    if (value === undefined || made.pointers.length === 0) continue;
    const operation = makeOperation(random, made);
    const after = patched(value, operation);
    const edit = editYaml(made.text, [operation]);
    if (after === undefined) expect(edit.kind).toBe('refused');
    if (edit.kind === 'refused') continue;
    edited += 1;
    const said = JSON.stringify({ operation, before: made.text, after: edit.text }, null, 1);
    expect(readDocuments(edit.text).documents[0]?.value, said).toEqual(after);
    expect(parseDocument(edit.text, { logLevel: 'silent' }).errors, said).toEqual([]);
    const counts = made.marks
      .filter((mark) => !goesWith(operation, value, mark))
      .map(({ text }) => edit.text.split(text).length - 1);
    expect(new Set(counts), said).toEqual(new Set(counts.length > 0 ? [1] : []));
  }
  expect(edited).toBeGreaterThan(rounds(600) / 3);
});

function patched(value: JsonValue, operation: Operation): JsonValue | undefined {
  try {
    return evaluate(value, [operation]);
  } catch {
    return undefined;
  }
}

/** Below what is removed or replaced; of a move within a list, whose pointers shift, the whole list. */
function goesWith(operation: Operation, value: JsonValue, { pointer }: Mark): boolean {
  const { op, path } = operation;
  const from = op === 'move' ? operation.from.replace(/[^/]*$/u, '') : undefined;
  if (from !== undefined && path.startsWith(from) && pointer.startsWith(from)) return true;
  const isReplaced = op !== 'remove' && valueAt(value, path.split('/').slice(1)) !== undefined;
  const isBelow = pointer === path || pointer.startsWith(`${path}/`);
  return isBelow && (op === 'remove' || isReplaced);
}
