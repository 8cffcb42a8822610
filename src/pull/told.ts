/** What there is to say of a file that is brought to what the catalog holds. Pure. */

import type { Diagnostic } from '../core/diagnostic.ts';
import type { YamlEdit } from '../files/edit/edit.ts';
import type { Divergence } from './divergence.ts';

/** What an edit has done that nobody asked for. */
export function noticesOf(file: string, { notices }: Pick<YamlEdit, 'notices'>): Diagnostic[] {
  return notices.map(({ line, message }) => ({
    code: 'pull-notice',
    severity: 'information',
    message,
    source: { file, line, column: 1 },
  }));
}

/** The contract is no longer where it was found. */
export function changedMeanwhile({ desired: { source } }: Divergence): Diagnostic {
  return {
    code: 'file-changed',
    severity: 'error',
    message: 'The file changed during the pull.',
    hint: 'Pull again.',
    source,
  };
}
