/** The live contracts that somebody names, each with its file and the rules for it. */

import { optionalFields } from '../contract/contract.ts';
import { composed } from '../contract/canonical-name.ts';
import { contractLabel, idKey, qualifiedNames, writtenNames } from '../contract/identity.ts';
import { nameInCatalog } from '../contract/rename.ts';
import { SyncError } from '../core/errors.ts';
import { didYouMean, quote } from '../core/text.ts';
import { readContracts } from '../files/files.ts';
import { createMatcher } from '../plan/match.ts';
import type { Session } from '../session.ts';
import { readOptionsOf } from '../sync/read-options.ts';
import type { ReadContract } from '../sync/understand.ts';
import { createUnderstanding } from '../sync/understand.ts';

/**
 * Each by its id, by a name of its own or of its asset, or by its file, and once however it is
 * named; a name that several have names none. Names are those of files, as in patterns: the
 * environment says what the catalog calls them. What is wrong with other files keeps nobody from
 * their history.
 */
export async function findNamedContracts(
  given: readonly string[],
  session: Session,
): Promise<readonly ReadContract[]> {
  const { contracts } = await readContracts(
    { ...session.files, allowEmpty: true },
    readOptionsOf(session),
  );
  const matcher = createMatcher(contracts);
  const files = new Set(contracts.map(({ source }) => source.file));
  const names = new Set(
    given.map((name) => (files.has(name) ? name : nameInCatalog(name, session.rules.names))),
  );
  const found = new Map<string, ReadContract[]>([...names].map((name) => [keyOf(name), []]));
  const known: string[] = [];
  for await (const { live, rules } of liveContracts(session)) {
    const desired = matcher.match(live) ?? matcher.movedTo(live);
    const contract = { live, rules, ...(desired && { desired }) };
    known.push(...qualifiedNames(live));
    for (const name of namesOf(contract)) found.get(name)?.push(contract);
  }
  const wanted = [...names].map((name) => requireOne(name, found.get(keyOf(name)) ?? [], known));
  return [...new Map(wanted.map((contract) => [contract.live.id, contract])).values()];
}

async function* liveContracts(session: Session): AsyncGenerator<ReadContract> {
  const { reader, dialect, askRelease, onPage } = session;
  const { understand } = createUnderstanding(session);
  const ended = new AbortController();
  const release = dialect === 'auto' ? askRelease?.(ended.signal) : undefined;
  try {
    let read = 0;
    for await (const { contracts, total } of reader.list({ fields: optionalFields })) {
      for (const listed of contracts) yield understand(listed, await release);
      read += contracts.length;
      onPage?.(read, total);
    }
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
