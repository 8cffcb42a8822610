import { evaluate, PatchError } from '../../patch/evaluate.ts';
import type { Patch } from '../../patch/operation.ts';
import { withFewLayers } from './change.ts';
import { applyPatch } from './operate.ts';
import { editingError, readDocuments } from './reading.ts';
import { type EditRefusal, lineOfPath, refusal } from './candidates.ts';
import { type EditNotice, openState, type RemovedComment, type State, valueOf } from './state.ts';

/** The text after a patch, and what a preview should show besides. */
export type YamlEdit = {
  readonly kind: 'edited';
  readonly text: string;
  /** What the patch did not ask for, and was needed. */
  readonly notices: readonly EditNotice[];
  /** Comments that are gone, because they belonged to what was removed. */
  readonly removedComments: readonly RemovedComment[];
};

/** What of a text to edit. */
export type EditOptions = {
  /** Which document of the text to edit, from 0. */
  readonly document?: number;
};

/**
 * Edits YAML as a person would: an RFC 6902 patch changes only the lines that it concerns. The text
 * that comes out is read again, and says exactly what the patch asks for; or no byte is changed.
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
