import { diffLines } from 'diff';
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parse,
  parseAllDocuments,
  visit,
} from 'yaml';
import type { JsonValue } from '../../../src/core/json.ts';
import type { Operation } from '../../../src/patch/evaluate.ts';
import { parsePointer, type Pointer } from '../../../src/patch/pointer.ts';
import type { FileComment } from './random-file.ts';

/**
 * What is asked of an edited text, by means that the editor does not use: the tree of the yaml
 * package, and a comparison of lines.
 */

type Parsed = Document.Parsed;

function parseFresh(text: string, lineCounter = new LineCounter()): readonly Parsed[] {
  const documents = parseAllDocuments(text.replace(/^\uFEFF/u, ''), {
    merge: true,
    lineCounter,
    logLevel: 'error',
  });
  return 'empty' in documents ? [] : documents;
}

/** The values of all documents; undefined where one is not valid. */
export function valuesOf(text: string): readonly JsonValue[] | undefined {
  const documents = parseFresh(text);
  if (documents.some(({ errors }) => errors.length > 0)) return undefined;
  try {
    return documents.map((document) => JSON.parse(JSON.stringify(document.toJS())) as JsonValue);
  } catch {
    // The package only finds here that a merge key has something else than a mapping.
    return undefined;
  }
}

/** The comments that a text has no more, though no item took them along. */
export function wronglyLost(
  comments: readonly FileComment[],
  after: string,
  operation: Operation,
): readonly string[] {
  const removed = pointersOf(operation);
  return comments
    .filter(({ text }) => !after.includes(text))
    .filter(({ within }) => !removed.some((pointer) => isInside(within, pointer)))
    .map(({ text }) => text);
}

/** What an operation takes away. A move within a collection takes nothing but what stood at its end. */
function pointersOf(operation: Operation): readonly Pointer[] {
  const path = parsePointer(operation.path) ?? [];
  if (operation.op !== 'move') return [path];
  const from = parsePointer(operation.from) ?? [];
  const isWithin = operation.from.replace(/[^/]*$/u, '') === operation.path.replace(/[^/]*$/u, '');
  return isWithin ? [path] : [from, path];
}

function isInside(within: Pointer | undefined, pointer: Pointer): boolean {
  return within !== undefined && pointer.every((token, depth) => token === within[depth]);
}

/** How many bytes of lines that an operation does not concern are not what they were. */
export function strayBytes(
  before: string,
  after: string,
  document: number,
  operation: Operation,
): number {
  // Line breaks are looked at elsewhere: here they would make a last line another line.
  const [former, later] = [before, after].map((text) => text.replaceAll('\r\n', '\n'));
  const lines = former?.split('\n') ?? [];
  const concerned = concernedLines(before, document, operation);
  const parts = diffLines(`${former}\n`, `${later}\n`);
  const added = new Set(
    parts.filter((part) => part.added).flatMap(({ value }) => value.split('\n').map(withoutMargin)),
  );
  let line = 0;
  let bytes = 0;
  for (const { value, added: isNew, removed } of parts) {
    const count = value.split('\n').length - 1;
    for (const index of removed ? range(line, line + count - 1) : []) {
      const text = lines[index] ?? '';
      const kept = added.has(withoutMargin(text)) ? withoutMargin(text).length + 1 : 0;
      if (!concerned.has(index)) bytes += text.length + 1 - kept;
    }
    if (!isNew) line += count;
  }
  return bytes;
}

/** Whether the mark at the start, the kind of line break and the end of the last line are as they were. */
export function keepsEnds(before: string, after: string): boolean {
  const isWindows = before.includes('\r\n');
  return (
    before.startsWith('\uFEFF') === after.startsWith('\uFEFF') &&
    (before.endsWith('\n') === after.endsWith('\n') || after === '') &&
    (isWindows ? !/(?<!\r)\n/u.test(after) : !after.includes('\r\n'))
  );
}

/** What slides onto a dash stays what it is. */
function withoutMargin(line: string): string {
  return line.replace(/^[\s-]*/u, '');
}

/** The lines, from 0, of the items at an operation's pointers, with blank ones and comments around. */
function concernedLines(text: string, document: number, operation: Operation): Set<number> {
  const lines = text.split(/\r?\n/u);
  const paths = 'from' in operation ? [operation.from, operation.path] : [operation.path];
  const concerned = new Set<number>();
  for (const pointer of paths.map((path) => parsePointer(path) ?? [])) {
    const item = itemLines(text, document, pointer);
    const holder = itemLines(text, document, pointer.slice(0, -1));
    if (item) for (const line of widened(lines, item)) concerned.add(line);
    // A line that gets brackets, or has them.
    if (holder) concerned.add(holder.first);
    const isFlow = holder && /[[{*]/u.test(lines[holder.first] ?? '');
    if (isFlow) for (const line of range(holder.first, holder.last)) concerned.add(line);
  }
  return concerned;
}

type LineRange = { readonly first: number; readonly last: number };

function widened(lines: readonly string[], { first, last }: LineRange): readonly number[] {
  const isLoose = (index: number): boolean => /^\s*(?:#.*)?$/u.test(lines[index] ?? 'outside');
  let [from, to] = [first, last];
  while (isLoose(from - 1)) from -= 1;
  while (isLoose(to + 1)) to += 1;
  return range(from, to);
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function itemLines(text: string, document: number, pointer: Pointer): LineRange | undefined {
  const counter = new LineCounter();
  let node: unknown = parseFresh(text, counter)[document]?.contents;
  let bounds = boundsOf(node, node);
  for (const token of pointer) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === token);
      bounds = pair && boundsOf(pair.key, pair.value ?? pair.key);
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(token)];
      bounds = boundsOf(node, node);
    } else return undefined;
  }
  if (!bounds) return undefined;
  const [first, last] = bounds.map((offset) => counter.linePos(offset).line - 1);
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** From the first character of a node to the last of another. */
function boundsOf(first: unknown, last: unknown): readonly [number, number] | undefined {
  if (!isNode(first) || !isNode(last) || !first.range || !last.range) return undefined;
  return [first.range[0], Math.max(last.range[0], last.range[1] - 1)];
}

/** Whether all collections are indented as some were before, or as is usual where none were. */
export function keepsIndentation(before: string, after: string, document: number): boolean {
  const [former, later] = [before, after].map((text) => indentationOf(text, document));
  return [...(later ?? [])].every((habit) => {
    const [kind = ''] = habit.split(' ');
    const hasOthers = [...(former ?? [])].some((other) => other.startsWith(kind));
    return former?.has(habit) || (!hasOthers && habit === `${kind} 2`);
  });
}

function indentationOf(text: string, document: number): ReadonlySet<string> {
  const counter = new LineCounter();
  const habits = new Set<string>();
  const column = (node: Node): number => counter.linePos(node.range?.[0] ?? 0).col;
  visit(parseFresh(text, counter)[document] ?? null, {
    Pair: (_key, { key, value }) => {
      if (!isNode(key) || !isCollection(value) || value.flow || value.items.length === 0) return;
      habits.add(`${isMap(value) ? 'step' : 'offset'} ${column(value) - column(key)}`);
    },
  });
  return habits;
}

/** Whether a replaced text is written as it was, if it can be. */
export function keepsStyle(
  before: string,
  after: string,
  document: number,
  operation: Operation,
): boolean {
  if (operation.op !== 'replace' || typeof operation.value !== 'string') return true;
  const pointer = parsePointer(operation.path) ?? [];
  const [former, later] = [before, after].map((text) => scalarAt(text, document, pointer));
  if (!former || !later || typeof former.value !== 'string') return true;
  return former.type === later.type || !canBe(operation.value, former);
}

type FoundScalar = { readonly value: unknown; readonly type: string; readonly isFlow: boolean };

function scalarAt(text: string, document: number, pointer: Pointer): FoundScalar | undefined {
  let found: FoundScalar | undefined;
  const root = parseFresh(text)[document];
  const node = root?.getIn(pointer.map(String), true);
  if (!root || !isScalar(node) || isAlias(node)) return undefined;
  visit(root, {
    Scalar: (_key, scalar, path) => {
      const isFlow = path.some((parent) => isCollection(parent) && parent.flow === true);
      if (scalar === node) found = { value: scalar.value, type: scalar.type ?? '', isFlow };
    },
  });
  return found;
}

function canBe(text: string, { type, isFlow }: FoundScalar): boolean {
  const isOneLine = !/[\p{Cc}\u2028\ufeff]/u.test(text);
  if (type === 'PLAIN') return isOneLine && isPlainToAll(text, isFlow);
  if (type === 'QUOTE_SINGLE') return isOneLine;
  if (type === 'QUOTE_DOUBLE') return true;
  return text.trim() !== '' && !/[\p{Cc}--[\t\n]]|[\u2028\ufeff]|\n\n$/v.test(text);
}

function isPlainToAll(text: string, isFlow: boolean): boolean {
  if (['<<', '='].includes(text) || /^[?:-]/u.test(text)) return false;
  const yaml = isFlow ? `[${text}]` : `- ${text}`;
  try {
    return (['1.1', '1.2'] as const).every((version) => {
      const [value, ...others] = parse(yaml, { version, logLevel: 'error' }) as unknown[];
      return value === text && others.length === 0;
    });
  } catch {
    return false;
  }
}
