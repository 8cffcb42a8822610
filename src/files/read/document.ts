import { EVENT_ID, getScalarValue } from 'js-yaml';
import type { SourcePosition } from '../../core/diagnostic.ts';
import { isObject, type JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import {
  type EventText,
  isLeftEmpty,
  mergeSources,
  offsetOf,
  parseText,
  valuesBelow,
} from './events.ts';
import { type Finding, mostProblems, type OffsetDiagnostic } from './finding.ts';
import { isMergeKey, readValue } from './value.ts';

export type PointerDiagnostic = Finding & {
  readonly pointer: Pointer;
  /** The key is at fault, not its value. */
  readonly atKey?: boolean;
  /** The place that is meant, if the key is another's. */
  readonly meant?: Pointer;
};

export type CheckedYaml = ReturnType<typeof checkYaml>;

/** A text with a syntax error has no fields, but the problems of all of its sections. */
export function checkYaml(text: string, check: ShapeCheck) {
  const { parsed, errors } = parseSections(text);
  // What the rest lacks may be in the sections that are left out.
  const checkRest: ShapeCheck = (rest) => check(rest).filter(({ pointer }) => pointer.length > 0);
  const documents = parsed.documents.map((each) => {
    if (errors.length === 0) return checkDocument(parsed, each, check);
    return { ...checkDocument({ ...parsed, isPart: true }, each, checkRest), fields: undefined };
  });
  return { documents, lines: parsed.lines, findings: errors };
}

const mostSyntaxErrors = 10;

// Leaves out each section with an error, and reads the rest. All offsets stay.
function parseSections(text: string) {
  const errors: OffsetDiagnostic[] = [];
  let parsed = parseText(text);
  for (let read = 0; parsed.error && read < mostSyntaxErrors; read += 1) {
    const { error, ends } = parsed;
    // It closes what a section that is left out has opened.
    const isEffect = read > 0 && /[\]}]/u.test(parsed.text[error.offset] ?? '');
    if (!isEffect) errors.push(error);
    if (ends) break;
    parsed = parseText(withoutSection(parsed.text, error.offset));
  }
  return { parsed, errors };
}

// From one key at the start of a line to the next, or to the end of the document.
function withoutSection(text: string, offset: number): string {
  const starts = text
    .matchAll(/^(?:["']?[\w-]+["']?:|---)(?=\s)/gmu)
    .map(({ index }) => index)
    .toArray();
  const start = starts.findLast((each) => each <= offset) ?? 0;
  const end = starts.find((each) => each > offset) ?? text.length;
  const blank = text.slice(start, end).replaceAll(/[^\r\n]/gu, ' ');
  return text.slice(0, start) + blank + text.slice(end);
}

type ShapeCheck = (document: JsonValue) => readonly PointerDiagnostic[];

function checkDocument(
  parsed: EventText,
  { root, offset }: { readonly root: number; readonly offset: number },
  check: ShapeCheck,
) {
  if (isLeftEmpty(parsed.events[root]))
    return { isEmpty: true, offset, locate: () => offset, findings: [], fields: undefined };
  const { value, findings: unfit } = readValue(parsed, root);
  const locate = (pointer: Pointer, part?: keyof Member): number =>
    locateIn(parsed, root, pointer, part);
  const shape = check(value)
    .slice(0, mostProblems + 1)
    .map(({ pointer, atKey, meant: _meant, ...problem }): OffsetDiagnostic => ({
      severity: 'error',
      ...problem,
      offset: locateIn(parsed, root, pointer, atKey ? 'key' : 'value'),
    }))
    .filter(({ offset }) =>
      unfit.every((known) => known.severity === 'warning' || known.offset !== offset),
    );
  const findings = [...unfit, ...shape];
  const isSound = findings.every(({ severity = 'error' }) => severity !== 'error');
  const fields = isObject(value) && isSound ? value : undefined;
  return { isEmpty: false, offset: locate([]), locate, findings, fields };
}

export type Reading = ReturnType<typeof readDocuments>;

export function readDocuments(text: string) {
  const parsed = parseText(text);
  const documents = parsed.documents.map(({ root }) => {
    const { value, findings } = readValue(parsed, root);
    return { value, errors: findings.filter(({ severity = 'error' }) => severity === 'error') };
  });
  return { documents, errors: parsed.error ? [parsed.error] : [], lines: parsed.lines };
}

export function valuesIn(text: string): readonly JsonValue[] {
  return readDocuments(text).documents.map(({ value }) => value);
}

export type Source = { readonly file: string; readonly text: string };

/** Parses on demand, as few contracts change. */
export function placeOf(
  { file, text, index }: Source & { readonly index: number },
  pointer: Pointer,
): SourcePosition {
  const parsed = parseText(text);
  const { root } = parsed.documents[index] ?? {};
  return { file, ...parsed.lines.place(root === undefined ? 0 : locateIn(parsed, root, pointer)) };
}

type Member = { readonly key: number; readonly value: number };

// The offset of the value, or of its nearest ancestor; an alias leads to its anchor.
function locateIn(parsed: EventText, root: number, pointer: Pointer, part: keyof Member = 'value') {
  let place: Member = { key: root, value: root };
  for (const token of pointer) {
    const isMap = parsed.events[place.value]?.type === EVENT_ID.MAPPING;
    const child = isMap ? memberOf(parsed, place.value, token) : itemOf(parsed, place.value, token);
    if (!child) break;
    place = child;
  }
  return offsetOf(parsed, place[part]);
}

function memberOf(
  parsed: EventText,
  map: number,
  name: string,
  seen = new Set<number>(),
): Member | undefined {
  const { text, events, targets } = parsed;
  const merged: number[] = [];
  const below = valuesBelow(parsed, map);
  for (let at = 0; at + 1 < below.length; at += 2) {
    const key = below[at] ?? 0;
    const item = below[at + 1] ?? 0;
    const value = targets.get(item) ?? item;
    const event = events[targets.get(key) ?? key];
    if (isMergeKey(parsed, key)) merged.push(...mergeSources(parsed, value));
    else if (event?.type === EVENT_ID.SCALAR && getScalarValue(text, event) === name)
      return { key, value };
  }
  seen.add(map); // A mapping that merges itself is refused, but must be located to be reported.
  const sources = merged.map((each) => targets.get(each) ?? each);
  for (const source of sources.filter((each) => events[each]?.type === EVENT_ID.MAPPING)) {
    const found = seen.has(source) ? undefined : memberOf(parsed, source, name, seen);
    if (found) return found;
  }
  return undefined;
}

function itemOf(parsed: EventText, list: number, token: string): Member | undefined {
  if (parsed.events[list]?.type !== EVENT_ID.SEQUENCE || !/^\d+$/u.test(token)) return undefined;
  const item = valuesBelow(parsed, list)[Number(token)];
  if (item === undefined) return undefined;
  const value = parsed.targets.get(item) ?? item;
  return { key: value, value };
}
