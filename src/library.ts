/** contract-sync for programs: the command line's functions and defaults, without a terminal. */

import type { Outcomes } from './apply/outcome.ts';
import { type AuthSettings, staticToken, type TokenSource } from './auth/token.ts';
import { createTokenSource } from './auth/source.ts';
import { carryOut } from './commands/apply.ts';
import { planNow } from './commands/plan.ts';
import { refuseOtherCommand, requireApproval } from './commands/review.ts';
import { validateFiles } from './commands/validate.ts';
import { resolveSettings } from './config/settings.ts';
import { findRoot, pathsFromRoot, refuseAboveOthers } from './config/file.ts';
import { ConfigError, SyncError } from './core/diagnostic.ts';
import type { JsonValue } from './core/json.ts';
import type { Validation } from './files/files.ts';
import { lookAt } from './files/find/walk.ts';
import type { Edit } from './patch/diff.ts';
import { evaluate, type Operation } from './patch/evaluate.ts';
import type { Plan } from './plan/plan.ts';
import type { Selection } from './plan/selection.ts';
import { decideChanges, reviewedIn } from './review/compare.ts';
import { findLanded } from './review/landed.ts';
import { openSession, type Session } from './session.ts';

/** The files, and their configuration. */
export type ValidateOptions = {
  /** Files, folders and globs; defaults to what the configuration includes. */
  readonly files?: readonly string[];
  /** Base of relative paths; defaults to the working directory. */
  readonly folder?: string;
  /** Defaults to the `contract-sync.yaml` of the folder or the nearest one above, if any. */
  readonly config?: string;
  /** One of the configuration's `environments`; none by default. */
  readonly environment?: string;
};

export type Options = ValidateOptions & {
  /** The base of its API, which usually ends in `/api`. */
  readonly catalogUrl: string;
  /** A bearer token, or a source of them. */
  readonly token: string | TokenSource;
  readonly selection?: Selection;
  /** The git revision that tells edits of the catalog from changes of the files. */
  readonly base?: string;
  /** Allows http to other machines too. */
  readonly allowHttp?: boolean;
  /** Sends requests; defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Aborting rejects a plan with the signal's reason, also the one that an apply begins with.
   * Later, an apply starts no further change, finishes those under way, and returns every outcome.
   */
  readonly signal?: AbortSignal;
};

export type ApplyOptions = Options & {
  /** Failures in a row after which an apply stops; defaults to 10. */
  readonly maxFailures?: number;
};

/** Checks files without a catalog. Throws a {@link ConfigError} for an unusable configuration. */
export async function validate(options: ValidateOptions = {}): Promise<Validation> {
  const { config, ...named } = locate(options);
  const { environment: env } = options;
  return validateFiles(named, { config, env, environment: {} });
}

/**
 * The plan that brings the catalog to the files; sends only GET requests. Errors in a file are part
 * of the plan; errors that end the run are thrown as {@link SyncError}.
 */
export async function syncFiles(options: Options): Promise<Plan> {
  options.signal?.throwIfAborted();
  return planNow(await openOwn(options, { signal: options.signal }));
}

/**
 * Plans anew, and sends the changes that `plan` has too, each guarded and verified. A change that
 * fails, or that `plan` lacks, is an outcome and stops no other. Throws a {@link SyncError}, and
 * sends nothing, where either plan has errors or `plan` is for another catalog.
 */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<Outcomes> {
  const { signal, maxFailures } = options;
  signal?.throwIfAborted();
  const planning = await openOwn(options, { signal });
  refuseOtherCommand(plan, 'apply');
  requireApproval(plan, planning);
  const fresh = await planNow(planning);
  if (fresh.errored) {
    throw new SyncError('plan-errored', 'The plan as it is now has errors: nothing was applied.');
  }
  const changes = reviewedIn(plan, fresh);
  const landings = await findLanded(fresh, changes, planning);
  const decision = decideChanges(fresh, changes, landings);
  // Requests under way when the signal aborts go on to their end.
  const sending = await openOwn(options, { earlier: planning });
  return carryOut(decision, sending, { signal, maxFailures });
}

/**
 * The document after a patch or the edits of `diff`. Throws a PatchError if the patch does not
 * apply.
 */
export function evaluatePatch(
  document: JsonValue,
  patch: readonly (Operation | Edit)[],
): JsonValue {
  return evaluate(
    document,
    patch.map((each) => ('op' in each ? each : each.operation)),
  );
}

/**
 * Tokens of an issuer, renewed before they expire. Sends no request before the first token is
 * needed.
 */
export function openTokenSource(settings: AuthSettings): TokenSource {
  return createTokenSource(settings);
}

async function openOwn(
  options: Options,
  { signal, earlier }: { readonly signal?: AbortSignal | undefined; readonly earlier?: Session },
): Promise<Session> {
  const { catalogUrl, environment, token, selection, base, allowHttp, fetch } = options;
  const { config, ...named } = locate(options);
  const catalogUrlOrigin = 'the option `catalogUrl`';
  const flags = { catalogUrl, catalogUrlOrigin, config, env: environment };
  return openSession(resolveSettings(flags, {}, named.folder), {
    ...named,
    token: typeof token === 'string' ? staticToken(token) : token,
    selection,
    bases: base === undefined ? [] : [{ revision: base }],
    allowHttp,
    fetch,
    signal,
    earlier,
  });
}

function locate({ files = [], folder = process.cwd(), config }: ValidateOptions) {
  if (lookAt(folder) !== 'folder')
    throw new ConfigError('no-folder', `There is no folder ${JSON.stringify(folder)}.`, {
      hint: 'Correct the option `folder`.',
    });
  const root = findRoot(folder, config);
  refuseAboveOthers(root, config);
  return { folder: root, givenIn: folder, paths: pathsFromRoot(files, folder, root), config };
}
