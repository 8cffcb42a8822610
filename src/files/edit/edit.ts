import { PatchError } from '../../patch/evaluate.ts';
import type { Patch } from '../../patch/operation.ts';
import { applyAll } from './operate.ts';
import { firstOrigins } from './origins.ts';
import { readDocuments } from './reading.ts';
import { type Refusal, refusal } from './refusal.ts';
import { type EditNotice, originOf, type RemovedComment, type State } from './state.ts';
import { parseTree } from './tree.ts';

/** The text after a patch, and what a preview should show besides. */
export type YamlEdit = {
  readonly kind: 'edited';
  readonly text: string;
  /** What the patch did not ask for, and was needed. */
  readonly notices: readonly EditNotice[];
  /** Comments that are gone, because they belonged to what was removed. */
  readonly removedComments: readonly RemovedComment[];
};

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
): YamlEdit | Refusal {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const state = openState(text.slice(mark.length), document);
  if (state.kind === 'refused') return state;
  const result = applyPatch(state, patch);
  if (result.kind === 'refused') return result;
  const { tree, notices, removedComments } = result;
  return { kind: 'edited', text: mark + tree.text, notices, removedComments };
}

function openState(text: string, document: number): State | Refusal {
  const reading = readDocuments(text);
  const fault = reading.fault ?? reading.documents[document]?.faults[0];
  if (fault) return refusal(fault.line, fault.message);
  const tree = parseTree(text, document);
  if (!tree || !reading.documents[document]) {
    return refusal(1, `The text has no document ${document + 1}.`);
  }
  const origins = firstOrigins(text);
  return { kind: 'going', tree, reading, origins, notices: [], removedComments: [] };
}

function applyPatch(state: State, patch: Patch): State | Refusal {
  try {
    return applyAll(state, patch);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return refusal(originOf(state, state.tree.root.start), error.message);
  }
}
