import { createTokenSource } from '../auth/source.ts';
import { pathsFromRoot, refuseAboveOthers } from '../config/file.ts';
import { isReason, reasonHint } from '../config/problems.ts';
import { misuse, resolveSettings, type Settings } from '../config/settings.ts';
import { ConfigError } from '../core/diagnostic.ts';
import { complainAboutPattern, didYouMean, quote } from '../core/text.ts';
import {
  changedSince,
  findDefaultBranch,
  openRepository,
  type Repository,
} from '../files/git/repository.ts';
import type { Override, Plan } from '../plan/plan.ts';
import { limitNames } from '../plan/limits.ts';
import type { Selection } from '../plan/selection.ts';
import { type BaseRevision, openSession, type Session } from '../session.ts';
import { authEffects, loginsOf, resolveAuth } from './access.ts';
import { type Flags } from './flags.ts';
import { reporter, showProgress, type Terminal } from './terminal.ts';

type SessionKind = {
  readonly hasDefaultBase?: boolean;
  /** What Ctrl-C leaves undone. */
  readonly interrupted: string;
  readonly ignoresFiles?: boolean;
  readonly repository?: Repository;
};

export async function startSession(
  paths: readonly string[],
  flags: Flags,
  terminal: Terminal,
  kind: SessionKind,
): Promise<Session> {
  return prepareSession(paths, flags, terminal, kind).open();
}

type PreparedSession = {
  readonly settings: Settings;
  /** With the base of the saved plan, unless the flags say which. */
  readonly open: (saved?: Plan) => Promise<Session>;
};

export function prepareSession(
  paths: readonly string[],
  flags: Flags,
  terminal: Terminal,
  { hasDefaultBase = false, interrupted, ignoresFiles, ...kind }: SessionKind,
): PreparedSession {
  const { environment, folder, root } = terminal;
  const { reason, allowLimit = [] } = flags;
  const log = reporter(terminal);
  const isDefaultBase = hasDefaultBase && flags.base === undefined;
  const repository = kind.repository ?? openRepository(root, environment);
  const upstream = hasDefaultBase ? findDefaultBranch(repository) : undefined;
  const base = isDefaultBase ? upstream : flags.base;
  const usual = typeof base === 'string' ? [{ revision: base, isDefault: isDefaultBase }] : [];
  if (flags.team !== undefined && paths.length > 0) {
    const hint = 'Leave out the paths, or narrow the team further with --only.';
    throw misuse('--team takes no paths: a team has its own.', hint);
  }
  if (flags.plan === undefined) refuseDrift(flags, usual);
  refuseAboveOthers(root, flags.config);
  const config = resolveSettings(flags, environment, root);
  // A rollback uses its reason for more than a limit.
  if (hasDefaultBase && reason !== undefined && allowLimit.length === 0)
    log('--reason lifts nothing here: it is for --allow-limit.');
  const auth = resolveAuth(flags, config, terminal);
  const store = auth.token ? undefined : loginsOf(terminal);
  const effects = authEffects(flags, terminal, { timeoutMs: config.timeoutMs, store });
  const options = {
    ignoresFiles,
    folder: root,
    givenIn: folder,
    paths: pathsFromRoot(paths, folder, root),
    token: createTokenSource(auth, effects),
    allowHttp: flags.allowHttp,
    fetch: terminal.fetch,
    repository,
    selection: resolveSelection(flags, terminal, repository),
    overrides: resolveOverrides(flags),
    onRetry: log,
    log: flags.verbose ? log : undefined,
  };
  const shown = { interrupted, quiet: flags.quiet };
  return {
    settings: config,
    open: async (saved) => {
      const bases = saved && isDefaultBase ? basesOf(saved, upstream) : usual;
      refuseDrift(flags, bases);
      return showProgress(shown, terminal, async () => openSession(config, { ...options, bases }));
    },
  };
}

// What a reviewer saw as left alone isn't sent, and what was shown as planned is.
function basesOf({ base, defaultBase }: Plan, upstream: string | undefined): BaseRevision[] {
  if (base === undefined) return [];
  const isDefault = defaultBase !== undefined && upstream !== undefined;
  return [isDefault ? { revision: upstream, isDefault } : { revision: base }];
}

// Without a base, the files overwrite edits anyway.
function refuseDrift({ drift }: Flags, bases: readonly BaseRevision[]): void {
  if (bases.length > 0 || drift === undefined || drift === 'overwrite') return;
  const hint = 'Name the git revision that the files are compared with: --base origin/main.';
  throw misuse(`--drift ${drift} needs --base.`, hint);
}

function resolveSelection(
  { only = [], exclude = [], changedSince: since }: Flags,
  { folder, root }: Terminal,
  repository: Repository,
): Selection {
  const checked = (flag: string, patterns: readonly string[]): string[] =>
    patterns.flatMap((pattern) => {
      refusePattern(flag, pattern);
      return pattern.includes('/') ? pathsFromRoot([pattern], folder, root) : [pattern];
    });
  return {
    only: checked('--only', only),
    exclude: checked('--exclude', exclude),
    ...(since !== undefined && {
      changed: { since, has: changedSince(since, repository) },
    }),
  };
}

function refusePattern(flag: string, pattern: string): void {
  if (pattern === '') {
    const hint = 'Check that the variable it comes from is set.';
    throw misuse(`${flag} takes a name or a pattern, not an empty text.`, hint);
  }
  const complaint = complainAboutPattern(pattern);
  if (complaint === undefined) return;
  const hint = `Use * and **, and give ${flag} several times for several patterns.`;
  throw misuse(`${flag} ${quote(pattern)} ${complaint}.`, hint);
}

function resolveOverrides({ allowLimit = [], reason = '' }: Flags): Override[] {
  const overrides = allowLimit.map((text): Override => {
    const limit = limitNames.find((name) => name === text);
    if (limit !== undefined) return { limit, reason };
    const message = `--allow-limit takes ${limitNames.join(' or ')}, not ${JSON.stringify(text)}.`;
    throw misuse(message, didYouMean(text, limitNames));
  });
  if (overrides.length > 0 && !isReason(reason)) {
    const hint = `Add --reason "…": it is kept in the plan and its outcomes. ${reasonHint}`;
    throw new ConfigError('reason-needed', '--allow-limit needs a reason.', { hint });
  }
  return overrides;
}
