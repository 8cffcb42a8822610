import { type AuthSettings, issuerMethods, type Secret } from '../auth/token.ts';
import { ConfigError } from '../core/diagnostic.ts';
import { withoutSecrets } from '../http/address.ts';
import type { DriftRule } from '../plan/rules.ts';

export type Inputs = Readonly<ReturnType<typeof readInputs>>;

type Read = (name: string) => string | undefined;

/** Checked, since the runner passes any text, and nothing for a required input. */
export function readInputs(input: (name: string) => string) {
  const read: Read = (name) => input(name) || undefined;
  const command = oneOf(['plan', 'apply', 'validate'], 'command', read) ?? 'plan';
  const planFile = read('plan-file');
  if (command === 'apply' && planFile !== undefined) {
    const message = 'The input `plan-file` is for `plan`, which writes it: an `apply` plans anew.';
    const hint =
      'To apply exactly that plan, set `expect-hash` to the output `plan-hash` of its step.';
    throw new ConfigError('invalid-input', message, { hint });
  }
  return {
    command,
    // Never read from a file: a pull request must not choose where a token is sent.
    catalogUrl: plainUrl(read('catalog-url')),
    label: read('label'),
    auth: readAuth(read),
    config: read('config'),
    environment: read('environment'),
    base: read('base'),
    drift: oneOf<DriftRule>(['leave', 'overwrite', 'block'], 'drift', read),
    // Undefined: `base` where the base is known.
    policy: oneOf(['head', 'base'], 'policy', read),
    paths: (read('paths') ?? '').split(/\r?\n/u).filter((path) => path.trim() !== ''),
    githubToken: read('github-token'),
    comment: oneOf(['update', 'recreate', 'off'], 'comment', read) ?? 'update',
    // A plan hash, or `approved`: the hash in the pull request's comment.
    expectHash: readHash(read('expect-hash')),
    autoApprove: isSet('auto-approve', read),
    applyBranches: (read('apply-branches') ?? '').split(/,?\s+/u).filter((glob) => glob !== ''),
    allowForks: isSet('allow-forks', read),
    driftIssue: isSet('drift-issue', read),
    planFile,
    workingDirectory: read('working-directory') ?? '.',
    failOn: oneOf(['errors', 'warnings', 'changes'], 'fail-on', read) ?? 'errors',
  };
}

// Removes possible secrets before the URL is used anywhere.
function plainUrl(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutSecrets(text);
}

function oneOf<Choice extends string>(choices: readonly Choice[], name: string, read: Read) {
  const text = read(name);
  const choice = choices.find((known) => known === text);
  if (text === undefined || choice !== undefined) return choice;
  throw invalidInput(name, choices.join(', '), text);
}

function invalidInput(name: string, taken: string, text: string): ConfigError {
  const message = `The input \`${name}\` takes ${taken}, not ${JSON.stringify(text)}.`;
  return new ConfigError('invalid-input', message);
}

// Booleans of the core schema of YAML (YAML 1.2 §10.3.2).
function isSet(name: string, read: Read): boolean {
  const text = read(name);
  switch (text) {
    case 'true':
    case 'True':
    case 'TRUE':
      return true;
    case undefined:
    case 'false':
    case 'False':
    case 'FALSE':
      return false;
    default:
      throw invalidInput(name, 'true, false', text);
  }
}

function readHash(text: string | undefined): string | undefined {
  if (text === undefined || text === 'approved' || /^sha256:[0-9a-f]{64}$/u.test(text)) return text;
  throw invalidInput('expect-hash', 'a plan hash or approved', text);
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
