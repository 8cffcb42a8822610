import { parseClaims, type TokenSource } from './auth/token.ts';
import type { CatalogConnection, CatalogReader, CatalogWriter } from './catalog/catalog.ts';
import { noticesOfBot } from './catalog/kind.ts';
import type { Product } from './catalog/products/product.ts';
import { configuredProduct } from './catalog/products/products.ts';
import {
  createReader,
  createServerReader,
  createWriter,
  type ServerReader,
} from './catalog/client.ts';
import {
  type FileRules,
  optionsOfKinds,
  readOptionsOf,
  type Settings,
  sharedOptions,
} from './config/settings.ts';
import type { LiveContract } from './contract/contract.ts';
import { type Diagnostic, DiagnosticsError, SyncError } from './core/diagnostic.ts';
import type { Fetch } from './core/effects.ts';
import { defined, type JsonObject } from './core/json.ts';
import { type FileSelection, readBase, readContracts } from './files/files.ts';
import { openRepository, type Repository } from './files/git/repository.ts';
import type { EarlierFiles, Revisions } from './plan/pair.ts';
import type {
  RunSubject,
  ChosenEnvironment,
  DriftedPlace,
  Override,
  PlanSubject,
} from './plan/plan.ts';
import { adoptConventions, type Rules } from './plan/rules.ts';
import type { Selection } from './plan/selection.ts';
import { version } from './version.ts';

type ConnectionOptions = {
  readonly token: TokenSource;
  readonly allowHttp?: boolean | undefined;
  /** The global `fetch` by default. */
  readonly fetch?: Fetch | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onRetry?: ((line: string) => void) | undefined;
  readonly log?: ((line: string) => void) | undefined;
};

export type NamedFiles = {
  readonly folder: string;
  readonly givenIn?: string;
  /** Files, folders or globs; empty: the configuration's. */
  readonly paths: readonly string[];
};

type SessionOptions = ConnectionOptions &
  NamedFiles & {
    readonly selection?: Selection | undefined;
    readonly overrides?: readonly Override[] | undefined;
    readonly notices?: readonly Diagnostic[] | undefined;
    /** By default that of the folder. */
    readonly repository?: Repository | undefined;
    readonly bases?: readonly BaseRevision[] | undefined;
    /** Errors in files don't end the run. */
    readonly ignoresFiles?: boolean | undefined;
    /** An earlier session of the same run, which knows the kind of catalog. */
    readonly earlier?: Session | undefined;
  };

export type BaseRevision = Pick<EarlierFiles, 'revision' | 'isDefault' | 'appliesTo'>;

type KnownKind = {
  readonly product: Product;
  /** The server's; absent if it wasn't asked. */
  readonly release?: string | undefined;
  /** Whether the catalog has said what kind it is, which the configuration doesn't. */
  readonly isTold?: boolean | undefined;
  readonly notices?: readonly Diagnostic[] | undefined;
};

export type Planning = Revisions &
  FileRules &
  KnownKind & {
    readonly catalogUrl: string;
    readonly environment?: ChosenEnvironment | undefined;
    readonly files: FileSelection;
    readonly repository: Repository;
    /** Planning cannot write: no method changes the catalog. */
    readonly reader: CatalogReader;
    readonly team?: string | undefined;
    /** By a live contract and what a change of a place replaces: the merge that waits for it. */
    readonly readPending?: (() => Promise<PendingAt>) | undefined;
    readonly selection?: Selection | undefined;
    readonly overrides?: readonly Override[] | undefined;
    /** `few`: contracts with drift, conflicts or breaking changes; by default none. */
    readonly blame?: Settings['blame'] | undefined;
    /** `false`: lineage isn't asked for, whatever the policy. */
    readonly downstream?: boolean | undefined;
    /** Milliseconds that the catalog's clock is ahead of this machine's; 0 if it doesn't say. */
    readonly clockAhead?: () => Promise<number>;
    /** Asks whether approvals of the catalog leave this run's changes alone. */
    readonly askBot?: () => Promise<readonly Diagnostic[]>;
    readonly onPage?: ((read: number, total?: number) => void) | undefined;
  };

/** Undefined where no merge waits. `versions` of the contract as far as they can be read. */
export type PendingAt = (
  live: LiveContract,
  replaced: Pick<DriftedPlace, 'place' | 'before'>,
  versions: readonly JsonObject[],
  rules: Rules,
) => { readonly commit: string; readonly waitsFor: number } | undefined;

export type Session = Planning & {
  readonly onRetry?: ((line: string) => void) | undefined;
  readonly concurrency: number;
  readonly handles?: Settings['handles'];
  /** Epoch milliseconds until which the catalog has asked for a pause; 0 if it never has. */
  readonly resumesAt: () => number;
  /** Why nothing may be sent: a protected environment isn't chosen. */
  readonly unchosen?: SyncError | undefined;
  readonly openWriter: () => CatalogWriter;
};

/** Asks the catalog what kind it is, unless that is configured or known. */
export async function openSession(settings: Settings, options: SessionOptions): Promise<Session> {
  const { odcs } = settings;
  const { selection, overrides, onRetry, bases = [], notices = [] } = options;
  const repository = options.repository ?? openRepository(options.folder);
  const files = selectFiles(settings, options);
  let pausedUntil = 0;
  const connection: CatalogConnection = {
    ...connectionOf(settings, options),
    onPause: (milliseconds) => {
      pausedUntil = Math.max(pausedUntil, Date.now() + milliseconds);
    },
  };
  const server = createServerReader(connection);
  const kind = await kindOf(settings, options, server, files);
  const rules = adoptConventions(settings.rules, kind.product);
  const read = readOptionsOf({ rules, odcs, product: kind.product });
  const changed = selection?.changed;
  let bot: Promise<readonly Diagnostic[]> | undefined;
  return {
    ...settings,
    selection,
    overrides,
    onRetry,
    ...kind,
    files,
    repository,
    rules,
    notices: [...settings.notices, ...notices, ...(kind.notices ?? [])],
    before: changed && readBase(changed.since, files, repository, read, changed.has),
    bases: bases.map((base) => ({ ...base, ...readBase(base.revision, files, repository, read) })),
    resumesAt: () => pausedUntil,
    clockAhead: async () => (await server.firstPage(1)).clockAhead ?? 0,
    askBot: async () => (bot ??= noticesOfBot(kind, parseClaims(await options.token()), server)),
    reader: createReader(connection, kind.product),
    openWriter: () => createWriter(connection),
  };
}

function selectFiles(settings: Settings, { folder, givenIn, paths }: NamedFiles): FileSelection {
  const { include, exclude, allowEmpty, locateGlob: locate, rules } = settings;
  const all = { root: folder, include, exclude, allowEmpty, locate };
  const team = rules.teams.find(({ name }) => name === settings.team);
  if (team) return { ...all, named: team.include };
  return paths.length > 0 ? { ...all, named: paths, ...defined({ givenIn }) } : all;
}

async function kindOf(
  settings: Settings,
  { earlier, ignoresFiles }: SessionOptions,
  server: ServerReader,
  files: FileSelection,
): Promise<KnownKind> {
  const product = configuredProduct(settings.dialect);
  if (product) return { product };
  if (earlier) return { product: earlier.product, release: earlier.release };
  try {
    const kind = await server.kind();
    return { ...kind, isTold: kind.notices.length === 0 };
  } catch (error) {
    // Errors in files end a run before those of the catalog.
    if (error instanceof SyncError && !ignoresFiles) await refuseFiles(files, settings);
    throw error;
  }
}

async function refuseFiles(files: FileSelection, settings: Settings): Promise<void> {
  const { diagnostics } = await readContracts(files, sharedOptions(optionsOfKinds(settings)));
  const first = diagnostics.find(({ severity }) => severity === 'error');
  if (first) throw new DiagnosticsError(first.code, first.message, diagnostics);
}

export function subjectOf({ catalogUrl, environment }: RunSubject): PlanSubject {
  return { catalogUrl, ...(environment && { environment: environment.name }) };
}

export function connectionOf(settings: Settings, options: ConnectionOptions): CatalogConnection {
  const { catalogUrl, pageSize, timeoutMs, timeoutThrottledMs, concurrency } = settings;
  const { token, allowHttp, fetch, signal, onRetry, log } = options;
  const pace = { pageSize, timeoutMs, timeoutThrottledMs, concurrency };
  const given = { token, allowHttp, signal, onRetry, log, ...(fetch && { effects: { fetch } }) };
  return { baseUrl: new URL(catalogUrl), version, ...pace, ...given };
}
