/** What a rollback returns contracts to, as it was asked for. */

import { type ChangedFields, textMembers } from '../contract/contract.ts';
import { idKey } from '../contract/identity.ts';
import { ConfigError, type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject, parseJson } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { parseSpan } from '../core/time.ts';
import { withoutSecrets } from '../http/address.ts';
import type { RunSubject } from '../plan/plan.ts';
import type { Session } from '../session.ts';
import { readSavedText, refuseOtherEnvironment } from './review.ts';

export type RollbackTarget =
  | { readonly kind: 'version'; readonly version: string }
  | PastTime
  /** `records` by the keys of contract ids. */
  | { readonly kind: 'run'; readonly records: RunRecords; readonly isPartial: boolean };

type RunRecords = ReadonlyMap<string, RunRecord>;

export type PastTime = {
  readonly kind: 'time';
  /** Epoch milliseconds. */
  readonly time: number;
  /** As it was written. */
  readonly text: string;
  /** Leaves contracts alone that were made since. */
  readonly skipsNewer: boolean;
};

/** The fields that a run changed in one contract, or why they are unknown. */
export type RunRecord = ChangedFields | 'unverified' | 'held' | 'not-recorded';

// Milliseconds: as much as answers take.
const bearable = 30_000;

/** A span before now, such as 30m, is meant by the clock that dates the versions. */
export async function byCatalogClock(
  target: RollbackTarget,
  asked: string | undefined,
  session: Session,
): Promise<{ readonly target: RollbackTarget; readonly notices: readonly Diagnostic[] }> {
  const isSpan = asked !== undefined && parseSpan(asked) !== undefined;
  const ahead = (isSpan && (await session.clockAhead?.())) || 0;
  if (target.kind !== 'time' || Math.abs(ahead) <= bearable) return { target, notices: [] };
  const time = target.time + ahead;
  const is = `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'}`;
  const message = `The catalog's clock is ${is} this machine's: a span before now counts by the catalog's.`;
  return {
    target: { ...target, time, text: new Date(time).toISOString() },
    notices: [{ code: 'clock-differs', severity: 'information', message }],
  };
}

export function readRun(
  path: string,
  name: string,
  approved: RunSubject,
): RollbackTarget & { readonly kind: 'run' } {
  const text = readSavedText(path, {
    code: 'unreadable-file',
    message: `Can't read the outcomes file ${name}.`,
    hint: 'Check the path: `contract-sync apply --report FILE` writes one.',
  });
  const document = parseJson(text);
  if (document === undefined) {
    const hint = 'Take a whole copy of it, or return to a time: --before 30m.';
    throw new ConfigError('unreadable-file', `${quote(name)} is no whole JSON.`, { hint });
  }
  const members = isObject(document) ? document : {};
  const { outcomes = null, formatVersion: format, catalogUrl: url, environment: run } = members;
  if (!isArray(outcomes) || typeof format !== 'string') {
    const hint = 'Pass the file that `contract-sync apply --report FILE` or `--format json` wrote.';
    throw new ConfigError('unreadable-file', `${quote(name)} has no outcomes of a run.`, { hint });
  }
  if (!/^1\.\d+$/u.test(format)) {
    const message = `The outcomes in ${name} have format ${quote(format)}; this release reads 1.x.`;
    const hint = 'Roll back with the release that wrote the file.';
    throw new ConfigError('unreadable-file', message, { hint });
  }
  if (typeof url === 'string' && url !== approved.catalogUrl) {
    const message = `The run in ${name} changed ${withoutSecrets(url)}, not ${approved.catalogUrl}.`;
    throw new SyncError('other-catalog', message, { hint: 'Use the catalog it changed.' });
  }
  // A run that ends before it sends anything may not know its catalog.
  const isUnsent = url === undefined && outcomes.length === 0;
  const made = typeof run === 'string' ? run : undefined;
  if (!isUnsent) refuseOtherEnvironment(made, approved, `The run in ${name}`);
  const records = new Map(outcomes.filter(isObject).flatMap(recordOf));
  return { kind: 'run', records, isPartial: members['partial'] === true };
}

function recordOf(outcome: JsonObject): readonly (readonly [string, RunRecord])[] {
  const { result, id, changed, error } = outcome;
  const isUnsent = isObject(error) && error['code'] === 'agreement-missing';
  if (typeof id !== 'string' || isUnsent) return [];
  // A partial report says what a change would make of which fields, before it knows its outcome.
  if (result === 'held' || (result === 'unverified' && changed === undefined))
    return [[idKey(id), result]];
  const changing = ['applied', 'landed-in-part', 'overlapped', 'unverified'];
  if (!changing.some((each) => each === result)) return [];
  const { before, after, updatedAt } = isObject(changed) ? changed : {};
  if (!isObject(changed) || !isObject(before) || !isObject(after))
    return [[idKey(id), 'not-recorded']];
  const edit = textMembers(changed, ['version', 'updatedBy']);
  const time = typeof updatedAt === 'number' && { updatedAt };
  return [[idKey(id), { before, after, ...edit, ...time }]];
}
