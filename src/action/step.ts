import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { posix, relative, resolve, sep } from 'node:path';
import { createTokenSource } from '../auth/source.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import { findRoot, pathsFromRoot } from '../config/root.ts';
import { ConfigError } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { PlanSubject } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { type LaterBase, openSession, type Session } from '../session.ts';
import { readWorkflowRun, type WorkflowRun } from './event.ts';
import { createGitHub, type GitHub } from './github.ts';
import { hasCredential, type Inputs, readInputs } from './inputs.ts';
import { createLog, type Log, type Runner } from './runner.ts';

/** All that a command of the Action works with. */
export type Step = {
  readonly runner: Runner;
  readonly inputs: Inputs;
  readonly run: WorkflowRun;
  readonly log: Log;
  readonly redactor: Redactor;
  /** Absent without a token of GitHub. */
  readonly github?: GitHub;
  /** The folder that the inputs' paths are relative to. */
  readonly folder: string;
  /** What paths of the configuration and names of contract files are relative to. */
  readonly root: string;
  /** The same as seen from the repository's root; empty for the root itself. */
  readonly prefix: string;
  /** The input, as seen from there. */
  readonly paths: readonly string[];
};

/** Opens a step: every secret is hidden before anything else is said. */
export function openStep(runner: Runner, redactor: Redactor): Step {
  const inputs = readInputs(runner);
  for (const secret of secretsOf(inputs, runner)) redactor.hide(secret);
  const { githubToken } = inputs;
  const { fetch, sleep } = runner;
  const run = readWorkflowRun(runner);
  const folder = resolve(run.workspace, inputs.workingDirectory);
  checkFolder(folder, inputs);
  const root = findRoot(folder, inputs.config);
  const log = createLog(runner, redactor);
  return {
    runner,
    inputs,
    run,
    redactor,
    log,
    ...(githubToken !== undefined && {
      github: createGitHub({ ...run, fetch, sleep, token: githubToken, log: log.text }),
    }),
    folder,
    root,
    prefix: relative(run.workspace, root).split(sep).join('/'),
    paths: pathsFromRoot(inputs.paths, folder, root),
  };
}

function checkFolder(folder: string, { workingDirectory }: Inputs): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new ConfigError(
    'no-folder',
    `The folder ${JSON.stringify(workingDirectory)} of the input \`working-directory\` doesn't exist.`,
    { hint: 'Check the repository out before this step, or correct the input.' },
  );
}

/** All that the step is given in confidence. */
function secretsOf({ auth, githubToken }: Inputs, { environment }: Runner): string[] {
  const { token, clientSecret, privateKey } = auth;
  const given = [token, clientSecret, privateKey].map((secret) => secret?.value);
  return [...given, githubToken, environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN']].filter(
    (secret) => secret !== undefined,
  );
}

/** Refuses a step that has no catalog, or nothing to show to it. */
export function requireCatalog({ inputs, runner }: Step): void {
  if (inputs.catalogUrl === undefined) {
    throw new ConfigError('no-catalog-url', 'The input `catalog-url` is not set.', {
      hint: "Write it like https://catalog.example.com/api. The Action doesn't read it from contract-sync.yaml.",
    });
  }
  if (!hasCredential(inputs, runner)) {
    throw new ConfigError('no-token', 'No token for the catalog.');
  }
}

/** What the files are compared with, if anything. */
type CatalogBase = {
  readonly revision?: string;
  readonly laterBases?: readonly LaterBase[];
  /** Unless given, the configuration's. */
  readonly rules?: Rules;
};

/** Opens the catalog. Its URL and the issuer are the inputs'; a file of the repository has no say. */
export function openCatalog(
  step: Step,
  { revision, laterBases = [], rules }: CatalogBase,
): Session {
  const { runner, inputs, folder, root, paths, redactor, log } = step;
  const { drift, conflicts } = inputs;
  const judged = rules && {
    rules: { ...rules, ...(drift && { drift }), ...(conflicts && { conflicts }) },
  };
  return openSession(
    { ...resolveInputs(inputs, root), ...judged },
    {
      folder: root,
      givenIn: folder,
      paths,
      ...(revision !== undefined && { baseRevision: revision }),
      laterBases,
      token: createTokenSource(inputs.auth, {
        redactor,
        warn: log.annotate,
        tell: log.text,
        fetch: runner.fetch,
        ...(runner.idToken && { idToken: runner.idToken }),
      }),
      fetch: runner.fetch,
      onRetry: log.text,
    },
  );
}

function resolveInputs(inputs: Inputs, root: string): Settings {
  const { catalogUrl = '', config, environment, drift, conflicts } = inputs;
  const resolved = resolveSettings(
    {
      catalogUrl,
      catalogUrlOrigin: 'the input `catalog-url`',
      ...(config !== undefined && { config }),
      ...(environment !== undefined && { env: environment }),
      ...(drift && { drift }),
      ...(conflicts && { conflicts }),
    },
    {},
    root,
  );
  // A catalog beside the input's is asked for by an environment alone.
  const notices = resolved.notices.filter(({ severity }) => severity === 'warning');
  return { ...resolved, notices };
}

/** What the plans of a step are about. */
export function subjectOfStep({ inputs: { catalogUrl = '', environment } }: Step): PlanSubject {
  return { catalogUrl, ...(environment !== undefined && { environment }) };
}

/** What tells one comment of a pull request from another: for which catalog and files it speaks. */
export function commentKey(step: Step): string {
  return hashOf(step, step.paths);
}

/** The same, whatever paths there are. */
export function commentPlace(step: Step): string {
  return hashOf(step, []);
}

function hashOf({ inputs, prefix }: Step, paths: readonly string[]): string {
  const { catalogUrl = '', config = '', environment } = inputs;
  const places = [prefix, config, ...paths].map((path) =>
    path === '' ? '' : posix.normalize(path),
  );
  const subject = [catalogUrl, ...places].map((text) => text.replace(/(?<!\/)\/+$/u, ''));
  const keyed = environment === undefined ? subject : [...subject, { environment }];
  return createHash('sha256').update(JSON.stringify(keyed)).digest('hex').slice(0, 12);
}

/** Where people see the repository. */
export function repositoryPage({ run }: Pick<Step, 'run'>): string {
  return `${run.serverUrl}/${run.repository}`;
}

/** Where people see the run. */
export function runPage(step: Pick<Step, 'run'>): string {
  return `${repositoryPage(step)}/actions/runs/${step.run.runId}`;
}

/** A path of the folder as the repository knows it. */
export function fromRoot({ prefix }: Pick<Step, 'prefix'>, file: string): string {
  return posix.join(prefix, file);
}
