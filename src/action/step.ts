import { createHash } from 'node:crypto';
import { posix, relative, resolve, sep } from 'node:path';
import { createTokenSource } from '../auth/source.ts';
import { resolveSettings } from '../config/settings.ts';
import { findRoot, pathsFromRoot, refuseAboveOthers, refuseOutside } from '../config/file.ts';
import { ConfigError } from '../core/diagnostic.ts';
import { quote } from '../core/text.ts';
import { isBelow } from '../disk.ts';
import { lookAt } from '../files/find/walk.ts';
import { findRepository } from '../files/git/run-git.ts';
import type { Redactor } from '../core/redact.ts';
import type { ConfiguredRules } from '../plan/rules.ts';
import { type BaseRevision, openSession, type Session } from '../session.ts';
import { readWorkflowRun } from './event.ts';
import { hasCredential, readInputs } from './inputs.ts';
import { createLog, type Runner } from './runner.ts';

export type Step = Readonly<ReturnType<typeof openStep>>;

/** Hides the step's secrets before anything is printed. */
export function openStep(runner: Runner, redactor: Redactor) {
  const given = readInputs(runner);
  const { auth, githubToken: token, workingDirectory } = given;
  const secrets = [auth.token, auth.clientSecret, auth.privateKey].map((each) => each?.value);
  for (const secret of [...secrets, token, runner.environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN']]) {
    if (secret !== undefined) redactor.hide(secret);
  }
  const run = readWorkflowRun(runner);
  const isLook = given.driftIssue && !run.pullRequest && !run.queued;
  // What the next apply overwrites was edited all the same.
  const inputs = isLook && given.command === 'plan' ? { ...given, drift: 'leave' as const } : given;
  const folder = resolve(run.workspace, workingDirectory);
  if (lookAt(folder) !== 'folder') {
    const slashed = workingDirectory.replaceAll('\\', '/');
    const isMeant = lookAt(resolve(run.workspace, slashed)) === 'folder';
    const otherwise = 'Check the repository out before this step, or correct the input.';
    const message = `The folder ${JSON.stringify(workingDirectory)} of the input \`working-directory\` doesn't exist.`;
    const hint = isMeant ? `Did you mean ${quote(slashed)}?` : otherwise;
    throw new ConfigError('no-folder', message, { hint });
  }
  const root = findRoot(folder, inputs.config);
  const checkout = checkoutOf(root, run.workspace);
  refuseAboveOthers(root, inputs.config);
  const log = createLog(runner, redactor);
  const { fetch, sleep } = runner;
  return {
    runner,
    inputs,
    run,
    redactor,
    log,
    github: token === undefined ? undefined : { ...run, fetch, sleep, token, log: log.text },
    /** Base of the paths in inputs. */
    folder,
    /** Base of the configuration's paths and of contract file names. */
    root,
    checkout,
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

export function requireCatalog({ inputs, runner }: Step): void {
  if (inputs.catalogUrl === undefined) {
    throw new ConfigError('no-catalog-url', 'The input `catalog-url` is not set.', {
      hint: "Write it like https://catalog.example.com/api. The Action doesn't read it from contract-sync.yaml.",
    });
  }
  if (!hasCredential(inputs, runner))
    throw new ConfigError('no-token', 'No token for the catalog.', {
      hint: 'Set the input `token`, or `auth-issuer` and `auth-client-id` with a secret or the permission `id-token: write`.',
    });
}

type CatalogBase = {
  readonly revision?: string | undefined;
  readonly laterBases?: readonly BaseRevision[];
  readonly rules?: ConfiguredRules | undefined;
  /** Of this step: the catalog isn't asked again what kind it is. */
  readonly earlier?: Session | undefined;
  readonly readPending?: Session['readPending'];
};

/** The catalog of the inputs: no file of the repository decides where a token is sent. */
export async function openCatalog(
  { runner, inputs, folder, root, paths, redactor, log }: Step,
  { revision, laterBases = [], rules, readPending, earlier }: CatalogBase,
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
    givenIn: folder,
    paths,
    bases: [...(revision === undefined ? [] : [{ revision }]), ...laterBases],
    token: createTokenSource(inputs.auth, {
      redactor,
      warn: log.annotate,
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

export function fromRoot({ prefix }: Pick<Step, 'prefix'>, file: string): string {
  return posix.join(prefix, file);
}
