import { createHash } from 'node:crypto';
import { posix, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getInput, info, setOutput, setSecret, summary } from '@actions/core';
import { createTokenSource, githubIdToken } from '../auth/source.ts';
import { completeEffects } from '../auth/token.ts';
import { findRoot, pathsFromRoot, refuseAboveOthers, refuseOutside } from '../config/file.ts';
import { resolveSettings } from '../config/settings.ts';
import { ConfigError, type Diagnostic } from '../core/diagnostic.ts';
import type { Redactor } from '../core/redact.ts';
import { isBelow } from '../disk.ts';
import { lookAt } from '../files/find/walk.ts';
import { openRepository } from '../files/git/repository.ts';
import { findRepository } from '../files/git/run-git.ts';
import { programFetch, useEnvironmentProxy } from '../http/fetch.ts';
import type { ConfiguredRules } from '../plan/rules.ts';
import { annotationLine, commandLine, logLines } from '../report/formats.ts';
import { type BaseRevision, openSession, type Session } from '../session.ts';
import { readWorkflowRun } from './event.ts';
import { openForge } from './forge.ts';
import { readInputs } from './inputs.ts';

export type Runner = Readonly<ReturnType<typeof systemRunner>>;

export function systemRunner() {
  const { env } = process;
  const fetch = programFetch(env);
  return {
    environment: env,
    /** Trimmed; empty where it is not given. */
    input: (name: string) => getInput(name),
    /** One line, in which the runner looks for commands. */
    print: info,
    /** A text of one line, which the log then shows as `***`. */
    mask: setSecret,
    setOutput: (name: string, value: string | number | boolean) => setOutput(name, value),
    addSummary: async (markdown: string) => {
      // The toolkit throws without a summary file, which a step can do without.
      if (env['GITHUB_STEP_SUMMARY']) await summary.addRaw(markdown, true).write();
    },
    /** GitHub's ID token for an audience; absent in a job without the permission for it. */
    idToken: githubIdToken(env, completeEffects({ fetch })),
    fetch,
    /** Sends requests by the environment's proxy; call it before the first one. */
    useProxy: () => useEnvironmentProxy(env),
    sleep: async (milliseconds: number) => sleep(milliseconds),
    interruption: () => {
      const controller = new AbortController();
      // A cancelled step gets SIGINT, 7.5 seconds later SIGTERM, and is killed after another 2.5. A
      // repeated signal must not end the process before the outcomes are reported.
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => controller.abort());
      return controller.signal;
    },
  };
}

export type Step = Readonly<ReturnType<typeof openStep>>;

/** Hides the step's secrets before anything is printed. */
export function openStep(runner: Runner, redactor: Redactor) {
  const given = readInputs(runner.input);
  const { auth, githubToken: token, workingDirectory } = given;
  const credentials = [auth.token?.value, auth.clientSecret?.value, auth.privateKey?.value];
  const ofRunner = [token, runner.environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN']];
  for (const secret of [...credentials, ...ofRunner])
    if (secret !== undefined) redactor.hide(secret);
  const ofIssuer = auth.clientSecret ?? auth.privateKey ?? runner.idToken;
  const run = readWorkflowRun(runner.environment);
  const isLook = given.driftIssue && !run.pullRequest && !run.queued;
  // An edit that the next apply overwrites is drift all the same.
  const inputs = isLook && given.command === 'plan' ? { ...given, drift: 'leave' as const } : given;
  const folder = resolve(run.workspace, workingDirectory);
  if (lookAt(folder) !== 'folder') {
    const message = `The folder ${JSON.stringify(workingDirectory)} of the input \`working-directory\` doesn't exist.`;
    const hint = 'Check the repository out before this step, or correct the input.';
    throw new ConfigError('no-folder', message, { hint });
  }
  const root = findRoot(folder, inputs.config);
  const checkout = checkoutOf(root, run.workspace);
  refuseAboveOthers(root, inputs.config);
  const log = createLog(runner, redactor);
  const { fetch, sleep } = runner;
  const github = token === undefined ? undefined : { ...run, fetch, sleep, token, log: log.text };
  return {
    runner,
    inputs,
    run,
    redactor,
    log,
    github,
    forge: openForge(github),
    /** Base of the paths in inputs. */
    folder,
    /** Base of the configuration's paths and of contract file names. */
    root,
    repository: openRepository(root),
    checkout,
    hasCredential:
      auth.token !== undefined || (auth.issuer !== undefined && ofIssuer !== undefined),
    /** `root` relative to the repository's root; empty for the root itself. */
    prefix: relative(run.workspace, root).split(sep).join('/'),
    paths: pathsFromRoot(inputs.paths, folder, root),
  };
}

// A workflow may keep its configuration elsewhere, where no pull request writes.
function checkoutOf(root: string, workspace: string): string | undefined {
  if (!isBelow(root, workspace)) return undefined;
  const checkout = findRepository(workspace) ?? findRepository(root) ?? workspace;
  refuseOutside(root, checkout);
  return checkout;
}

export function requireCatalog({ inputs, hasCredential }: Step): void {
  if (inputs.catalogUrl === undefined) {
    throw new ConfigError('no-catalog-url', 'The input `catalog-url` is not set.', {
      hint: "Write it like https://catalog.example.com/api. The Action doesn't read it from contract-sync.yaml.",
    });
  }
  if (!hasCredential)
    throw new ConfigError('no-token', 'No token for the catalog.', {
      hint: 'Set the input `token`, or `auth-issuer` and `auth-client-id` with a secret or the permission `id-token: write`.',
    });
}

type CatalogOptions = {
  readonly revision?: string | undefined;
  readonly laterBases?: readonly BaseRevision[];
  readonly rules?: ConfiguredRules | undefined;
  /** An earlier session of this step, which knows the kind of the catalog. */
  readonly earlier?: Session | undefined;
  readonly readPending?: Session['readPending'];
};

/** The catalog of the inputs: no file of the repository decides where a token is sent. */
export async function openCatalog(
  { runner, inputs, folder, root, repository, paths, redactor, log }: Step,
  { revision, laterBases = [], rules, readPending, earlier }: CatalogOptions,
): Promise<Session> {
  const { catalogUrl = '', config, environment: env, drift } = inputs;
  const catalogUrlOrigin = 'the input `catalog-url`';
  const flags = { catalogUrl, catalogUrlOrigin, config, env, drift };
  const resolved = resolveSettings(flags, {}, root);
  const settings = {
    ...resolved,
    // Other notices only say that an environment names another catalog than the input.
    notices: resolved.notices.filter(({ severity }) => severity === 'warning'),
    ...(rules && { rules: { ...rules, drift: drift ?? rules.drift } }),
  };
  const { fetch, idToken } = runner;
  const session = await openSession(settings, {
    folder: root,
    repository,
    givenIn: folder,
    paths,
    bases: [...(revision === undefined ? [] : [{ revision }]), ...laterBases],
    token: createTokenSource(inputs.auth, {
      redactor,
      tell: log.text,
      fetch,
      ...(idToken && { idToken }),
    }),
    fetch,
    onRetry: log.text,
    earlier,
  });
  return { ...session, readPending };
}

/** What a plan and its apply have to share, by the names of inputs. */
export function sharedInputs({ inputs, prefix, paths }: Step) {
  const { catalogUrl = '', config = '', environment = '' } = inputs;
  const place = (path: string) => withoutSlash(path === '' ? '' : posix.normalize(path));
  return {
    'catalog-url': withoutSlash(catalogUrl),
    environment,
    'working-directory': place(prefix),
    config: place(config),
    paths: paths.map(place).join(', '),
  };
}

function withoutSlash(text: string): string {
  return text.replace(/(?<!\/)\/+$/u, '');
}

export function commentKey(step: Step): string {
  const subject = JSON.stringify(sharedInputs(step));
  return createHash('sha256').update(subject).digest('hex').slice(0, 12);
}

export function runLink({ run }: Step): string {
  return `[run ${run.runId}](${run.page})`;
}

export function datedRunLink(step: Step): string {
  return `${runLink(step)}, ${step.run.startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}

export function targetName({ inputs }: Step): string {
  return inputs.label ?? inputs.environment ?? 'the catalog';
}

/**
 * A log whose text is never a command and shows no secret. The toolkit's `error` and `group` escape only
 * what would end a command: control and invisible characters would come through, and annotations of
 * any length.
 */
export function createLog({ print }: Runner, { redact }: Redactor) {
  const text = (lines: string) => {
    for (const line of logLines(redact(lines))) print(line);
  };
  return {
    text,
    group: (title: string, lines: string) => {
      print(commandLine({ name: 'group', message: title }));
      text(lines.trimEnd());
      print(commandLine({ name: 'endgroup' }));
    },
    annotate: (diagnostic: Diagnostic) => print(redact(annotationLine(diagnostic))),
  };
}
