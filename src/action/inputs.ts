import { type AuthSettings, issuerMethods, type Secret } from '../auth/settings.ts';
import { ConfigError } from '../core/errors.ts';
import { withoutSecrets } from '../http/address.ts';
import type { ConflictRule, DriftRule } from '../plan/rules.ts';
import type { Runner } from './runner.ts';

/** Checked, since the runner passes any text, and nothing for a required input. */
export type Inputs = {
  readonly command: (typeof commands)[number];
  /** Never read from a file: a pull request must not choose where a token is sent. */
  readonly catalogUrl: string | undefined;
  readonly label: string | undefined;
  readonly auth: AuthSettings;
  readonly config: string | undefined;
  readonly environment: string | undefined;
  readonly base: string | undefined;
  readonly drift: DriftRule | undefined;
  readonly conflicts: ConflictRule | undefined;
  /** Undefined: `base` where the base is known. */
  readonly policy: (typeof policies)[number] | undefined;
  readonly paths: readonly string[];
  readonly githubToken: string | undefined;
  readonly comment: (typeof commentModes)[number];
  /** A plan hash, or `approved`: the hash in the pull request's comment. */
  readonly expectHash: string | undefined;
  readonly autoApprove: boolean;
  readonly allowForks: boolean;
  readonly driftIssue: boolean;
  readonly planFile: string | undefined;
  readonly workingDirectory: string;
  readonly failOn: (typeof failures)[number];
};

const commands = ['plan', 'apply', 'validate'] as const;
const commentModes = ['update', 'recreate', 'off'] as const;
const failures = ['errors', 'warnings', 'changes'] as const;
const policies = ['head', 'base'] as const;

type Read = (name: string) => string | undefined;

export function readInputs({ input }: Pick<Runner, 'input'>): Inputs {
  const read: Read = (name) => input(name) || undefined;
  return {
    command: oneOf(commands, 'command', read) ?? 'plan',
    catalogUrl: plainUrl(read('catalog-url')),
    label: read('label'),
    auth: readAuth(read),
    config: read('config'),
    environment: read('environment'),
    base: read('base'),
    drift: oneOf(['leave', 'overwrite', 'block'], 'drift', read),
    conflicts: oneOf(['overwrite', 'block'], 'conflicts', read),
    policy: oneOf(policies, 'policy', read),
    paths: (read('paths') ?? '').split(/\r?\n/u).filter((path) => path.trim() !== ''),
    githubToken: read('github-token'),
    comment: oneOf(commentModes, 'comment', read) ?? 'update',
    expectHash: readHash(read('expect-hash')),
    autoApprove: isSet('auto-approve', read),
    allowForks: isSet('allow-forks', read),
    driftIssue: isSet('drift-issue', read),
    planFile: read('plan-file'),
    workingDirectory: read('working-directory') ?? '.',
    failOn: oneOf(failures, 'fail-on', read) ?? 'errors',
  };
}

// Removes possible secrets before the URL is used anywhere.
function plainUrl(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutSecrets(text);
}

function oneOf<Choice extends string>(
  choices: readonly Choice[],
  name: string,
  read: Read,
): Choice | undefined {
  const text = read(name);
  const choice = choices.find((known) => known === text);
  if (text === undefined || choice !== undefined) return choice;
  throw new ConfigError(
    'invalid-input',
    `The input \`${name}\` takes ${choices.join(', ')}, not ${JSON.stringify(text)}.`,
  );
}

// Booleans of the core schema of YAML (YAML 1.2 §10.3.2).
function isSet(name: string, read: Read): boolean {
  const spelt = (input: string) =>
    read(input)?.replace(/^(?:True|TRUE|False|FALSE)$/u, (text) => text.toLowerCase());
  return oneOf(['true', 'false'], name, spelt) === 'true';
}

function readHash(text: string | undefined): string | undefined {
  if (text === undefined || text === 'approved' || /^sha256:[0-9a-f]{64}$/u.test(text)) return text;
  throw new ConfigError(
    'invalid-input',
    `The input \`expect-hash\` takes a plan hash or approved, not ${JSON.stringify(text)}.`,
  );
}

function readAuth(read: Read): AuthSettings {
  return {
    token: secret('token', read),
    issuer: plainUrl(read('auth-issuer')),
    clientId: read('auth-client-id'),
    method: oneOf(machineMethods, 'auth-method', read),
    clientSecret: secret('auth-client-secret', read),
    privateKey: secret('auth-private-key', read),
    scope: read('auth-scope'),
    resource: read('auth-resource'),
    audience: read('auth-audience'),
    idTokenAudience: read('auth-id-token-audience'),
    subjectTokenType: read('auth-subject-token-type'),
  };
}

// A device login needs a person.
const machineMethods = issuerMethods.filter((method) => method !== 'device-login');

function secret(name: string, read: Read): Secret | undefined {
  const value = read(name);
  return value === undefined ? undefined : { value, origin: `the input \`${name}\`` };
}

export function hasCredential({ auth }: Inputs, { idToken }: Pick<Runner, 'idToken'>): boolean {
  if (auth.token) return true;
  if (auth.issuer === undefined) return false;
  return (auth.clientSecret ?? auth.privateKey ?? idToken) !== undefined;
}
