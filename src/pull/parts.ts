/** A file in parts of one document each, so that an edit of one has not all the others read. Pure. */

import { deepEqual } from '../core/json.ts';
import { editYaml } from '../files/edit/edit.ts';
import { readDocuments } from '../files/edit/reading.ts';

/** Some whole lines of a file, and the first of its documents that they hold. */
export type FilePart = {
  readonly text: string;
  readonly first: number;
  /** Edits the part; lines are those of the file. */
  readonly edit: typeof editYaml;
};

/** One part for each document; a text that can't be cut so is one part. */
export function partsOfFile(text: string): readonly FilePart[] {
  const pieces = piecesOf(text);
  if (pieces.length === 1 || !readsAsPieces(text, pieces)) return [wholeFile(text)];
  let lines = 0;
  return pieces.map((piece, index) => {
    const part = partOf(piece, index, lines);
    lines += piece.split('\n').length - 1;
    return part;
  });
}

/** A file as one part. */
export function wholeFile(text: string): FilePart {
  return partOf(text, 0, 0);
}

function partOf(text: string, first: number, lines: number): FilePart {
  const moved = <Kind extends { readonly line: number }>(each: Kind): Kind => ({
    ...each,
    line: each.line + lines,
  });
  const edit: typeof editYaml = (own, patch, options) => {
    const edited = editYaml(own, patch, options);
    if (edited.kind === 'refused') return moved(edited);
    const { notices, removedComments } = edited;
    return {
      ...edited,
      notices: notices.map(moved),
      removedComments: removedComments.map(moved),
    };
  };
  return { text, first, edit };
}

/** Cut in front of each mark that has a document above it. */
function piecesOf(text: string): readonly string[] {
  const pieces = text.split(/^(?=---(?:\s|$))/mu);
  const [head = '', next, ...others] = pieces;
  const isOnlyHead =
    next !== undefined && head.split('\n').every((line) => /^\s*(?:[#%]|$)/u.test(line));
  return isOnlyHead ? [head + next, ...others] : pieces;
}

/** Whether a text says what its pieces say one by one: a document each, and without errors. */
export function readsAsPieces(text: string, pieces: readonly string[]): boolean {
  const whole = readDocuments(text);
  return (
    whole.errors.length === 0 &&
    whole.documents.length === pieces.length &&
    pieces.every((piece, index) => {
      const own = readDocuments(piece);
      const [{ value, errors } = { value: null, errors: [] }] = own.documents;
      const said = whole.documents[index];
      const isOne = own.documents.length === 1 && own.errors.length + errors.length === 0;
      return isOne && said?.errors.length === 0 && deepEqual(value, said.value);
    })
  );
}
