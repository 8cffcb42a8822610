/** Reads files and pages ahead of need: the same plan, sooner. */

import type { CatalogReader } from '../catalog/catalog.ts';
import type { OpenPages } from '../catalog/walk.ts';
import { composed } from '../contract/canonical-name.ts';
import type { DesiredContract } from '../contract/contract.ts';
import { lookupValue } from '../contract/identity.ts';
import { findContracts } from '../files/files.ts';
import { namesToRetire } from '../plan/unmanaged.ts';
import type { Sync } from '../sync.ts';
import { openFilesAhead } from './files.ts';
import type { Wanted } from './heads.ts';
import { prepareForList } from './memory.ts';
import { pagesAhead } from './pages.ts';

/** A run whose catalog can be opened to be read in another way. */
export type AheadRun = Sync & { readonly openReader: (openPages: OpenPages) => CatalogReader };

/**
 * The run, with files that are read on several threads where that pays, and pages that travel while
 * others are worked on. `sync` comes to the same plan without all this, later.
 */
export function readAhead(run: AheadRun): Sync {
  let declared: readonly DesiredContract[] = [];
  return {
    ...run,
    readContracts: async (selection, options) => {
      const result = await findContracts(selection, openFilesAhead).read(options ?? {});
      declared = result.contracts;
      prepareForList();
      return result;
    },
    reader: {
      ...run.reader,
      list: (...asked) => run.openReader(pagesAhead(wantedOf(declared, run))).list(...asked),
    },
  };
}

/** Contracts without a file are wanted whole where they are to be retired. */
function wantedOf(declared: readonly DesiredContract[], { rules }: Sync): Wanted {
  const values = declared.flatMap(({ identity, movedFrom = [] }) => [
    lookupValue(identity),
    ...movedFrom.flatMap(wholeAndAsset),
  ]);
  return {
    identities: new Set(values.filter((value) => value !== undefined)),
    names: namesToRetire(rules),
  };
}

/** An old name may be made of an asset's and a contract's; heads show them apart. */
function wholeAndAsset(name: string): string[] {
  return [composed(name), composed(name.slice(0, Math.max(0, name.lastIndexOf('.'))))];
}
