/** The documents of a file that is brought to what the catalog holds. Pure. */

import type { SourcePosition } from '../core/diagnostic.ts';
import {
  type ContractDocument,
  type FormatRules,
  parseContractFile,
  type Source,
} from '../files/formats/contract-file.ts';

/** The sound contracts of a file. */
export function documentsOf(
  { file, text }: Source,
  rules: FormatRules,
): readonly ContractDocument[] {
  return parseContractFile({ file, text: withoutMark(text) }, rules).contracts;
}

/** Which of them starts at a place, or -1; edits move the lines, and not the order. */
export function documentAt(documents: readonly ContractDocument[], source: SourcePosition): number {
  return documents.findIndex(
    ({ place }) => place.line === source.line && place.column === source.column,
  );
}

/** As files are read: columns count from behind a byte order mark. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}
