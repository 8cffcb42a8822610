import { readDocuments } from '../read/document.ts';
import { evaluate, PatchError } from '../../patch/evaluate.ts';
import type { Patch } from '../../patch/operation.ts';
import { withFewLayers } from './change.ts';
import { applyPatch, type EditRefusal, lineOfPath, refusal } from './operate.ts';
import {
  editingError,
  type EditNotice,
  openState,
  type RemovedComment,
  type State,
  valueOf,
} from './state.ts';

/** The patched text, and what a preview should also show. */
export type YamlEdit = {
  readonly kind: 'edited';
  readonly text: string;
  /** Changes beyond the patch that were necessary, such as an expanded alias. */
  readonly notices: readonly EditNotice[];
  /** Comments that were removed with the values they belong to. */
  readonly removedComments: readonly RemovedComment[];
};

/** Options of `editYaml`. */
export type EditOptions = {
  /** The index of the document to edit, from 0. */
  readonly document?: number;
};

/**
 * Applies an RFC 6902 patch and changes only the lines that it concerns. The result is parsed
 * again: it holds exactly the patched value, or the edit is refused and nothing changes.
 */
export function editYaml(
  text: string,
  patch: Patch,
  { document = 0 }: EditOptions = {},
): YamlEdit | EditRefusal {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const state = readState(text.slice(mark.length), document);
  if (state.kind === 'refused') return state;
  const result =
    mismatch(state, patch) ?? applyPatch(state, withFewLayers(patch, text, valueOf(state)));
  if (result.kind === 'refused') return result;
  const { notices, removedComments } = result;
  return { kind: 'edited', text: mark + result.text, notices, removedComments };
}

function readState(text: string, document: number): State | EditRefusal {
  const reading = readDocuments(text);
  const error = editingError(reading, document);
  if (error) return refusal(reading.lines.place(error.offset).line, error.message);
  const isThere = document in reading.documents;
  if (!isThere) return refusal(1, `The text has no document ${document + 1}.`);
  return openState(text, document, reading);
}

function mismatch(state: State, patch: Patch): EditRefusal | undefined {
  try {
    evaluate(valueOf(state), patch);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return refusal(lineOfPath(state, patch[error.index]?.path ?? ''), error.message);
  }
}
