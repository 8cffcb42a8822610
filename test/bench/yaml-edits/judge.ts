import { isDeepStrictEqual } from 'node:util';
import { CST, isCollection, isNode, isPair, Lexer, parseAllDocuments } from 'yaml';
import type { JsonValue } from '../../../src/core/json.ts';
import { evaluate } from '../../../src/patch/evaluate.ts';
import { parsePointer, type Pointer } from '../../../src/patch/pointer.ts';
import type { Edit } from './edits.ts';

/** `clean`, or the first thing that is wrong with an edited text. */
export type Verdict = 'clean' | 'refused' | 'other value' | 'comment lost' | 'other lines';

/**
 * Clean is what reads as the patched value, in which every comment is left that no removed item
 * owned, and every line but those of the edited item.
 */
export function judge(edit: Edit, after: string | undefined): Verdict {
  if (after === undefined) return 'refused';
  const { text, document, operation } = edit;
  const wanted = valuesIn(text)?.map((each, at) =>
    at === document ? evaluate(each, [operation]) : each,
  );
  if (!isDeepStrictEqual(valuesIn(after), wanted)) return 'other value';
  const concerned = concernedLines(edit);
  const found = commentsIn(after);
  const owned = operation.op === 'remove' ? concerned : new Set<number>();
  for (const [line, comment] of commentsIn(text)) {
    const same = found.findIndex(([, each]) => each === comment);
    if (same !== -1) found.splice(same, 1);
    else if (!owned.has(line)) return 'comment lost';
  }
  const [lines, left] = [text.split('\n'), after.split('\n')];
  const added =
    'value' in operation ? JSON.stringify(operation.value, null, 2).split('\n').length : 0;
  const kept = lines.filter((_, at) => !concerned.has(at));
  const isAlike = isSubsequence(kept, left) && left.length <= lines.length + added + 1;
  return isAlike ? 'clean' : 'other lines';
}

function valuesIn(text: string): readonly JsonValue[] | undefined {
  const documents = parseAllDocuments(text);
  const isRead = documents.every(({ errors }) => errors.length === 0);
  return isRead ? documents.map((each): JsonValue => each.toJS()) : undefined;
}

function commentsIn(text: string): (readonly [line: number, text: string])[] {
  let line = 0;
  return [...new Lexer().lex(text)].flatMap((lexeme) => {
    const own = line;
    line += lexeme.split('\n').length - 1;
    return CST.tokenType(lexeme) === 'comment' ? [[own, lexeme.trim()] as const] : [];
  });
}

function isSubsequence(some: readonly string[], all: readonly string[]): boolean {
  let next = 0;
  for (const line of all) if (line === some[next]) next += 1;
  return next === some.length;
}

/** The lines that an edit has a reason to change. */
function concernedLines({ text, document, operation }: Edit): ReadonlySet<number> {
  const root = parseAllDocuments(text)[document]?.contents;
  const pointer = parsePointer('from' in operation ? operation.from : operation.path) ?? [];
  if (operation.op === 'add') {
    const { holder } = placeIn(root, pointer);
    return new Set(holder.flow ? linesBetween(text, holder.range) : []);
  }
  return new Set(linesOf(pointer, root, text, operation.op === 'replace'));
}

function linesOf(pointer: Pointer, root: unknown, text: string, isReplaced: boolean): number[] {
  const { holder, range, isFirst, isOnly } = placeIn(root, pointer);
  if (holder.flow) return linesBetween(text, holder.range);
  const own = linesBetween(text, range);
  if (isReplaced) return own;
  const lines = text.split('\n');
  const above = own[0] ?? 0;
  const content = lines.slice(0, above).findLastIndex((line) => !/^\s*(?:#.*)?\s*$/u.test(line));
  for (let at = content + 1; at < above; at += 1) own.push(at);
  const next = Math.max(...own) + 1;
  // The next item may slide onto the dash, and an empty collection stands at its key.
  if (isFirst || lines[next]?.trim() === '') own.push(next);
  if (isOnly && pointer.length > 1) own.push(...linesOf(pointer.slice(0, -1), root, text, false));
  return own;
}

function linesBetween(text: string, [start, end]: readonly number[]): number[] {
  const lineAt = (offset = 0): number => text.slice(0, offset).split('\n').length - 1;
  const first = lineAt(start);
  const last = lineAt(Math.max(start ?? 0, (end ?? 0) - 1));
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function placeIn(root: unknown, pointer: Pointer) {
  const holder = isCollection(root) ? root.getIn(pointer.slice(0, -1), true) : undefined;
  const own = pointer.length === 1 ? root : holder;
  if (!isCollection(own)) throw new Error(`Nothing at ${pointer.join('/')}.`);
  const token = pointer.at(-1) ?? '';
  const index = own.items.findIndex((each, at) =>
    isPair(each) ? String(each.key) === token : String(at) === token,
  );
  const item = own.items[index];
  const nodes = isPair(item) ? [item.key, item.value] : [item];
  const ranges = nodes.flatMap((node) => (isNode(node) && node.range ? [node.range] : []));
  return {
    holder: { flow: own.flow, range: own.range ?? [] },
    range: [ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? 0],
    isFirst: index === 0,
    isOnly: own.items.length === 1,
  };
}
