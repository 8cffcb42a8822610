import type { AuthSettings, Secret } from '../auth/settings.ts';
import { createTokenSource, githubIdToken } from '../auth/source.ts';
import { openTokenStore, readSecretFile, tokensFile, type TokenStore } from '../auth/store.ts';
import { type AuthEffects, completeEffects } from '../auth/token.ts';
import { pathsFromRoot, refuseAboveOthers } from '../config/file.ts';
import { isReason, reasonHint } from '../config/rules.ts';
import {
  resolveSettings,
  type FileSettings,
  type Settings,
  variableName,
} from '../config/settings.ts';
import { ConfigError, type Diagnostic } from '../core/diagnostic.ts';
import { complainAboutPattern, count, didYouMean, quote, sanitizeLine } from '../core/text.ts';
import { countBehind, findDefaultBranch } from '../files/git/commit.ts';
import { changedSince, isAmongChanged } from '../files/git/changes.ts';
import { UnfitFileError } from '../disk.ts';
import { withoutSecrets } from '../http/address.ts';
import { useEnvironmentProxy } from '../http/fetch.ts';
import { limitNames } from '../plan/seal.ts';
import type { Override } from '../plan/plan.ts';
import type { Selection } from '../plan/selection.ts';
import { openSession, type Session } from '../session.ts';
import type { Flags } from './flags.ts';
import { reporter, showProgress, type Terminal, reportDiagnostics } from './terminal.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export async function startSession(
  paths: readonly string[],
  flags: Flags,
  terminal: Terminal,
  options: SessionKind,
): Promise<Session> {
  return prepareSession(paths, flags, terminal, options).open();
}

type SessionKind = {
  readonly hasDefaultBase?: boolean;
  /** What Ctrl-C leaves undone. */
  readonly interrupted: string;
  readonly ignoresFiles?: boolean;
};

export function prepareSession(
  paths: readonly string[],
  flags: Flags,
  terminal: Terminal,
  { hasDefaultBase = false, interrupted, ignoresFiles }: SessionKind,
): { readonly settings: Settings; readonly open: () => Promise<Session> } {
  const { environment, root } = terminal;
  const log = reporter(terminal);
  const isDefaultBase = hasDefaultBase && flags.base === undefined;
  const upstream = hasDefaultBase ? findDefaultBranch(root) : undefined;
  const base = isDefaultBase ? upstream : flags.base;
  refuseMisused({ ...flags, base }, paths);
  refuseAboveOthers(root, flags.config);
  const config = resolveSettings(flags, environment, root);
  const behind = noticeBehind(upstream, root);
  // A rollback uses its reason for more than a limit.
  const idle = hasDefaultBase ? idleReason(flags) : [];
  for (const line of [...behind.map(({ message }) => message), ...idle]) log(line);
  const auth = resolveAuth(flags, config, terminal);
  const store = auth.token ? undefined : loginsOf(terminal);
  const effects = authEffects(flags, terminal, { timeoutMs: config.timeoutMs, store });
  const options = {
    ignoresFiles,
    folder: root,
    givenIn: terminal.folder,
    paths: pathsFromRoot(paths, terminal.folder, root),
    token: createTokenSource(auth, effects),
    allowHttp: flags.allowHttp,
    fetch: terminal.fetch,
    notices: [...tokenNotices(auth, flags, terminal), ...behind],
    variables: environment,
    selection: resolveSelection(flags, terminal),
    overrides: resolveOverrides(flags),
    bases: typeof base === 'string' ? [{ revision: base, isDefault: isDefaultBase }] : [],
    onRetry: log,
    log: flags.verbose ? log : undefined,
  };
  const shown = { interrupted, quiet: flags.quiet };
  return {
    settings: config,
    open: async () => showProgress(shown, terminal, async () => openSession(config, options)),
  };
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
  return [{ code: 'checkout-behind', severity: 'information', scope: 'run', message }];
}

function refuseMisused({ base, drift, team }: Flags, paths: readonly string[]): void {
  if (team !== undefined && paths.length > 0) {
    const hint = 'Leave out the paths, or narrow the team further with --only.';
    throw new ConfigError('invalid-command-line', '--team takes no paths: a team has its own.', {
      hint,
    });
  }
  if (typeof base === 'string' || drift === undefined) return;
  const hint = 'Name the git revision that the files are compared with: --base origin/main.';
  throw new ConfigError('invalid-command-line', '--drift needs --base.', { hint });
}

function resolveSelection(
  { only = [], exclude = [], changedSince: since }: Flags,
  { folder, root }: Terminal,
): Selection {
  for (const pattern of only) refusePattern('--only', pattern);
  for (const pattern of exclude) refusePattern('--exclude', pattern);
  const fromRoot = (pattern: string) =>
    pattern.includes('/') ? pathsFromRoot([pattern], folder, root) : [pattern];
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
    throw new ConfigError(
      'invalid-command-line',
      `${flag} takes a name or a pattern, not an empty text.`,
      {
        hint: 'Check that the variable it comes from is set.',
      },
    );
  }
  const complaint = complainAboutPattern(pattern);
  if (complaint === undefined) return;
  const hint = `Use * and **, and give ${flag} several times for several patterns.`;
  throw new ConfigError('invalid-command-line', `${flag} ${quote(pattern)} ${complaint}.`, {
    hint,
  });
}

function resolveOverrides({ allowLimit = [], reason = '' }: Flags): Override[] {
  const overrides = allowLimit.map((text): Override => {
    const limit = limitNames.find((name) => name === text);
    if (limit !== undefined) return { limit, reason };
    const message = `--allow-limit takes ${limitNames.join(' or ')}, not ${JSON.stringify(text)}.`;
    throw new ConfigError('invalid-command-line', message, { hint: didYouMean(text, limitNames) });
  });
  if (overrides.length > 0 && !isReason(reason)) {
    const hint = `Add --reason "…": it is kept in the plan and its outcomes. ${reasonHint}`;
    throw new ConfigError('reason-needed', '--allow-limit needs a reason.', { hint });
  }
  return overrides;
}

export function resolveAuth(
  flags: Flags,
  { auth, environment: chosen }: Pick<FileSettings, 'auth' | 'environment'>,
  { environment, redactor, folder }: Terminal,
): AuthSettings {
  // That of the environment first. Secret stores give an empty text where there is no secret.
  const suffix = variableName('', chosen?.name);
  const setOf = (name: string): string =>
    [`${name}${suffix}`, name].find((each) => environment[each]) ?? '';
  const variable = (name: string): string | undefined => environment[setOf(name)];
  const secretFrom = (name: string, file?: string): Secret | undefined => {
    const value = file === undefined ? variable(name) : readSecret(file, folder);
    if (value === undefined) return undefined;
    redactor.hide(value);
    return { value, origin: file ?? setOf(name) };
  };
  const issuer = variable('CONTRACT_SYNC_ISSUER');
  return {
    ...auth,
    issuer: issuer === undefined ? auth.issuer : withoutSecrets(issuer),
    clientId: variable('CONTRACT_SYNC_CLIENT_ID') ?? auth.clientId,
    token: secretFrom('CONTRACT_SYNC_TOKEN', flags.tokenFile),
    clientSecret: secretFrom('CONTRACT_SYNC_CLIENT_SECRET'),
    privateKey: secretFrom('CONTRACT_SYNC_PRIVATE_KEY'),
  };
}

export function tokenNotices(
  { token, issuer }: AuthSettings,
  { tokenFile }: Flags,
  { environment }: Terminal,
): Diagnostic[] {
  if (!token) return [];
  const inVariable = environment['CONTRACT_SYNC_TOKEN'];
  const isBeaten = tokenFile !== undefined && inVariable && inVariable !== token.value;
  return [
    ...(isBeaten ? ['CONTRACT_SYNC_TOKEN'] : []),
    ...(issuer === undefined ? [] : [`the issuer ${issuer}`]),
  ].map((other) => ({
    code: 'token-overridden',
    severity: 'information',
    message: `The token comes from ${token.origin}, not from ${other}.`,
    hint: `To use the other, remove ${token.origin}.`,
  }));
}

/** Every command that uses the network calls this, so it also sets the environment's proxy. */
export function authEffects(
  { verbose }: Flags,
  terminal: Terminal,
  given: Partial<AuthEffects> = {},
): AuthEffects {
  const { redactor, report, environment } = terminal;
  useEnvironmentProxy(environment);
  const effects = completeEffects({
    fetch: terminal.fetch,
    redactor,
    warn: (diagnostic) => reportDiagnostics([diagnostic], terminal),
    tell: reporter(terminal),
    ...(verbose && { log: (line: string) => report(`${sanitizeLine(line)}\n`) }),
    ...given,
  });
  return { ...effects, idToken: githubIdToken(environment, effects) };
}

export function loginsOf({ environment }: Terminal): TokenStore {
  return openTokenStore(tokensFile(environment));
}

export function readSecret(name: string, folder: string): string {
  const file = resolve(folder, name);
  try {
    return readSecretFile(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (existsSync(file)) {
      const reason = error instanceof UnfitFileError ? ` ${error.message}` : '';
      throw new ConfigError('unreadable-file', `Can't read the file ${file}.${reason}`, {
        hint: 'Check the path given with --token-file and its permissions.',
        cause: error,
      });
    }
    // Neither the name nor the cause, which quotes it, is shown: it may be the secret itself.
    throw new ConfigError('unreadable-file', "The file given with --token-file doesn't exist.", {
      hint: 'Correct the path. If it was the secret itself, replace the secret: others can read flags.',
    });
  }
}
