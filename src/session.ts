import type { TokenSource } from './auth/token.ts';
import type { CatalogWriter } from './catalog/catalog.ts';
import type { CatalogConnection } from './catalog/connection.ts';
import { createReader, createServerReader, createWriter } from './catalog/client.ts';
import type { Settings } from './config/settings.ts';
import type { Diagnostic } from './core/diagnostic.ts';
import type { Fetch } from './core/effects.ts';
import { type BaseContracts, type ContractsSince, readBase } from './files/base.ts';
import type { Sync } from './sync.ts';
import { readOptionsOf } from './sync/read-options.ts';
import { version } from './version.ts';

/** What talking to a catalog needs beyond the settings. */
export type ConnectionOptions = {
  readonly token: TokenSource;
  readonly allowHttp?: boolean | undefined;
  /** How requests are sent; unless given, by the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Once aborted, no request goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Called when a request is tried again, with the reason. */
  readonly onRetry?: ((line: string) => void) | undefined;
  /** Takes the verbose lines. */
  readonly log?: ((line: string) => void) | undefined;
};

/** The files that are named for a run. */
export type NamedFiles = {
  /** The folder that paths are relative to. */
  readonly folder: string;
  /** The folder in which the paths were given, where some were. */
  readonly givenIn?: string;
  /** Files, folders or globs; where there are none, the configuration's. */
  readonly paths: readonly string[];
};

/** What a run needs beyond its settings. */
export type SessionOptions = ConnectionOptions &
  NamedFiles & {
    readonly selection?: Sync['selection'] | undefined;
    readonly overrides?: Sync['overrides'] | undefined;
    readonly notices?: readonly Diagnostic[];
    readonly variables?: Session['variables'];
    /** The git revision whose files tell drift from what the files ask for. */
    readonly baseRevision?: string | undefined;
    /** Whether that is the remote's default branch, since none was named. */
    readonly isDefaultBase?: boolean;
    /** Files of a later revision count for these contracts. */
    readonly laterBases?: readonly LaterBase[];
    /** Whether files without a contract are a plan all the same. */
    readonly allowEmpty?: boolean | undefined;
    /** Whose plans say who set what they change: few unless all or none are wanted. */
    readonly blame?: boolean | undefined;
    /** Whether missing contracts are created, also where the configuration does not say so. */
    readonly create?: boolean | undefined;
  };

/** Contracts that are compared with the files of a revision of their own. */
export type LaterBase = Pick<ContractsSince, 'has'> & { readonly revision: string };

/** All that planning and applying need of the world. */
export type Session = Sync & {
  /** Called when a request is tried again, with the reason. */
  readonly onRetry?: (line: string) => void;
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
export function openSession(settings: Settings, options: SessionOptions): Session {
  const { exclude, locateGlob: locate, rules, odcs, dialect, catalogUrl, environment } = settings;
  const { folder: root, givenIn, paths, allowEmpty = false } = options;
  const { selection, overrides, onRetry, variables } = options;
  let pausedUntil = 0;
  const connection: CatalogConnection = {
    ...connectionOf(settings, options),
    onPause: (milliseconds) => {
      pausedUntil = Math.max(pausedUntil, Date.now() + milliseconds);
    },
  };
  const named = paths.length > 0 && { named: paths, givenIn };
  const files = { root, include: settings.include, exclude, allowEmpty, locate, ...named };
  const readOptions = readOptionsOf({ rules, odcs, dialect });
  const readAt: ReadAt = (revision, has) => readBase(revision, files, readOptions, has);
  return {
    catalogUrl,
    ...(environment && { environment }),
    notices: [...settings.notices, ...(options.notices ?? [])],
    ...(variables && { variables }),
    files,
    ...basesOf(options, readAt),
    resumesAt: () => pausedUntil,
    reader: createReader(connection),
    openWriter: () => createWriter(connection),
    rules: options.create === true ? { ...rules, create: true } : rules,
    odcs,
    dialect,
    askRelease: openReleaseQuestion(connection),
    concurrency: settings.concurrency,
    blame: blameOf(options),
    ...(selection && { selection }),
    ...(overrides && { overrides }),
    ...(onRetry && { onRetry }),
  };
}

type ReadAt = (revision: string, has?: (file: string) => boolean) => BaseContracts;

function basesOf(
  { baseRevision, isDefaultBase = false, laterBases = [], selection }: SessionOptions,
  readAt: ReadAt,
) {
  const changed = selection?.changed;
  return {
    ...(baseRevision !== undefined && {
      base: { ...readAt(baseRevision), isDefault: isDefaultBase },
    }),
    laterBases: laterBases.map(({ revision, has }) => ({ has, base: readAt(revision) })),
    ...(changed && { before: readAt(changed.since, changed.has) }),
  };
}

function blameOf({ blame }: SessionOptions): Session['blame'] {
  if (blame === undefined) return 'few';
  return blame ? 'all' : 'none';
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
  { token, allowHttp = false, fetch, signal, onRetry, log }: ConnectionOptions,
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
    signal,
    onRetry,
    log,
  };
}
