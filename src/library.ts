/** contract-sync for programs: what the command line does, with its defaults, and no terminal. */

import { statSync } from 'node:fs';
import type { Outcomes } from './apply/outcome.ts';
import type { AuthSettings } from './auth/choose.ts';
import { createTokenSource } from './auth/source.ts';
import { staticToken, type TokenSource } from './auth/token.ts';
import { carryOut } from './commands/apply.ts';
import { planNow } from './commands/plan.ts';
import { refuseOtherCommand, requireApproval } from './commands/saved.ts';
import { validateFiles } from './commands/validate.ts';
import { resolveSettings } from './config/settings.ts';
import { findRoot, pathsFromRoot } from './config/root.ts';
import { ConfigError, SyncError } from './core/errors.ts';
import type { JsonValue } from './core/json.ts';
import type { Validation } from './files/files.ts';
import { inOwnWords, reworded, words } from './library/words.ts';
import type { Edit } from './patch/diff.ts';
import { evaluate } from './patch/evaluate.ts';
import type { Operation } from './patch/operation.ts';
import type { Plan } from './plan/plan.ts';
import { openPlan } from './review/open-plan.ts';
import type { Selection } from './plan/selection.ts';
import { decideChanges } from './review/decide.ts';
import { findLanded } from './review/landed.ts';
import { reviewedChanges } from './review/compare.ts';
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
  /** How requests are sent; the global `fetch` unless given. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Once it is aborted a plan is rejected with its reason, also the one that an apply begins with. Then an
   * apply starts no further change, finishes those under way, and says what became of each.
   */
  readonly signal?: AbortSignal;
};

/** How an apply ends early. */
export type ApplyOptions = Options & {
  /** The failures in a row after which it stops; 10 unless given. */
  readonly maxFailures?: number;
};

/** Checks files without a catalog. A configuration that can't be used is a {@link ConfigError}. */
export async function validate(options: ValidateOptions = {}): Promise<Validation> {
  return inOwnWords(async () => {
    const { config, ...named } = locate(options);
    const { environment: env } = options;
    const found = await validateFiles(named, { config, env, environment: {} });
    return { ...found, diagnostics: found.diagnostics.map(words.problem) };
  });
}

/**
 * The plan that brings the catalog to the files; sends nothing but GET requests. What is wrong with a
 * file stands in the plan; what ends the run is thrown, a {@link SyncError}.
 */
export async function syncFiles(options: Options): Promise<Plan> {
  options.signal?.throwIfAborted();
  return inOwnWords(async () => words.plan(await planNow(sessionOf(options, options.signal))));
}

/**
 * Plans anew, and sends the changes that this plan has too, each guarded and verified: what became of
 * each. A change that fails, or that this plan has not, is an outcome, and holds back no other. Where
 * either plan has errors, or this one is of another catalog, nothing is sent and a {@link SyncError}
 * is thrown.
 */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<Outcomes> {
  const { signal, maxFailures } = options;
  signal?.throwIfAborted();
  return inOwnWords(async () => {
    const planning = sessionOf(options, signal);
    refuseOtherCommand(plan, 'apply');
    requireApproval(plan, planning);
    const fresh = await planNow(planning);
    if (fresh.errored) {
      throw new SyncError('plan-errored', 'The plan as it is now has errors: nothing was applied.');
    }
    const changes = reviewedChanges(plan);
    const landings = await findLanded(fresh, changes, planning);
    const decision = decideChanges(fresh, changes, landings);
    const outcomes = await carryOut(decision, sessionOf(options), {
      ...(signal && { signal }),
      ...(maxFailures !== undefined && { maxFailures }),
    });
    return words.outcomes(outcomes);
  });
}

/** The document after a patch, or after the edits of `diff`; a patch that does not apply is a PatchError. */
export function evaluatePatch(
  document: JsonValue,
  patch: readonly (Operation | Edit)[],
): JsonValue {
  return evaluate(
    document,
    patch.map((each) => ('op' in each ? each : each.operation)),
  );
}

/** Tokens of an issuer, renewed before they end. Nothing is asked before the first one is needed. */
export function openTokenSource(settings: AuthSettings): TokenSource {
  try {
    const source = createTokenSource(settings);
    return async (rejected) => inOwnWords(() => source(rejected));
  } catch (error) {
    throw reworded(error);
  }
}

/** The plan in a text that `renderPlanJson` made, exactly as it was made; `name` is what errors call it. */
export function openPlanText(text: string, name = 'The text'): Plan {
  try {
    return openPlan(text, name);
  } catch (error) {
    throw reworded(error);
  }
}

/** `signal` gives up the requests that read. */
function sessionOf(options: Options, signal?: AbortSignal): Session {
  const { catalogUrl, environment, token, selection, base, allowHttp, fetch } = options;
  const { config: file, ...named } = locate(options);
  const flags = {
    catalogUrl,
    ...(file !== undefined && { config: file }),
    ...(environment !== undefined && { env: environment }),
  };
  return openSession(resolveSettings(flags, {}, named.folder), {
    ...named,
    token: typeof token === 'string' ? staticToken(token) : token,
    ...(selection && { selection }),
    bases: base === undefined ? [] : [{ revision: base }],
    ...(allowHttp !== undefined && { allowHttp }),
    ...(fetch && { fetch }),
    ...(signal && { signal }),
  });
}

function locate({ files = [], folder = process.cwd(), config }: ValidateOptions) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError('no-folder', `There is no folder ${JSON.stringify(folder)}.`, {
      hint: 'Correct the option `folder`.',
    });
  const root = findRoot(folder, config);
  return { folder: root, givenIn: folder, paths: pathsFromRoot(files, folder, root), config };
}
