import type { TokenSource } from './auth/token.ts';
import type { CatalogReader, CatalogWriter } from './catalog/catalog.ts';
import {
  acceptedStatuses,
  type DialectSetting,
  productOf,
  type ServerRelease,
} from './catalog/products/products.ts';
import type { CatalogConnection } from './catalog/connection.ts';
import { createReader, createServerReader, createWriter } from './catalog/client.ts';
import type { Settings } from './config/settings.ts';
import type { Diagnostic } from './core/diagnostic.ts';
import type { Fetch } from './core/effects.ts';
import { readBase } from './files/base.ts';
import type { FileSelection, ReadOptions } from './files/files.ts';
import type { OdcsRules } from './files/formats/odcs/settings.ts';
import type { EarlierFiles } from './plan/pair.ts';
import type { ChosenEnvironment, Override, PlanSubject } from './plan/plan.ts';
import type { Rules } from './plan/rules.ts';
import type { Selection } from './plan/selection.ts';
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
    readonly selection?: Planning['selection'];
    readonly overrides?: Planning['overrides'];
    readonly notices?: Planning['notices'];
    readonly variables?: Session['variables'];
    /** Whose files tell drift from changes of the files; the last that applies to a contract counts. */
    readonly bases?: readonly BaseRevision[] | undefined;
    /** Whether files without a contract are a plan all the same. */
    readonly allowEmpty?: boolean | undefined;
    /** Whose plans say who set what they change: few unless all or none are wanted. */
    readonly blame?: boolean | undefined;
    /** Whether missing contracts are created, also where the configuration does not say so. */
    readonly create?: boolean | undefined;
  };

/** A git revision that is to be a base. */
export type BaseRevision = Pick<EarlierFiles, 'revision' | 'isDefault' | 'appliesTo'>;

/** What planning needs of the world. */
export type Planning = {
  readonly catalogUrl: string;
  /** The one of the configuration's that was chosen. */
  readonly environment?: ChosenEnvironment | undefined;
  /** Problems of the run itself. */
  readonly notices?: readonly Diagnostic[] | undefined;
  readonly files: FileSelection;
  /** Has no method that could change the catalog: planning cannot write. */
  readonly reader: CatalogReader;
  readonly rules: Rules;
  /** How files of the Open Data Contract Standard are read. */
  readonly odcs?: OdcsRules | undefined;
  readonly dialect: DialectSetting;
  /** The release that the server gives: asked for where the dialect is not set. Never rejects. */
  readonly askRelease?: ((stop: AbortSignal) => Promise<ServerRelease>) | undefined;
  readonly selection?: Selection | undefined;
  /**
   * What the files said earlier. The last that applies to a contract is its base, which tells drift
   * from changes of its file; the first that has one names the file that a contract has lost.
   */
  readonly bases?: readonly EarlierFiles[] | undefined;
  /** Limits that this one plan may exceed. */
  readonly overrides?: readonly Override[] | undefined;
  /** Called after each page: contracts read, and how many there are if the server says so. */
  readonly onPage?: ((read: number, total?: number) => void) | undefined;
  /** Called before so many missing contracts are looked for again; pages are counted anew. */
  readonly onLookAgain?: ((missing: number) => void) | undefined;
};

/** All that planning and applying need of the world. */
export type Session = Planning & {
  /** Called when a request is tried again, with the reason. */
  readonly onRetry?: ((line: string) => void) | undefined;
  readonly concurrency: number;
  /** Of the process, for what it starts; git looks into some. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
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
  return {
    catalogUrl,
    environment,
    notices: [...settings.notices, ...(options.notices ?? [])],
    variables,
    files,
    bases: revisionsOf(options).map(({ files: isAsked, ...base }) => ({
      ...base,
      ...readBase(base.revision, files, readOptions, isAsked),
    })),
    resumesAt: () => pausedUntil,
    reader: createReader(connection),
    openWriter: () => createWriter(connection),
    rules: options.create === true ? { ...rules, create: true } : rules,
    odcs,
    dialect,
    askRelease: openReleaseQuestion(connection),
    concurrency: settings.concurrency,
    blame: blameOf(options),
    selection,
    overrides,
    onRetry,
  };
}

type AskedRevision = BaseRevision & { readonly files?: (file: string) => boolean };

function revisionsOf({ selection, bases = [] }: SessionOptions): readonly AskedRevision[] {
  const changed = selection?.changed;
  if (!changed) return bases;
  // It is the base of no contract: its files are those that changed ones may have been.
  return [{ revision: changed.since, files: changed.has, appliesTo: () => false }, ...bases];
}

/** What a plan of a run is about. */
export function subjectOf({
  catalogUrl,
  environment,
}: Pick<Planning, 'catalogUrl' | 'environment'>): PlanSubject {
  return { catalogUrl, ...(environment && { environment: environment.name }) };
}

/** What files are checked for before the catalog is asked. */
export function readOptionsOf({
  rules,
  odcs,
  dialect,
}: Pick<Planning, 'odcs' | 'dialect'> & {
  readonly rules: Pick<Rules, 'lifecycle' | 'names'>;
}): ReadOptions {
  return {
    statuses: acceptedStatuses(dialect, rules.lifecycle),
    odcs,
    names: rules.names,
    check: dialect === 'auto' ? undefined : productOf(dialect).checkFields,
  };
}

function blameOf({ blame }: SessionOptions): Session['blame'] {
  if (blame === undefined) return 'few';
  return blame ? 'all' : 'none';
}

/** Milliseconds: without the release, statuses may tell the kind of the catalog. */
const releaseTakes = 5000;

function openReleaseQuestion(connection: CatalogConnection): NonNullable<Planning['askRelease']> {
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
