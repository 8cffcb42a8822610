import { resolveSettings, type GivenSettings } from '../config/settings.ts';
import { pathsFromRoot } from '../config/root.ts';
import { isReason, reasonHint } from '../config/rules.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { ConfigError } from '../core/errors.ts';
import { type NameRule, patternInCatalog } from '../contract/rename.ts';
import { count, didYouMean, quote, sanitizeLine } from '../core/text.ts';
import { complainAboutPattern } from '../core/wildcard.ts';
import { countBehind, findDefaultBranch } from '../files/find/commit.ts';
import { changedSince, isAmongChanged } from '../files/find/git.ts';
import { limitNames } from '../plan/limits.ts';
import type { LimitName, Override } from '../plan/plan.ts';
import { openSession, type Session, type SessionOptions } from '../session.ts';
import { type AuthFlags, openToken, tokenNotices } from './auth.ts';
import { reporter, type Terminal } from './terminal.ts';

/** The flags of every command that talks to a catalog. */
export type ConnectionFlags = GivenSettings & AuthFlags & { readonly allowHttp: boolean };

/** The flags that make one plan smaller, or let it do more than is usual. */
type PolicyFlags = {
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly changedSince?: string;
  /** `false`: none, whatever the clone says. */
  readonly base?: string | false;
  readonly allowLimit?: readonly string[];
  readonly reason?: string;
  readonly allowEmpty?: boolean;
  readonly create?: boolean;
  readonly blame?: boolean;
};

export type SessionFlags = ConnectionFlags & PolicyFlags;

/** The session that the flags, the environment and the configuration file ask for. */
export function startSession(
  paths: readonly string[],
  flags: SessionFlags,
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
  const { timeoutMs } = config;
  const { names } = config.rules;
  return openSession(config, {
    folder: root,
    givenIn: terminal.folder,
    paths: pathsFromRoot(paths, terminal.folder, root),
    token: openToken(flags, config, terminal, { timeoutMs }).source,
    allowHttp: flags.allowHttp,
    fetch: terminal.fetch,
    notices: [...tokenNotices(flags, config, terminal), ...behind],
    variables: environment,
    ...resolvePolicy(flags, names, terminal),
    ...(typeof base === 'string' && { baseRevision: base, isDefaultBase }),
    ...(flags.blame !== undefined && { blame: flags.blame }),
    onRetry: log,
    ...(flags.verbose && { log }),
  });
}

function idleReason({ reason, allowLimit = [] }: SessionFlags): string[] {
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
function refuseWithoutBase({
  base,
  drift,
  conflicts,
}: Pick<SessionFlags, 'drift' | 'conflicts'> & {
  readonly base: string | false | undefined;
}): void {
  const [flag] = Object.entries({ '--drift': drift, '--conflicts': conflicts })
    .filter(([, given]) => given !== undefined)
    .map(([name]) => name);
  if (typeof base === 'string' || flag === undefined) return;
  throw new ConfigError('invalid-flag', `${flag} needs --base.`, {
    hint: 'Name the git revision that the files are compared with: --base origin/main.',
  });
}

function resolvePolicy(
  flags: PolicyFlags,
  names: readonly NameRule[],
  { folder, root }: Terminal,
): Pick<SessionOptions, 'selection' | 'overrides' | 'allowEmpty' | 'create'> {
  const {
    only = [],
    exclude = [],
    changedSince: since,
    allowEmpty = false,
    create = false,
  } = flags;
  for (const pattern of only) refusePattern('--only', pattern);
  for (const pattern of exclude) refusePattern('--exclude', pattern);
  const fromRoot = (pattern: string) =>
    pattern.includes('/')
      ? pathsFromRoot([pattern], folder, root)
      : [patternInCatalog(pattern, names)];
  return {
    allowEmpty,
    create,
    selection: {
      only: only.flatMap(fromRoot),
      exclude: exclude.flatMap(fromRoot),
      ...(since !== undefined && {
        changed: { since, has: isAmongChanged(changedSince(since, root), root) },
      }),
    },
    overrides: resolveOverrides(flags),
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

function resolveOverrides({ allowLimit = [], reason = '' }: PolicyFlags): Override[] {
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
