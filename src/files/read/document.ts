import type { SourcePosition } from '../../core/diagnostic.ts';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import { type EventText, isLeftEmpty, parseText } from './events.ts';
import {
  type Finding,
  type Lines,
  linesOf,
  mostProblems,
  type OffsetDiagnostic,
} from './finding.ts';
import { type Places, placesIn } from './places.ts';
import { readValue } from './value.ts';

export type PointerDiagnostic = Finding & {
  readonly pointer: Pointer;
  /** The key is at fault, not its value. */
  readonly atKey?: boolean;
};

type CheckedDocument = {
  readonly fields?: JsonObject;
  readonly isEmpty: boolean;
  readonly offset: number;
  readonly locate: Places['locateValue'];
  readonly findings: readonly OffsetDiagnostic[];
};

export type CheckedYaml = {
  readonly lines: Lines;
  readonly documents: readonly CheckedDocument[];
  /** Of the text as a whole, which then has no documents. */
  readonly findings: readonly OffsetDiagnostic[];
};

type ShapeCheck = (document: JsonValue) => readonly PointerDiagnostic[];

export function checkYaml(text: string, check: ShapeCheck): CheckedYaml {
  const parsed = parseText(text);
  const documents = parsed.documents.map((each) => checkDocument(parsed, each, check));
  return { documents, lines: linesOf(text), findings: parsed.error ? [parsed.error] : [] };
}

function checkDocument(
  parsed: EventText,
  { root, offset }: { readonly root: number; readonly offset: number },
  check: ShapeCheck,
): CheckedDocument {
  const { locateKey, locateValue } = placesIn(parsed, root);
  if (isLeftEmpty(parsed.events[root]))
    return { isEmpty: true, offset, locate: () => offset, findings: [] };
  const { value, findings: unfit } = readValue(parsed, root);
  // The events are searched for each place.
  const shape = check(value)
    .slice(0, mostProblems + 1)
    .map(({ pointer, atKey, ...problem }): OffsetDiagnostic => ({
      severity: 'error',
      ...problem,
      offset: atKey ? locateKey(pointer) : locateValue(pointer),
    }))
    .filter((finding) => unfit.every((known) => known.offset !== finding.offset));
  const findings = [...unfit, ...shape];
  const isSound = findings.every(
    ({ severity }) => severity === 'warning' || severity === 'information',
  );
  const fields = isObject(value) && isSound && { fields: value };
  return { isEmpty: false, offset: locateValue([]), locate: locateValue, findings, ...fields };
}

export type Reading = {
  readonly documents: readonly {
    readonly value: JsonValue;
    readonly errors: readonly OffsetDiagnostic[];
  }[];
  /** Of the text as a whole, which then has no documents. */
  readonly errors: readonly OffsetDiagnostic[];
  readonly lines: Lines;
};

export function readDocuments(text: string): Reading {
  const parsed = parseText(text);
  const documents = parsed.documents.map(({ root }) => {
    const { value, findings } = readValue(parsed, root);
    return { value, errors: findings.filter(({ severity = 'error' }) => severity === 'error') };
  });
  return { documents, errors: parsed.error ? [parsed.error] : [], lines: linesOf(text) };
}

export function valuesIn(text: string): readonly JsonValue[] {
  return readDocuments(text).documents.map(({ value }) => value);
}

export type DocumentSource = {
  readonly file: string;
  readonly text: string;
  readonly index: number;
};

export type Locate = (source: DocumentSource, pointer: Pointer) => SourcePosition;

/** Parses on demand, as few contracts change. Keeps the last text, as callers go file by file. */
export function createLocator(): Locate {
  let last: { text: string; lines: Lines; places: readonly Places[] } | undefined;
  return ({ file, text, index }, pointer) => {
    if (last?.text !== text) {
      last = { text, lines: linesOf(text), places: placesOf(text) };
    }
    return { file, ...last.lines.place(last.places[index]?.locateValue(pointer) ?? 0) };
  };
}

export function placesOf(text: string): readonly Places[] {
  const parsed = parseText(text);
  return parsed.documents.map(({ root }) => placesIn(parsed, root));
}
