import { createTokenSource } from '../auth/source.ts';
import { resolveSettings } from '../config/settings.ts';
import { pathsFromRoot } from '../config/root.ts';
import { isReason, reasonHint } from '../config/rules.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import { type NameRule, patternInCatalog } from '../contract/names.ts';
import { count, didYouMean, quote, sanitizeLine } from '../core/text.ts';
import { complainAboutPattern } from '../core/wildcard.ts';
import { countBehind, findDefaultBranch } from '../files/find/commit.ts';
import { changedSince, isAmongChanged } from '../files/find/git.ts';
import { limitNames } from '../plan/limits.ts';
import type { LimitName, Override } from '../plan/plan.ts';
import type { Selection } from '../plan/selection.ts';
import { openSession, type Session } from '../session.ts';
import { authEffects, resolveAuth, tokenNotices } from './auth.ts';
import type { Flags } from './flags.ts';
import { reporter, type Terminal } from './terminal.ts';

/** The session that the flags, the environment and the configuration file ask for. */
export function startSession(
  paths: readonly string[],
  flags: Flags,
  terminal: Terminal,
  { hasDefaultBase = false } = {},
): Session {
  const { environment, root } = terminal;
  const log = reporter(terminal);
  const isDefaultBase = hasDefaultBase && flags.base === undefined;
  const upstream = hasDefaultBase ? findDefaultBranch(root) : undefined;
  const base = isDefaultBase ? upstream : flags.base;
  refuseWithoutBase({ ...flags, base });
  const config = resolveSettings(flags, environment, root);
  const behind = noticeBehind(upstream, root);
  // A rollback takes a reason for more than a limit.
  const idle = hasDefaultBase ? idleReason(flags) : [];
  for (const line of [...behind.map(({ message }) => message), ...idle]) log(line);
  const auth = resolveAuth(flags, config, terminal);
  const effects = authEffects(flags, terminal, { timeoutMs: config.timeoutMs });
  return openSession(config, {
    folder: root,
    givenIn: terminal.folder,
    paths: pathsFromRoot(paths, terminal.folder, root),
    token: createTokenSource(auth, effects),
    allowHttp: flags.allowHttp,
    fetch: terminal.fetch,
    notices: [...tokenNotices(auth, flags, terminal), ...behind],
    variables: environment,
    allowEmpty: flags.allowEmpty,
    create: flags.create,
    selection: resolveSelection(flags, config.rules.names, terminal),
    overrides: resolveOverrides(flags),
    bases: typeof base === 'string' ? [{ revision: base, isDefault: isDefaultBase }] : [],
    blame: flags.blame,
    onRetry: log,
    log: flags.verbose ? log : undefined,
  });
}

function idleReason({ reason, allowLimit = [] }: Flags): string[] {
  return reason === undefined || allowLimit.length > 0
    ? []
    : ['--reason lifts nothing here: it is for --allow-limit.'];
}

function noticeBehind(upstream: string | undefined, root: string): Diagnostic[] {
  const commits = upstream === undefined ? 0 : countBehind(upstream, root);
  if (upstream === undefined || commits === 0) return [];
  const message = `${sanitizeLine(upstream)} is ${count(commits, 'commit', 'commits')} ahead of this checkout.`;
  return [{ code: 'checkout-behind', severity: 'information', message }];
}

/** Without a base nothing tells drift from a change of a file. */
function refuseWithoutBase({ base, drift, conflicts }: Flags): void {
  if (typeof base === 'string' || (drift ?? conflicts) === undefined) return;
  const flag = drift === undefined ? '--conflicts' : '--drift';
  throw new ConfigError('invalid-flag', `${flag} needs --base.`, {
    hint: 'Name the git revision that the files are compared with: --base origin/main.',
  });
}

function resolveSelection(
  { only = [], exclude = [], changedSince: since }: Flags,
  names: readonly NameRule[],
  { folder, root }: Terminal,
): Selection {
  for (const pattern of only) refusePattern('--only', pattern);
  for (const pattern of exclude) refusePattern('--exclude', pattern);
  const fromRoot = (pattern: string) =>
    pattern.includes('/')
      ? pathsFromRoot([pattern], folder, root)
      : [patternInCatalog(pattern, names)];
  return {
    only: only.flatMap(fromRoot),
    exclude: exclude.flatMap(fromRoot),
    ...(since !== undefined && {
      changed: { since, has: isAmongChanged(changedSince(since, root), root) },
    }),
  };
}

function refusePattern(flag: string, pattern: string): void {
  if (pattern === '') {
    throw new ConfigError('invalid-flag', `${flag} takes a name or a pattern, not an empty text.`, {
      hint: 'Check that the variable it comes from is set.',
    });
  }
  const complaint = complainAboutPattern(pattern);
  if (complaint === undefined) return;
  throw new ConfigError('invalid-flag', `${flag} ${quote(pattern)} ${complaint}.`, {
    hint: `Use * and **, and give ${flag} several times for several patterns.`,
  });
}

function resolveOverrides({ allowLimit = [], reason = '' }: Flags): Override[] {
  const limits = allowLimit.map(limitName);
  if (limits.length > 0 && !isReason(reason)) {
    throw new ConfigError('reason-needed', '--allow-limit needs a reason.', {
      hint: `Add --reason "…": it is kept in the plan and its outcomes. ${reasonHint}`,
    });
  }
  return limits.map((limit) => ({ limit, reason }));
}

function limitName(text: string): LimitName {
  const name = limitNames.find((limit) => limit === text);
  if (name !== undefined) return name;
  throw new ConfigError(
    'invalid-flag',
    `--allow-limit takes ${limitNames.join(' or ')}, not ${JSON.stringify(text)}.`,
    { hint: didYouMean(text, limitNames) },
  );
}
