/** The outcomes that a run wrote. */

import { readFileSync } from 'node:fs';
import { idKey } from '../contract/identity.ts';
import { ConfigError, SyncError } from '../core/errors.ts';
import { isArray, isObject, type JsonObject, parseJson } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { withoutSecrets } from '../http/address.ts';
import type { RunRecord } from '../history/rollback.ts';
import type { Session } from '../session.ts';
import { otherEnvironment } from './saved-plan.ts';

/** The contracts that a run has changed, or may have, by the key of their id. */
export function readRunRecords(
  path: string,
  name: string,
  { catalogUrl, environment }: Pick<Session, 'catalogUrl' | 'environment'>,
): ReadonlyMap<string, RunRecord> {
  const document = parseJson(readText(path, name));
  const outcomes = isObject(document) ? document['outcomes'] : undefined;
  if (!isObject(document) || !isArray(outcomes)) throw noOutcomes(name);
  const url = document['catalogUrl'];
  if (typeof url === 'string' && url !== catalogUrl)
    throw new SyncError(
      'other-catalog',
      `The run in ${name} changed ${withoutSecrets(url)}, not ${catalogUrl}.`,
      { hint: 'Use the catalog it changed.' },
    );
  const run = typeof document['environment'] === 'string' ? document['environment'] : undefined;
  if (run !== environment?.name)
    throw otherEnvironment(
      run === undefined ? {} : { environment: run },
      environment,
      `The run in ${name}`,
    );
  return new Map(outcomes.filter(isObject).flatMap(recordOf));
}

function recordOf({ result, id, versionBefore, versionAfter }: JsonObject) {
  const isUnverified = result === 'unverified';
  if (typeof id !== 'string' || !(isUnverified || result === 'applied')) return [];
  const record: RunRecord = {
    ...(typeof versionBefore === 'string' && { versionBefore }),
    ...(typeof versionAfter === 'string' && { versionAfter }),
    ...(isUnverified && { unverified: true }),
  };
  return [[idKey(id), record] as const];
}

function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError('unreadable-outcomes', `Can't read the outcomes file ${name}.`, {
      hint: 'Check the path: `contract-sync apply --report FILE` writes one.',
      cause,
    });
  }
}

function noOutcomes(name: string): ConfigError {
  return new ConfigError('not-outcomes', `${quote(name)} has no outcomes of a run.`, {
    hint: 'Pass the file that `contract-sync apply --report FILE` or `--format json` wrote.',
  });
}
