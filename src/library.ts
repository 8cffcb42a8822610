/** contract-sync for programs: what the command line does, with its defaults, and no terminal. */

import type { Outcomes } from './apply/outcome.ts';
import type { AuthSettings } from './auth/choose.ts';
import { createTokenSource } from './auth/source.ts';
import { staticToken, type TokenSource } from './auth/token.ts';
import { carryOut } from './commands/apply.ts';
import { planNow, refuseOtherCommand, requireApproval } from './commands/plan.ts';
import { validateFiles } from './commands/validate.ts';
import { resolveConfig } from './config/config.ts';
import { findRoot, pathsFromRoot } from './config/root.ts';
import { SyncError } from './core/errors.ts';
import type { Validation } from './files/files.ts';
import { type Plan, plannedChanges } from './plan/plan.ts';
import type { Selection } from './plan/selection.ts';
import { decideChanges } from './review/decide.ts';
import { openSession, type Session } from './session.ts';

/** Which files, and by which configuration. */
export type ValidateOptions = {
  /** Files, folders and globs; unless given, what the configuration includes. */
  readonly files?: readonly string[];
  /** What paths are relative to; the working directory unless given. */
  readonly folder?: string;
  /** The configuration; unless given, the `contract-sync.yaml` of the folder or above, if there is one. */
  readonly config?: string;
  /** One of `environments` of the configuration; unless given, none. */
  readonly environment?: string;
};

/** A catalog, files, and what else is to be other than by default. */
export type Options = ValidateOptions & {
  /** The base of its API; it usually ends in `/api`. */
  readonly catalogUrl: string;
  /** A bearer token, or what gives one whenever it is asked. */
  readonly token: string | TokenSource;
  readonly selection?: Selection;
  /** The git revision that tells an edit of the catalog from what the files ask for. */
  readonly base?: string;
  /** Whether http is allowed to other machines too. */
  readonly allowHttp?: boolean;
};

/** How an apply ends early. */
export type ApplyOptions = Options & {
  /** Once it is aborted no further request starts. */
  readonly signal?: AbortSignal;
  /** The failures in a row after which it stops; 10 unless given. */
  readonly maxFailures?: number;
};

/** Checks files without a catalog. A configuration that can't be used is a {@link ConfigError}. */
export async function validate(options: ValidateOptions = {}): Promise<Validation> {
  const { config, ...named } = locate(options);
  return validateFiles(named, { config, env: options.environment, environment: {} });
}

/**
 * The plan that brings the catalog to the files; sends nothing but GET requests. What is wrong with a
 * file stands in the plan; what ends the run is thrown, a {@link SyncError}.
 */
export async function syncFiles(options: Options): Promise<Plan> {
  return planNow(sessionOf(options));
}

/**
 * Plans anew, and sends the changes that this plan has too, each guarded and verified: what became of
 * each. A change that fails, or that this plan has not, is an outcome, and holds back no other. Where
 * either plan has errors, or this one is of another catalog, nothing is sent and a {@link SyncError}
 * is thrown.
 */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<Outcomes> {
  const session = sessionOf(options);
  refuseOtherCommand(plan, 'apply');
  requireApproval(plan, session);
  const fresh = await planNow(session);
  if (fresh.errored) {
    throw new SyncError('plan-errored', 'The plan as it is now has errors: nothing was applied.');
  }
  const { signal, maxFailures } = options;
  return carryOut(decideChanges(fresh, plannedChanges(plan)), session, {
    ...(signal && { signal }),
    ...(maxFailures !== undefined && { maxFailures }),
  });
}

/** Tokens of an issuer, renewed before they end. Nothing is asked before the first one is needed. */
export function openTokenSource(settings: AuthSettings): TokenSource {
  return createTokenSource(settings);
}

function sessionOf(options: Options): Session {
  const { catalogUrl, environment, token, selection, base, allowHttp } = options;
  const { config: file, ...named } = locate(options);
  const flags = {
    catalogUrl,
    ...(file !== undefined && { config: file }),
    ...(environment !== undefined && { env: environment }),
  };
  return openSession(resolveConfig(flags, {}, named.folder), {
    ...named,
    token: typeof token === 'string' ? staticToken(token) : token,
    ...(selection && { selection }),
    ...(base !== undefined && { baseRevision: base }),
    ...(allowHttp !== undefined && { allowHttp }),
  });
}

function locate({ files = [], folder = process.cwd(), config }: ValidateOptions) {
  const root = findRoot(folder, config);
  return { folder: root, paths: pathsFromRoot(files, folder, root), config };
}
