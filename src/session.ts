import type { TokenSource } from './auth/token.ts';
import type { CatalogWriter } from './catalog/catalog.ts';
import type { CatalogConnection } from './catalog/connection.ts';
import { createReader, createServerReader, createWriter } from './catalog/client.ts';
import type { Settings } from './config/settings.ts';
import type { Fetch } from './core/effects.ts';
import { type BaseContracts, type ContractsSince, readBase } from './files/base.ts';
import type { Sync } from './sync.ts';
import { readOptionsOf } from './sync/read-options.ts';
import { version } from './version.ts';

/** What talking to a catalog needs beyond the configuration. */
export type ConnectionOptions = {
  readonly token: TokenSource;
  readonly allowHttp?: boolean;
  /** How requests are sent; unless given, by the global `fetch`. */
  readonly fetch?: Fetch;
  /** Once aborted, no request goes on. */
  readonly signal?: AbortSignal;
  /** Told while it happens that a request is tried again, and why. */
  readonly onRetry?: (line: string) => void;
  /** Takes the verbose lines. */
  readonly log?: (line: string) => void;
  /** Told as a pause of all requests begins, in milliseconds. */
  readonly onPause?: (milliseconds: number) => void;
};

/** The files that somebody names for a run. */
export type NamedFiles = {
  /** The folder that paths are relative to. */
  readonly folder: string;
  /** The folder in which somebody gave the paths, where they gave any. */
  readonly givenIn?: string;
  /** Files, folders or globs; where there are none, the configuration's. */
  readonly paths: readonly string[];
};

/** What a run needs beyond its configuration. */
export type SessionOptions = ConnectionOptions &
  NamedFiles &
  Pick<Sync, 'selection' | 'overrides' | 'notices'> &
  Pick<Session, 'variables'> & {
    /** The git revision whose files tell drift from what the files ask for. */
    readonly baseRevision?: string;
    /** Whether that is the remote's default branch, since nobody named one. */
    readonly isDefaultBase?: boolean;
    /** Of these contracts other files do, of a later revision. */
    readonly laterBases?: readonly LaterBase[];
    /** Whether files without a contract are a plan all the same. */
    readonly allowEmpty?: boolean;
    /** Whose plans say who set what they change: few unless all or none are wanted. */
    readonly blame?: boolean | undefined;
    /** Whether missing contracts are created, also where the configuration does not say so. */
    readonly create?: boolean;
  };

/** Contracts that are compared with the files of a revision of their own. */
export type LaterBase = Pick<ContractsSince, 'has'> & { readonly revision: string };

/** All that planning and applying need of the world. */
export type Session = Sync &
  Pick<ConnectionOptions, 'onRetry'> & {
    readonly concurrency: number;
    /** Of the process, for what it starts; git looks into some. */
    readonly variables?: Readonly<Record<string, string | undefined>>;
    /** Of which contracts plans ask who set what: `few` are those with drift, conflicts or breaking changes. */
    readonly blame: 'few' | 'all' | 'none';
    /** Epoch milliseconds until which the catalog has asked for a pause, or had: 0 if it never has. */
    readonly resumesAt: () => number;
    /** Called by an apply alone: planning cannot write. */
    readonly openWriter: () => CatalogWriter;
  };

/** Opens a catalog for a run of the command line or of the Action. */
export function openSession(config: Settings, options: SessionOptions): Session {
  const { exclude, locateGlob: locate, rules, odcs, dialect, concurrency } = config;
  const {
    folder: root,
    givenIn,
    paths,
    allowEmpty = false,
    selection,
    overrides,
    onRetry,
  } = options;
  const changed = selection?.changed;
  const pauses = notePauses();
  const connection = connectionOf(config, { ...options, onPause: pauses.note });
  const named = paths.length > 0 ? paths : undefined;
  const { include } = config;
  const files = { root, include, exclude, allowEmpty, locate, ...(named && { named, givenIn }) };
  const readOptions = readOptionsOf({ rules, odcs, dialect });
  return {
    ...subjectOfSession(config, options),
    files,
    ...basesOf(options, (revision) => readBase(revision, files, readOptions)),
    resumesAt: pauses.resumesAt,
    reader: createReader(connection),
    openWriter: () => createWriter(connection),
    rules: options.create === true ? { ...rules, create: true } : rules,
    odcs,
    dialect,
    askRelease: openReleaseQuestion(connection),
    concurrency,
    blame: blameSetting(options.blame),
    ...(selection && { selection }),
    ...(changed && { before: readBase(changed.since, files, readOptions, changed.has) }),
    ...(overrides && { overrides }),
    ...(onRetry && { onRetry }),
  };
}

function basesOf(
  { baseRevision, isDefaultBase = false, laterBases = [] }: SessionOptions,
  readAt: (revision: string) => BaseContracts,
) {
  const base = baseRevision === undefined ? undefined : readAt(baseRevision);
  return {
    ...(base && { base: { ...base, isDefault: isDefaultBase } }),
    laterBases: laterBases.map(({ revision, has }) => ({ has, base: readAt(revision) })),
  };
}

function notePauses() {
  let end = 0;
  return {
    note: (milliseconds: number) => {
      end = Math.max(end, Date.now() + milliseconds);
    },
    resumesAt: () => end,
  };
}

/** What a run is about, and what there is to say of that. */
function subjectOfSession(
  { catalogUrl, environment, notices }: Settings,
  { notices: more = [], variables }: SessionOptions,
) {
  return {
    catalogUrl,
    ...(environment && { environment }),
    notices: [...notices, ...more],
    ...(variables && { variables }),
  };
}

function blameSetting(wanted: boolean | undefined): Session['blame'] {
  if (wanted === undefined) return 'few';
  return wanted ? 'all' : 'none';
}

/** Milliseconds: without the release, statuses may tell the kind of the catalog. */
const releaseTakes = 5000;

function openReleaseQuestion(connection: CatalogConnection): NonNullable<Sync['askRelease']> {
  const server = createServerReader(connection);
  return async (stop) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(releaseTakes)]);
    return server.release(signal);
  };
}

/** How to talk to the catalog that is configured. */
export function connectionOf(
  { catalogUrl, pageSize, timeoutMs, timeoutThrottledMs, concurrency }: Settings,
  { token, allowHttp = false, fetch, signal, onRetry, log, onPause }: ConnectionOptions,
): CatalogConnection {
  return {
    baseUrl: new URL(catalogUrl),
    token,
    pageSize,
    timeoutMs,
    timeoutThrottledMs,
    concurrency,
    version,
    allowHttp,
    ...(fetch && { effects: { fetch } }),
    ...(signal && { signal }),
    ...(onRetry && { onRetry }),
    ...(log && { log }),
    ...(onPause && { onPause }),
  };
}
