/** The live contracts that somebody names, each with its file and the rules for it. */

import {
  type Kind,
  kindOf,
  possibleProducts,
  type ServerRelease,
} from '../catalog/products/products.ts';
import { type LiveContract, optionalFields } from '../contract/contract.ts';
import { composed } from '../contract/canonical-name.ts';
import { contractLabel, idKey, qualifiedNames, writtenNames } from '../contract/identity.ts';
import { nameInCatalog } from '../contract/rename.ts';
import { SyncError } from '../core/errors.ts';
import { didYouMean, quote } from '../core/text.ts';
import { readContracts } from '../files/files.ts';
import { createMatcher } from '../plan/match.ts';
import type { Session } from '../session.ts';
import { tell } from '../sync/listing.ts';
import { readOptionsOf } from '../sync/read-options.ts';
import {
  type DialectRules,
  dialectRules,
  type ReadContract,
  understand,
} from '../sync/understand.ts';

/** Contracts that somebody names, in the first dialect that their catalog may speak. */
export type NamedContracts = { readonly contracts: readonly ReadContract[]; readonly kind: Kind };

/**
 * Each by its id, by a name of its own or of its asset, or by its file, and once however it is
 * named; a name that several have names none. Names are those of files, as in patterns: the
 * environment says what the catalog calls them. What is wrong with other files keeps nobody from
 * their history.
 */
export async function findNamedContracts(
  given: readonly string[],
  session: Session,
): Promise<NamedContracts> {
  const declared = await readContracts(
    { ...session.files, allowEmpty: true },
    readOptionsOf(session),
  );
  const matcher = createMatcher(declared.contracts);
  const files = new Set(declared.contracts.map(({ source }) => source.file));
  const names = new Set(
    given.map((name) => (files.has(name) ? name : nameInCatalog(name, session.rules.names))),
  );
  const read = (listed: LiveContract, reading: DialectRules): ReadContract => {
    const { live, rules } = understand(listed, reading);
    const desired = matcher.match(live) ?? matcher.movedTo(live);
    return { live, rules, ...(desired && { desired }) };
  };
  const named: LiveContract[] = [];
  const known: string[] = [];
  const statuses = new Set<string | undefined>();
  const mayBe = dialectRules(possibleProducts(session.dialect), session);
  const release = await readAll(session, (listed) => {
    statuses.add(listed.entityStatus);
    const all = mayBe.map((reading) => read(listed, reading));
    known.push(...new Set(all.flatMap(({ live }) => qualifiedNames(live))));
    if (names.values().some((name) => goesBy(all, name))) named.push(listed);
  });
  const kind = kindOf(session.dialect, statuses, release);
  const [reading, ...others] = dialectRules(kind.possible, session);
  const found = named.map((listed) => {
    const contract = read(listed, reading);
    return { contract, all: [contract, ...others.map((other) => read(listed, other))] };
  });
  const wanted = [...names].map((name) => {
    const own = found.filter(({ all }) => goesBy(all, name));
    return requireOne(
      name,
      own.map(({ contract }) => contract),
      known,
    );
  });
  return { contracts: [...new Map(wanted.map((each) => [each.live.id, each])).values()], kind };
}

/** All that the catalog has, and what its server says of its release. */
async function readAll(
  run: Session,
  take: (listed: LiveContract) => void,
): Promise<ServerRelease | undefined> {
  const { reader, dialect, askRelease } = run;
  const ended = new AbortController();
  const release = dialect === 'auto' ? askRelease?.(ended.signal) : undefined;
  try {
    for await (const { contracts } of tell(reader.list({ fields: optionalFields }), run))
      for (const listed of contracts) take(listed);
    return await release;
  } finally {
    ended.abort();
  }
}

/** All that somebody may call it. */
function namesOf({ live, desired }: ReadContract): ReadonlySet<string> {
  // A contract that has not moved yet goes by the name that its file has for it, too.
  const written = desired ? [...writtenNames(desired.identity), desired.source.file] : [];
  const names = [live.id, live.name, ...qualifiedNames(live), ...written];
  return new Set(names.filter((each) => each !== undefined).map(keyOf));
}

/** Whether one of these, each the contract in another dialect, is called so. */
function goesBy(contracts: readonly ReadContract[], name: string): boolean {
  return contracts.some((contract) => namesOf(contract).has(keyOf(name)));
}

/** Equal for two ways to write one id or name. */
function keyOf(name: string): string {
  return composed(idKey(name));
}

function requireOne(
  name: string,
  found: readonly ReadContract[],
  known: readonly string[],
): ReadContract {
  const exact = found.filter(({ live }) => qualifiedNames(live).includes(name));
  const [only, ...others] = exact.length > 0 ? exact : found;
  if (only && others.length === 0) return only;
  if (!only) {
    const hint = didYouMean(name, known) ?? 'Name it by its qualified name, its id or its file.';
    throw new SyncError('no-such-contract', `The catalog has no contract ${quote(name)}.`, {
      hint,
    });
  }
  const labels = [only, ...others].map(({ live }) => contractLabel(live));
  throw new SyncError('ambiguous-contract', `${quote(name)} matches several contracts.`, {
    hint: `Name one of them: ${labels.slice(0, 5).join(', ')}.`,
  });
}
