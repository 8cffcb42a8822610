import type { DesiredContract } from '../contract/contract.ts';
import { findCommit, readCommit, resolveBase } from './git/commit.ts';
import { type FileSelection, selectNames } from './find/find.ts';
import { largestFile } from './find/walk.ts';
import type { ReadOptions } from './files.ts';
import { createDeclaring } from './formats/desired.ts';
import { parseSource } from './formats/contract-file.ts';
import { decodeText } from './read/text.ts';

export type BaseContracts = {
  readonly revision: string;
  readonly commit: string;
  readonly isHead: boolean;
  readonly contracts: readonly DesiredContract[];
};

/** At the merge base of HEAD and the revision. A file with errors counts as absent. */
export function readBase(
  revision: string,
  selection: FileSelection,
  rules: ReadOptions = {},
  isAsked: (file: string) => boolean = () => true,
): BaseContracts {
  const { root } = selection;
  const commit = resolveBase(revision, root);
  const isSelected = selectNames(selection);
  const files = readCommit(
    commit,
    root,
    ({ file, size }) => size <= largestFile && isSelected(file) && isAsked(file),
  );
  const declare = createDeclaring(rules.odcs, rules.names);
  const contracts = files.flatMap(({ file, bytes }) => {
    const source = { file, ...decodeText(file, bytes) };
    if ('problem' in source) return [];
    const reading = parseSource(source, rules);
    return reading.contracts.map((contract) => declare(contract, source));
  });
  return { revision, commit, isHead: commit === findCommit('HEAD', root), contracts };
}
