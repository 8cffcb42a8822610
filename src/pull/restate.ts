import { inexactNumbers, placeProblems } from '../contract/conventions.ts';
import { restateFields } from '../contract/equality.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { deepEqual } from '../core/json.ts';
import { editYaml } from '../files/edit/edit.ts';
import { readDocuments } from '../files/read/document.ts';
import { parseContractFile } from '../files/files.ts';
import {
  changedMeanwhile,
  type Divergence,
  type FilePart,
  type FormatRules,
  type PlacedDifference,
  type RestatedPart,
  restateInTurn,
  type RestateOptions,
} from '../files/formats/format.ts';
import { complainAboutText, withoutMark } from '../files/text.ts';

export type RestatedFile = {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly pulled: readonly Divergence[];
  /** An error keeps back its own contract only. */
  readonly problems: readonly Diagnostic[];
};

/**
 * A contract that can't be restated keeps its text. `inFile` are all contracts of the file in the
 * catalog: an ODCS document declares some fields for several.
 */
export function restateFile(
  { file, text }: { readonly file: string; readonly text: string },
  differences: readonly Divergence[],
  { inFile = [], ...checks }: FormatRules & { readonly inFile?: readonly Divergence[] },
): RestatedFile {
  const { contracts: started } = parseContractFile({ file, text: withoutMark(text) }, checks);
  const place = (difference: Divergence): PlacedDifference[] => {
    const { line, column } = difference.desired.source;
    const document = started.find(
      (each) => each.place.line === line && each.place.column === column,
    );
    return document ? [{ difference, document }] : [];
  };
  const exact = differences.filter((each) => inexactIn(each).length === 0);
  const all = new Map([...inFile, ...differences].map((each) => [each.live.id, each]));
  const options = { checks, inFile: [...all.values()].flatMap(place) };
  const parts = restateInParts(text, exact.flatMap(place), options);
  const after = parts.map((part) => part.text).join('');
  const unreadable = complainAboutText(file, after);
  const pulled = new Set(unreadable ? [] : parts.flatMap((part) => part.pulled));
  return {
    file,
    before: text,
    after: unreadable ? text : after,
    pulled: differences.filter((each) => pulled.has(each)),
    problems: [
      ...differences.flatMap(inexactIn),
      ...exact.filter((each) => place(each).length === 0).map(changedMeanwhile),
      ...parts.flatMap(({ problems }) => problems),
      ...(unreadable ? [{ ...unreadable, message: `${notPulled}: ${unreadable.message}` }] : []),
    ],
  };
}

const notPulled = 'Not pulled, as the next run would refuse the file';

function inexactIn({ live, desired, rules }: Divergence): Diagnostic[] {
  const restated = restateFields(live, desired.managed, rules);
  return placeProblems(inexactNumbers(restated), desired);
}

// Document by document, so that an edit does not parse the others; as a whole where the parts read
// differently.
function restateInParts(
  text: string,
  placed: readonly PlacedDifference[],
  options: RestateOptions,
): readonly RestatedPart[] {
  const parts = partsOfFile(text);
  const restated = restateEach(parts, placed, options);
  const texts = restated.map((part) => part.text);
  if (parts.length === 1 || readsAsPieces(texts.join(''), texts)) return restated;
  return restateEach([makePart(text, 0, 0)], placed, options);
}

function restateEach(
  parts: readonly FilePart[],
  placed: readonly PlacedDifference[],
  options: RestateOptions,
): readonly RestatedPart[] {
  const byPart = Map.groupBy(placed, ({ document }) =>
    parts.findLastIndex(({ first }) => first <= document.index),
  );
  return parts.map((part, index) => {
    const byDocument = Map.groupBy(byPart.get(index) ?? [], ({ document }) => document.index);
    return restateInTurn(part, byDocument.values(), options);
  });
}

function partsOfFile(text: string): readonly FilePart[] {
  const pieces = piecesOf(text);
  if (pieces.length === 1 || !readsAsPieces(text, pieces)) return [makePart(text, 0, 0)];
  let lines = 0;
  return pieces.map((piece, index) => {
    const part = makePart(piece, index, lines);
    lines += piece.split('\n').length - 1;
    return part;
  });
}

function makePart(text: string, first: number, lines: number): FilePart {
  return {
    text,
    first,
    edit: (...asked) => {
      const edited = editYaml(...asked);
      return edited.kind === 'refused' ? { ...edited, line: edited.line + lines } : edited;
    },
  };
}

function piecesOf(text: string): readonly string[] {
  const pieces = text.split(/^(?=---(?:\s|$))/mu);
  const [head = '', next, ...others] = pieces;
  const isOnlyHead =
    next !== undefined && head.split('\n').every((line) => /^\s*(?:[#%]|$)/u.test(line));
  return isOnlyHead ? [head + next, ...others] : pieces;
}

function readsAsPieces(text: string, pieces: readonly string[]): boolean {
  const whole = readDocuments(text);
  if (whole.errors.length > 0 || whole.documents.length !== pieces.length) return false;
  return pieces.every((piece, index) => {
    const { documents, errors } = readDocuments(piece);
    const [own, second] = documents;
    const inWhole = whole.documents[index];
    if (!own || second || errors.length + own.errors.length > 0) return false;
    return inWhole?.errors.length === 0 && deepEqual(own.value, inWhole.value);
  });
}
