import type { Diagnostic } from '../diagnostic.ts';
import { type ContractDocument, parseContractFile } from './contract-file.ts';
import { readText } from './text.ts';

/** What one file comes to: plain JSON data, for it may cross threads. */
export type FileReading = {
  readonly contracts: readonly ContractDocument[];
  readonly diagnostics: readonly Diagnostic[];
  /** Kept for positions, which are asked for later; empty where there is no contract. */
  readonly text: string;
};

export type ReadRequest = {
  readonly root: string;
  readonly statuses?: readonly string[] | undefined;
};

/** Reads one file, named relative to the root. */
export function readFile(file: string, { root, statuses }: ReadRequest): FileReading {
  const read = readText(file, root);
  if ('problem' in read) return { contracts: [], diagnostics: [read.problem], text: '' };
  const { contracts, diagnostics } = parseContractFile(file, read.text, statuses);
  return { contracts, diagnostics, text: contracts.length > 0 ? read.text : '' };
}
