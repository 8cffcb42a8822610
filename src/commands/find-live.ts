/** Live contracts by name, each with its file. */

import type { Product } from '../catalog/products/product.ts';
import { type Kind, kindOf, possibleProducts } from '../catalog/products/products.ts';
import { nameInCatalog } from '../contract/names.ts';
import { optionalFields } from '../contract/contract.ts';
import { contractLabel, idKey, qualifiedNames, writtenNames } from '../contract/identity.ts';
import { SyncError } from '../core/errors.ts';
import { composed, didYouMean, quote } from '../core/text.ts';
import { readContracts } from '../files/files.ts';
import { hasLive, type LivePair, matchContracts } from '../plan/pair.ts';
import { adoptConventions, type Rules } from '../plan/rules.ts';
import { readOptionsOf, type Session } from '../session.ts';
import { readList } from './pairs.ts';

/** Each dialect that the catalog may speak has the same contracts, in the same order. */
export type NamedContracts = {
  readonly kind: Kind;
  readonly pairings: readonly [NamedPairs, ...NamedPairs[]];
};

/** `listed` are all contracts of the catalog. */
export type NamedPairs = {
  readonly pairs: readonly LivePair[];
  readonly listed: readonly LivePair[];
  readonly rules: Rules;
};

/**
 * Finds each contract once, by its id, its name, its asset's name or its file; a name that several
 * share is an error. Names are those of files, which the environment maps to the catalog's.
 * Problems of other files are ignored.
 */
export async function findNamedContracts(
  given: readonly string[],
  session: Session,
): Promise<NamedContracts> {
  const { contracts: desired } = await readContracts(
    { ...session.files, allowEmpty: true },
    readOptionsOf(session),
  );
  const files = new Set(desired.map(({ source }) => source.file));
  const names = given.map((name) =>
    files.has(name) ? name : nameInCatalog(name, session.rules.names),
  );
  const wanted = new Set(names.map(keyOf));
  const matching = matchContracts(desired, possibleProducts(session.dialect), (live) =>
    namesOf({ live }).some((name) => wanted.has(name)),
  );
  const { release } = await readList(matching, { fields: optionalFields }, session);
  const kind = kindOf(session.dialect, matching.statuses, release);
  const [first, ...others] = kind.possible;
  const read = (dialect: Product): NamedPairs => {
    const listed = matching.pairs(dialect, {}).pairs.filter(hasLive);
    const rules = adoptConventions(session.rules, dialect, session.dialect !== 'auto');
    return { pairs: listed, listed, rules };
  };
  const pairings = [read(first), ...others.map(read)] as const;
  const ids = new Set(names.map((name) => requireOne(name, pairings)));
  const only = ({ pairs, ...rest }: NamedPairs): NamedPairs => {
    const byId = new Map(pairs.map((pair) => [pair.live.id, pair]));
    return { ...rest, pairs: [...ids].flatMap((id) => byId.get(id) ?? []) };
  };
  const [pairing, ...elsewhere] = pairings;
  return { kind, pairings: [only(pairing), ...elsewhere.map(only)] };
}

function namesOf({ live, desired }: LivePair): readonly string[] {
  // A contract that has not moved yet is also found by the name in its file.
  const written = desired ? [...writtenNames(desired.identity), desired.source.file] : [];
  const names = [live.id, live.name, ...qualifiedNames(live), ...written];
  return names.filter((each) => each !== undefined).map(keyOf);
}

function keyOf(name: string): string {
  return composed(idKey(name));
}

function requireOne(name: string, pairings: readonly NamedPairs[]): string {
  const pairs = pairings.flatMap((pairing) => pairing.pairs);
  const found = pairs.filter((pair) => namesOf(pair).includes(keyOf(name)));
  const exact = found.filter(({ live }) => qualifiedNames(live).includes(name));
  const own = new Map((exact.length > 0 ? exact : found).map(({ live }) => [live.id, live]));
  const [only, ...others] = own.values();
  if (only && others.length === 0) return only.id;
  if (!only) {
    const known = [
      ...new Set(pairs.flatMap(({ live }) => [qualifiedNames(live), live.name ?? []].flat())),
    ];
    const message = `The catalog has no contract ${quote(name)}.`;
    const hint = didYouMean(name, known) ?? 'Name it by its qualified name, its id or its file.';
    throw new SyncError('no-such-contract', message, { hint });
  }
  const labels = [only, ...others].map(contractLabel);
  throw new SyncError('ambiguous-contract', `${quote(name)} matches several contracts.`, {
    hint: `Name one of them: ${labels.slice(0, 5).join(', ')}.`,
  });
}
