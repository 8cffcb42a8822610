/** Since when a column or a contract has been announced as deprecated, by the catalog's versions. */

import type { LiveContract } from '../contract/contract.ts';
import { endsUse, type Lifecycle } from '../contract/conventions.ts';
import { defined, isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { type ContractVersion, inTodaysShape, lastWrittenTo, madeOfVersion } from './version.ts';

/**
 * The first version that had the mark, without a gap since; undefined where live lacks it or the
 * history leaves that open. `column` with those around it; absent: the contract. `versions` are
 * newest first.
 */
export function findAnnouncement(
  versions: readonly ContractVersion[],
  live: LiveContract,
  column: readonly string[] | undefined,
  lifecycle: Lifecycle,
): { readonly since: number; readonly version?: string } | undefined {
  const [last] = versions;
  // Otherwise somebody has edited the contract since it was read.
  if (last?.version !== live.version || last?.updatedAt !== live.updatedAt) return undefined;
  if (!isMarked(live.document, column, lifecycle)) return undefined;
  const contradicted = latestContradicted(versions);
  let found: { readonly since: number; readonly version?: string } | undefined;
  for (const [index, each] of versions.entries()) {
    const { document, updatedAt, version } = each;
    if (!isMarked(inTodaysShape(document), column, lifecycle)) break;
    // After an undo in a session, a version has its former number and time again, and may keep what
    // was written since: whether older marks stayed is unknown.
    if (Number(lastWrittenTo(document)) > Number(version) || updatedAt === undefined) break;
    found = { since: Math.max(updatedAt, contradicted), ...defined({ version }) };
    const before = madeOfVersion(document);
    // A version is missing, which may have lacked the mark.
    if (before !== undefined && before !== versions[index + 1]?.version) break;
  }
  return found;
}

// The latest time of a version with an earlier one after it: a clock was wrong, and which isn't known.
function latestContradicted(versions: readonly ContractVersion[]): number {
  let earliest = Infinity;
  let latest = -Infinity;
  for (const { updatedAt = -Infinity } of versions) {
    if (updatedAt > earliest) latest = Math.max(latest, updatedAt);
    else if (updatedAt > -Infinity) earliest = updatedAt;
  }
  return latest;
}

function isMarked(
  document: JsonObject,
  column: readonly string[] | undefined,
  lifecycle: Lifecycle,
): boolean {
  const { entityStatus: status, description, schema } = document;
  if (typeof status === 'string' && endsUse(status, lifecycle)) return true;
  if (hasMark(description)) return true;
  let columns = schema;
  for (const name of column ?? []) {
    const own: JsonValue | undefined = isArray(columns)
      ? columns.find((each) => isObject(each) && each['name'] === name)
      : undefined;
    if (!isObject(own)) return false;
    if (own['deprecated'] === true || hasMark(own['description'])) return true;
    columns = own['children'];
  }
  return false;
}

// `Deprecated: use total`, `**Deprecated** since June`, `[deprecated]`, `@deprecated`; at the start
// of a line, and not `Deprecated orders of last year`.
const mark =
  /^[^\p{L}\p{N}]*deprecated(?![\p{L}\p{N}-])(?=\s*(?:$|[^\p{L}\p{N}\s]|(?:since|use|from|as of)\b))/iu;

// `Deprecated: no`, `Deprecated from: n/a`, `Deprecated?`, `- [ ] deprecated`.
const denial =
  /^\W*\[ \]|deprecated\W*(?:\?|(?:from|since)?\W*(?:no|not|none|never|false|n\/a)(?![\p{L}\p{N}]))/iu;

function hasMark(text: JsonValue | undefined): boolean {
  return (
    typeof text === 'string' &&
    text.split('\n').some((line) => mark.test(line) && !denial.test(line))
  );
}
