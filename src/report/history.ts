import type { Diagnostic } from '../core/diagnostic.ts';
import { formatAge, formatDay, formatMinute } from '../core/time.ts';
import type { ShownVersion, ShownHistory } from '../history/place.ts';
import type { VersionChange } from '../history/version.ts';
import type { Change, LiveBlame } from '../plan/plan.ts';
import {
  type ChangeReport,
  changeSigns,
  note,
  type Phrase,
  type Report,
  type TableRow,
  type Words,
} from './blocks.ts';
import { failureOf, formatDocument } from './json.ts';

export function isOfStatus({ path }: { readonly path: string }): boolean {
  return path === '/entityStatus';
}

/** `edited in the catalog; set by mira, 3 days ago, in 1.4`; undefined where nothing is known. */
export function originWords(
  { cause, mergedIn, waitsFor, unknown, blame }: Partial<Change>,
  now: number | undefined,
): string | undefined {
  const words = [
    ...(waitsFor === undefined ? [] : [`waiting for #${waitsFor}`]),
    ...(mergedIn === undefined || waitsFor !== undefined
      ? []
      : [`merged in ${mergedIn.slice(0, 7)}, not applied yet`]),
    ...(unknown === undefined ? [] : [`not known: ${unknown}`]),
    ...(cause === 'drift' && unknown === undefined ? ['edited in the catalog'] : []),
    ...(blame ? [blameWords(blame, now)] : []),
  ];
  return words.length > 0 ? words.join('; ') : undefined;
}

/** `set by mira, 3 days ago, in 1.4 (not from a commit)`; with a day where `now` is absent. */
export function blameWords(blame: LiveBlame, now?: number): string {
  const { kind, user, updatedAt, version, provenance } = blame;
  // The author of the first known version need not have set the value.
  if (kind === 'known-since' && version !== '0.1')
    return `set in ${version ?? 'the first known version'} or before`;
  const words = [
    `${kind === 'known-since' ? 'set' : kind}${user === undefined ? '' : ` by ${user}`}`,
    ...(updatedAt === undefined
      ? []
      : [now === undefined ? `on ${formatDay(updatedAt)}` : formatAge(updatedAt, now)]),
    ...(version === undefined ? [] : [`in ${version}`]),
  ].join(', ');
  return provenance ? `${words} (${sourceWords(provenance)})` : words;
}

function sourceWords(provenance: NonNullable<LiveBlame['provenance']>): string {
  if (provenance.kind === 'no-commit') return 'not from a commit';
  const commit = provenance.commit.slice(0, 7);
  return provenance.kind === 'git' ? `git ${commit}` : `in git since ${commit}`;
}

export function historyReport(history: ShownHistory, full: boolean): Report {
  const { contract, place, file, versions, older, unrecorded } = history;
  const noVersions = place === undefined ? 'No versions found.' : 'No known version changed it.';
  const nothing =
    unrecorded.length > 0 ? 'no field that the versions carry' : 'no field that is compared';
  const rows = versions.map((version) => rowOf(version, full || place !== undefined, nothing));
  const end = [
    ...(older === 0 ? [] : [`… and ${older} older (show more with --limit or --since)`]),
    ...(unrecorded.length === 0 ? [] : [notCarried(unrecorded)]),
  ];
  const title: Words = [
    { text: contract, as: 'code' },
    ...(place === undefined ? [] : ([' ', { text: place, as: 'code' }] as const)),
    ...(file === undefined ? [] : (['  ', { text: file, as: 'faint' }] as const)),
  ];
  return {
    blocks: [
      { kind: 'heading', words: title },
      rows.length === 0
        ? note(older > 0 ? 'No version since then.' : noVersions)
        : { kind: 'table', columns: ['Version', 'When', 'Who', 'From', 'Changes'], rows },
      ...end.map((text) => note({ text, as: 'faint' })),
    ],
  };
}

export function notCarried(fields: readonly string[]): string {
  return `The catalog's versions don't carry ${fields.join(', ')}, so their changes are unknown.`;
}

function rowOf(shown: ShownVersion, full: boolean, nothing: string): TableRow {
  const { version, provenance: from, isFirst } = shown;
  const author = 'author' in from ? ` (${from.author})` : '';
  const changes = shown.changes
    .filter((change) => !isOfStatus(change))
    .map(({ kind, label, before, after }): ChangeReport => {
      const movement = kind === 'move' ? 'moved' : undefined;
      return { sign: changeSigns[kind], label, before, after, movement };
    });
  const { updatedAt, user = 'unknown' } = version;
  const time = updatedAt === undefined ? 'at an unknown time' : formatMinute(updatedAt);
  const { mayHoldMore, numbering } = version;
  const remarks = [
    ...(mayHoldMore ? ['at least these changes: later edits were merged into the version'] : []),
    ...(numbering === 'repeats' ? ['the number was given before'] : []),
    ...(numbering === 'goes-back' ? ['the number is lower than the one before'] : []),
    ...(shown.changes.length === 0 ? [isFirst ? 'the first known version' : nothing] : []),
  ];
  return {
    cells: [
      [{ text: version.version ?? '?', as: 'code' }],
      [time],
      [{ text: user, as: 'code' }],
      [from.kind === 'unknown' ? '' : `${sourceWords(from)}${author}`],
    ],
    below: [
      ...remarks.map((text): Words => [{ text, as: 'faint' }]),
      ...brief(shown.changes, full ? [] : changes),
    ],
    ...(full && { changes }),
  };
}

function brief(all: readonly VersionChange[], changes: readonly ChangeReport[]): Words[] {
  const words: readonly Phrase[] = [
    ...all.filter(isOfStatus).map(({ before, after }) => ({
      move: {
        from: typeof before === 'string' ? before : null,
        to: typeof after === 'string' ? after : null,
      },
    })),
    ...(changes.length > 0 ? [{ changes }] : []),
  ];
  const [first, ...others] = words;
  return first === undefined ? [] : [[first, ...others.flatMap((each) => [', ', each])]];
}

const formatVersion = '1.0';

export function renderHistoryJson(history: ShownHistory): string {
  const { versions, older, unrecorded, ...contract } = history;
  return formatDocument({
    formatVersion,
    ...contract,
    versions: versions.map(({ version: recorded, provenance, changes, isFirst }) => {
      const { version, updatedAt, user, mayHoldMore, numbering } = recorded;
      const known = { version, updatedAt, user, provenance, isFirstKnown: isFirst };
      return { ...known, mayHoldMore, numbering, changes };
    }),
    older,
    unrecorded: unrecorded.length > 0 ? unrecorded : undefined,
    diagnostics: [],
  });
}

export function renderHistoryFailure(diagnostics: readonly Diagnostic[]): string {
  const failure = failureOf(diagnostics);
  return formatDocument({ formatVersion, versions: [], older: 0, ...failure, diagnostics });
}
