import pLimit from 'p-limit';
import type { DesiredContract } from '../contract/contract.ts';
import {
  lookedUpBy,
  type Lookup,
  type Lookups,
  parseReference,
  peopleFields,
  peopleIn,
  type PersonReference,
  referenceKey,
} from '../contract/reference.ts';
import { ApiError } from './fault.ts';
import type { CatalogReader } from './catalog.ts';

/** The users and teams of a catalog, as far as files name them. */
export type Directory = {
  /** Looks each of them up once; later calls get the same answers. */
  readonly lookUp: () => Promise<Lookups>;
};

/** So many lookups at once leave room for the list. */
const atOnce = 4;

export function openDirectory(
  { fetchEntity }: Pick<CatalogReader, 'fetchEntity'>,
  desired: readonly DesiredContract[],
): Directory {
  let lookups: Promise<Lookups> | undefined;
  const lookUpAll = async (): Promise<Lookups> => {
    const wanted = referencesOf(desired);
    const found = await pLimit(atOnce).map(
      wanted,
      async ([key, reference]) => [key, await lookUp(reference, fetchEntity)] as const,
    );
    const byKey = new Map(found);
    return (reference) => byKey.get(referenceKey(reference));
  };
  return {
    lookUp: async () => {
      lookups ??= lookUpAll();
      // Handled by each caller of `lookUp`, which may come later.
      lookups.catch(() => undefined);
      return lookups;
    },
  };
}

function referencesOf(desired: readonly DesiredContract[]): (readonly [string, PersonReference])[] {
  const references = new Map<string, PersonReference>();
  for (const { managed } of desired) {
    for (const item of peopleFields.flatMap((field) => peopleIn(managed, field))) {
      const reference = parseReference(item);
      if (reference) references.set(referenceKey(reference), reference);
    }
  }
  return [...references];
}

async function lookUp(
  reference: PersonReference,
  fetchEntity: CatalogReader['fetchEntity'],
): Promise<Lookup> {
  const { type, id } = reference;
  const address = id === undefined ? { name: lookedUpBy(reference) } : { id };
  try {
    const entity = await fetchEntity({ type, ...address });
    return entity?.name === undefined
      ? { kind: 'unknown' }
      : { kind: 'found', id: entity.id, name: entity.name };
  } catch (error) {
    // Without a good token no request succeeds: that ends the run.
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return { kind: 'unreadable', why: error.message };
  }
}
