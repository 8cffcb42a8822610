/** The fields that restore a contract to a version, a time, or its state before a run. */

import {
  type ChangedFields,
  formatVersion,
  managedFields,
  textMembers,
} from '../contract/contract.ts';
import { contractLabel, idKey } from '../contract/identity.ts';
import { ConfigError, type Problem, SyncError } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject, parseJson } from '../core/json.ts';
import { quote } from '../core/text.ts';
import {
  fieldsToRestore,
  type RollbackConflict,
  undoRun,
  versionBefore,
  versionsNumbered,
} from '../history/rollback.ts';
import { type ContractVersion, inTodaysShape, unknownFields } from '../history/version.ts';
import { withoutSecrets } from '../http/address.ts';
import type { LivePair } from '../plan/pair.ts';
import type { Rules } from '../plan/rules.ts';
import { type ApprovedRun, otherEnvironment, readSavedText } from './saved.ts';

export type RollbackTarget =
  | { readonly kind: 'version'; readonly version: string }
  /** `time` in epoch milliseconds, `text` as it was written. */
  | { readonly kind: 'time'; readonly time: number; readonly text: string }
  /** `records` by the keys of contract ids. */
  | { readonly kind: 'run'; readonly records: ReadonlyMap<string, RunRecord> };

/** What a run changed in one contract, or why that is not known. */
export type RunRecord = ChangedFields | keyof typeof unknownRuns;

export type Restored = {
  /** `null` removes a field. */
  readonly fields: JsonObject;
  readonly described: string;
  readonly problems: readonly Problem[];
};

export function findFields(
  pair: LivePair,
  versions: readonly ContractVersion[],
  target: RollbackTarget,
  rules: Rules,
): Restored {
  switch (target.kind) {
    case 'version':
      return restoreVersion(pair, requireVersion(pair, versions, target.version), versions);
    case 'time':
      return restorePast(pair, versions, target);
    case 'run': {
      const record = target.records.get(idKey(pair.live.id)) ?? 'not-recorded';
      return restoreBeforeRun(pair, versions, record, rules);
    }
  }
}

function restoreVersion(
  { live }: LivePair,
  version: ContractVersion,
  versions: readonly ContractVersion[],
): Restored {
  const [then, now] = [version.document, inTodaysShape(live.document)];
  const snapshots = versions.map(({ document }) => document);
  const unknown = unknownFields(managedFields, now, snapshots, then);
  const known = managedFields.filter((field) => !unknown.includes(field));
  return {
    fields: fieldsToRestore(then, now, known),
    described: `version ${version.version ?? '?'}`,
    problems: leftUnknown(unknown),
  };
}

// A catalog's versions may lack fields of a contract.
function leftUnknown(fields: readonly string[]): readonly Problem[] {
  if (fields.length === 0) return [];
  const [were, they] =
    fields.length === 1 ? ['was', 'it stays as it is'] : ['were', 'they stay as they are'];
  const names = fields.map((field) => `\`${field}\``).join(', ');
  const message = `The catalog's history doesn't say what ${names} ${were}: ${they}.`;
  const hint = 'Set in its file what should be different, and apply it.';
  return [{ code: 'field-not-recorded', severity: 'warning', message, hint }];
}

function requireVersion({ live }: LivePair, versions: readonly ContractVersion[], number: string) {
  const [found, other] = versionsNumbered(versions, number);
  if (found && !other) return found;
  const [label, wanted] = [contractLabel(live), formatVersion(number)];
  if (!found) throw noSuchVersion(label, wanted);
  const message = `${label} has several versions ${wanted}: the catalog reset its numbers.`;
  throw new SyncError('ambiguous-version', message, { hint: 'Give a time with --before.' });
}

function noSuchVersion(label: string, which: string): SyncError {
  return new SyncError('no-such-version', `${label} has no version ${which}.`, {
    hint: `List its versions with \`contract-sync history ${label}\`.`,
  });
}

function restorePast(
  pair: LivePair,
  versions: readonly ContractVersion[],
  target: RollbackTarget & { readonly kind: 'time' },
): Restored {
  const past = versionBefore(versions, target.time);
  if (!past) throw noSuchVersion(contractLabel(pair.live), `from before ${target.text}`);
  const restored = restoreVersion(pair, past.version, versions);
  const { mergedInto } = past;
  if (!mergedInto) return restored;
  const message = `Edits from before ${target.text} may be missing: the catalog merged them into ${mergedInto.version ?? 'a version'}, written later.`;
  return {
    ...restored,
    problems: [...restored.problems, { code: 'merged-version', severity: 'warning', message }],
  };
}

function restoreBeforeRun(
  { live }: LivePair,
  versions: readonly ContractVersion[],
  record: RunRecord,
  rules: Rules,
): Restored {
  const described = 'what it was before the run';
  if (typeof record === 'string') {
    const message = `Can't tell what the run changed from what others did: ${unknownRuns[record]}.`;
    const hint = 'Return the contract to a version (--to) or to a time (--before).';
    // An error, since nothing of the run is undone.
    const problem = { code: 'unknown-run', severity: 'error', message, hint } as const;
    return { fields: {}, described, problems: [problem] };
  }
  const { fields, conflicts, mergedInto } = undoRun(
    record,
    inTodaysShape(live.document),
    versions,
    rules,
  );
  if (conflicts.length === 0 && Object.keys(fields).length === 0) {
    const message = 'Nothing is left of what the run changed.';
    const problem = { code: 'changed-since-run', severity: 'information', message } as const;
    return { fields, described, problems: [problem] };
  }
  const problems = conflicts.map(heldByOthers);
  if (!mergedInto) return { fields, described, problems };
  const { version = '?', user = 'its user' } = mergedInto;
  const message = `The catalog merged later edits of ${user} into ${version}: one that set the same values again counts as the run's.`;
  const merged = { code: 'merged-version', severity: 'warning', message } as const;
  return { fields, described, problems: [merged, ...problems] };
}

const unknownRuns = {
  unverified: 'it did not learn whether its change landed',
  held: 'the catalog took its change and held it back, so it may have landed since',
  'not-recorded': "the outcomes don't say what it changed in this contract",
} as const;

function heldByOthers({ label, of, blame }: RollbackConflict): Problem {
  const place = of === 'order' ? `The order of \`${label}\`` : `\`${label}\``;
  const { user = 'Somebody', version } = blame.kind === 'never-set' ? {} : blame.version;
  const number = version === undefined ? '' : ` (${version})`;
  const message = `${place} stays as it is: ${user} changed it after the run${number}.`;
  return { code: 'changed-since-run', severity: 'warning', message };
}

export function readRunRecords(
  path: string,
  name: string,
  { catalogUrl, environment }: ApprovedRun,
): ReadonlyMap<string, RunRecord> {
  const text = readSavedText(path, {
    code: 'unreadable-file',
    message: `Can't read the outcomes file ${name}.`,
    hint: 'Check the path: `contract-sync apply --report FILE` writes one.',
  });
  const document = parseJson(text);
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
  if (typeof url === 'string' && url !== catalogUrl) {
    const message = `The run in ${name} changed ${withoutSecrets(url)}, not ${catalogUrl}.`;
    throw new SyncError('other-catalog', message, { hint: 'Use the catalog it changed.' });
  }
  const made = typeof run === 'string' ? run : undefined;
  if (made !== environment?.name) throw otherEnvironment(made, environment, `The run in ${name}`);
  return new Map(outcomes.filter(isObject).flatMap(recordOf));
}

function recordOf(outcome: JsonObject): readonly (readonly [string, RunRecord])[] {
  const { result, id, changed } = outcome;
  if (typeof id !== 'string') return [];
  if (result === 'unverified' || result === 'held') return [[idKey(id), result]];
  if (result !== 'applied' && result !== 'overlapped') return [];
  const { before, after, updatedAt } = isObject(changed) ? changed : {};
  if (!isObject(changed) || !isObject(before) || !isObject(after))
    return [[idKey(id), 'not-recorded']];
  const edit = textMembers(changed, ['version', 'updatedBy']);
  const time = typeof updatedAt === 'number' && { updatedAt };
  return [[idKey(id), { before, after, ...edit, ...time }]];
}
