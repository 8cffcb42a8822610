/** What git holds of contract files: blobs by id, and commits. */

import type { DesiredContract } from '../contract/contract.ts';
import { identityKey, strongestKind } from '../contract/identity.ts';
import { readBlobs } from './git/commit.ts';
import { type History, readCommits, type Touch } from './git/log.ts';
import type { Clone } from './git/run-git.ts';
import { largestFile } from './find/walk.ts';
import type { ReadOptions } from './files.ts';
import { createDeclaring } from './formats/desired.ts';
import { parseSource } from './formats/contract-file.ts';
import { decodeText } from './read/text.ts';

export type Archive = {
  readonly load: (ids: readonly (string | undefined)[]) => Promise<void>;
  /** Empty where the blob is absent or has errors. */
  readonly contracts: (id: string | undefined) => readonly DesiredContract[];
  readonly identities: (id: string | undefined) => readonly string[];
  readonly touches: (commits: readonly string[]) => Promise<ReadonlyMap<string, readonly Touch[]>>;
  readonly isWhole: () => boolean;
};

export function openArchive({ top }: Clone, rules: ReadOptions, history?: History): Archive {
  const declare = createDeclarer(rules);
  const known = new Map<string, () => Declared>();
  let isWhole = true;
  const find = (id: string | undefined): Declared => known.get(id ?? '')?.() ?? nothing;
  return {
    load: async (ids) => {
      const named = new Set(ids.filter((id) => id !== undefined));
      const wanted = [...named].filter((id) => !known.has(id));
      const blobs = await readBlobs(wanted, top);
      for (const id of wanted) {
        const bytes = blobs?.get(id);
        isWhole &&= bytes !== undefined;
        known.set(
          id,
          once(() => (bytes ? declare(id, bytes) : nothing)),
        );
      }
    },
    contracts: (id) => find(id).contracts,
    identities: (id) => find(id).identities,
    touches: async (commits) => {
      const read = await readCommits([...new Set(commits)], top, history);
      isWhole &&= read !== undefined;
      return new Map(read?.map(({ commit, touches }) => [commit, touches]));
    },
    isWhole: () => isWhole,
  };
}

type Declared = {
  readonly contracts: readonly DesiredContract[];
  readonly identities: readonly string[];
};

const nothing: Declared = { contracts: [], identities: [] };

function once<Result>(read: () => Result): () => Result {
  let known: { readonly result: Result } | undefined;
  return () => (known ??= { result: read() }).result;
}

function createDeclarer(rules: ReadOptions): (id: string, bytes: Uint8Array) => Declared {
  const declare = createDeclaring(rules.odcs, rules.names);
  return (id, bytes) => {
    // The blob's id serves as the file name: no diagnostic shows it.
    const source = { file: id, ...decodeText(id, bytes) };
    if ('problem' in source || bytes.length > largestFile) return nothing;
    const contracts = parseSource(source, rules).contracts.map((each) => declare(each, source));
    return { contracts, identities: contracts.flatMap(keyOf) };
  };
}

function keyOf({ identity }: DesiredContract): string[] {
  const kind = strongestKind(identity);
  return kind === undefined ? [] : [`${kind} ${identityKey(kind, identity) ?? ''}`];
}
