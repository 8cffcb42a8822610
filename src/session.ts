import type { TokenSource } from './auth/token.ts';
import type { CatalogReader, CatalogWriter } from './catalog/catalog.ts';
import {
  acceptedStatuses,
  anyUnitSetting,
  laterStatuses,
  type DialectSetting,
  productOf,
  type ServerRelease,
} from './catalog/products/products.ts';
import type { CatalogConnection } from './catalog/connection.ts';
import { createReader, createServerReader, createWriter } from './catalog/client.ts';
import type { Settings } from './config/settings.ts';
import type { LiveContract } from './contract/contract.ts';
import type { Diagnostic } from './core/diagnostic.ts';
import type { Fetch } from './core/effects.ts';
import type { SyncError } from './core/errors.ts';
import type { JsonObject } from './core/json.ts';
import { type FileSelection, readBase, type ReadOptions } from './files/files.ts';
import type { OdcsRules } from './files/formats/odcs/settings.ts';
import type { EarlierFiles, Revisions } from './plan/pair.ts';
import type { ChosenEnvironment, DriftedPlace, Override, PlanSubject } from './plan/plan.ts';
import type { Rules } from './plan/rules.ts';
import type { Selection } from './plan/selection.ts';
import { version } from './version.ts';

export type ConnectionOptions = {
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
  NamedFiles &
  Pick<Session, 'selection' | 'overrides' | 'notices' | 'variables'> & {
    readonly bases?: readonly BaseRevision[] | undefined;
  };

export type BaseRevision = Pick<EarlierFiles, 'revision' | 'isDefault' | 'appliesTo'>;

export type Planning = Revisions & {
  readonly catalogUrl: string;
  readonly environment?: ChosenEnvironment | undefined;
  readonly notices?: readonly Diagnostic[] | undefined;
  readonly files: FileSelection;
  /** Planning cannot write: no method changes the catalog. */
  readonly reader: CatalogReader;
  readonly rules: Rules;
  readonly team?: string | undefined;
  readonly odcs?: OdcsRules | undefined;
  readonly dialect: DialectSetting;
  /** Asked where the dialect is not set; never rejects. */
  readonly askRelease?: ((stop: AbortSignal) => Promise<ServerRelease>) | undefined;
  /** By a live contract and what a change of a place replaces: the merge that waits for it. */
  readonly readPending?: (() => Promise<PendingAt>) | undefined;
  readonly selection?: Selection | undefined;
  readonly overrides?: readonly Override[] | undefined;
  /** `false`: lineage isn't asked for, whatever the policy. */
  readonly downstream?: boolean | undefined;
  readonly onPage?: ((read: number, total?: number) => void) | undefined;
  readonly onLookAgain?: ((missing: number) => void) | undefined;
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
  /** The environment of started processes; git looks into some. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** `few`: contracts with drift, conflicts or breaking changes. */
  readonly blame: Settings['blame'];
  /** Epoch milliseconds until which the catalog has asked for a pause; 0 if it never has. */
  readonly resumesAt: () => number;
  /** Why nothing may be sent: a protected environment isn't chosen. */
  readonly unchosen?: SyncError | undefined;
  readonly openWriter: () => CatalogWriter;
  /** The user of the token; undefined if the catalog doesn't say. */
  readonly askCaller?: (() => Promise<string | undefined>) | undefined;
};

export function openSession(settings: Settings, options: SessionOptions): Session {
  const { catalogUrl, environment, unchosen, odcs, dialect, concurrency, handles, blame } =
    settings;
  const shared = { catalogUrl, environment, unchosen, odcs, dialect, concurrency, handles, blame };
  const { include, exclude, allowEmpty, locateGlob: locate, rules } = settings;
  const { folder: root, givenIn, paths } = options;
  const { selection, overrides, onRetry, variables, bases = [] } = options;
  const asked = { selection, overrides, onRetry, variables };
  const changed = selection?.changed;
  let pausedUntil = 0;
  const connection: CatalogConnection = {
    ...connectionOf(settings, options),
    onPause: (milliseconds) => {
      pausedUntil = Math.max(pausedUntil, Date.now() + milliseconds);
    },
  };
  const readAt = (revision: string, has?: (file: string) => boolean) =>
    readBase(revision, files, readOptionsOf(settings), has);
  const team = rules.teams.find(({ name }) => name === settings.team);
  const named = team ? { named: team.include } : paths.length > 0 && { named: paths, givenIn };
  const files = { root, include, exclude, allowEmpty, locate, ...named };
  const server = () => createServerReader(connection);
  let caller: Promise<string | undefined> | undefined;
  return {
    ...shared,
    ...asked,
    notices: [...settings.notices, ...(options.notices ?? [])],
    files,
    before: changed && readAt(changed.since, changed.has),
    bases: bases.map((base) => ({ ...base, ...readAt(base.revision) })),
    resumesAt: () => pausedUntil,
    reader: createReader(connection),
    openWriter: () => createWriter(connection),
    rules,
    team: settings.team,
    askRelease: async (stop) =>
      server().release(AbortSignal.any([stop, AbortSignal.timeout(releaseTakes)])),
    askCaller: () =>
      (caller ??= server()
        .caller()
        .then(
          (found) => found?.name,
          () => undefined,
        )),
  };
}

export function subjectOf(run: Pick<Planning, 'catalogUrl' | 'environment'>): PlanSubject {
  const { catalogUrl, environment } = run;
  return { catalogUrl, ...(environment && { environment: environment.name }) };
}

export function readOptionsOf(
  run: Pick<Planning, 'odcs' | 'dialect'> & Record<'rules', Pick<Rules, 'lifecycle' | 'names'>>,
): ReadOptions {
  const { rules, odcs, dialect } = run;
  const later = laterStatuses(dialect, rules.lifecycle);
  return {
    statuses: acceptedStatuses(dialect, rules.lifecycle),
    odcs: odcs && { ...odcs, run: { ...odcs.run, later, anyUnitSetting: anyUnitSetting(dialect) } },
    names: rules.names,
    check: dialect === 'auto' ? undefined : productOf(dialect).checkFields,
  };
}

// Milliseconds; without the release, statuses may tell the kind of the catalog.
const releaseTakes = 5000;

export function connectionOf(settings: Settings, options: ConnectionOptions): CatalogConnection {
  const { catalogUrl, pageSize, timeoutMs, timeoutThrottledMs, concurrency } = settings;
  const { token, allowHttp, fetch, signal, onRetry, log } = options;
  const pace = { pageSize, timeoutMs, timeoutThrottledMs, concurrency };
  const given = { token, allowHttp, signal, onRetry, log, ...(fetch && { effects: { fetch } }) };
  return { baseUrl: new URL(catalogUrl), version, ...pace, ...given };
}
