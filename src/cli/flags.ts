/** Every flag of the command line, once: its spelling, its help and its value. */

import type { Command } from 'commander';
import { creators, productNames, titlesOf } from '../catalog/products/products.ts';
import { withoutSecrets } from '../http/address.ts';
import { formatsOf } from '../report/formats.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export type Flag = {
  /** With a value's name it takes text, without one it is a switch. */
  readonly spelling: string;
  readonly help: string;
  readonly choices?: readonly string[] | undefined;
  readonly isList?: boolean;
  readonly former?: string;
  readonly initial?: string;
  readonly read?: (text: string) => string;
  readonly group?: string | undefined;
  readonly isHidden?: boolean;
};

const which = 'Which contracts:';
const who = 'Who changed what:';
const catalog = 'The catalog:';
// No flag holds a secret, since the process list shows flags.
const token = 'The token:';

const formats = [...formatsOf.plan, 'native', 'odcs'] as const;

export const flags = {
  out: { spelling: '--out <file>', help: 'also write the plan as JSON to a file' },
  report: { spelling: '--report <file>', help: 'also write the outcomes as JSON to a file' },
  detailedExitcode: {
    spelling: '--detailed-exitcode',
    help: 'exit with 2 when the plan has changes',
  },
  yes: { spelling: '--yes', help: 'do not ask' },
  plan: {
    spelling: '--plan <file>',
    help: 'plan anew, and send only changes that this file of `plan --out` has',
  },
  maxFailures: {
    spelling: '--max-failures <number>',
    help: 'stop after this many failures (default: 10 in a row, or no access)',
    isHidden: true,
  },
  format: {
    spelling: '--format <format>',
    help: 'how the result is written',
    choices: formats,
    initial: 'text',
  },
  all: { spelling: '--all', help: 'list unchanged and unmanaged contracts too' },
  quiet: { spelling: '--quiet', help: "print the plan's totals only" },
  check: { spelling: '--check', help: 'write nothing; exit with 2 if there is something to pull' },
  force: { spelling: '--force', help: 'replace files with uncommitted changes too' },
  into: {
    spelling: '--into <path>',
    help: 'where new files go, by name, domain, service, database, schema and table (default: contracts/{domain}/{name}.yaml)',
  },
  limit: {
    spelling: '--limit <number>',
    help: 'show this many versions, newest first (default: 20)',
  },
  since: {
    spelling: '--since <time>',
    help: 'show versions since then: 2026-11-19, 2026-11-19T08:30, or 3d ago',
  },
  utc: { spelling: '--utc', help: 'show times in UTC' },
  full: { spelling: '--full', help: 'show values before and after' },
  to: { spelling: '--to <version>', help: 'to a version: 1.2' },
  before: {
    spelling: '--before <time>',
    help: 'to the state before a time: 2026-11-19T08:30, or 3d ago',
  },
  run: { spelling: '--run <file>', help: 'undo a run, from the outcomes that it wrote' },
  local: { spelling: '--local', help: 'forget it here only; do not tell the issuer' },
  dialect: {
    spelling: '--dialect <dialect>',
    help: 'which kind of catalog it behaves as',
    choices: productNames,
    former: 'documented',
    initial: 'standard',
  },
  port: {
    spelling: '--port <number>',
    help: 'the port to listen on; 0 takes any that is free',
    initial: '8585',
  },
  seed: { spelling: '--seed <file>', help: 'JSON file with the contracts to start with' },
  token: {
    spelling: '--token <token>',
    help: 'another token to accept; make one up, the process list shows it',
  },
  config: {
    spelling: '--config <file>',
    help: 'configuration file (default: contract-sync.yaml, if it exists)',
  },
  env: {
    spelling: '--env <name>',
    help: 'an environment of the configuration (CONTRACT_SYNC_ENV)',
  },
  verbose: { spelling: '--verbose', help: 'log each request to standard error' },
  color: { spelling: '--no-color', help: 'no colours (also: NO_COLOR)' },

  only: {
    spelling: '--only <pattern>',
    help: 'only these: a qualified name or file (repeatable)',
    isList: true,
    group: which,
  },
  exclude: {
    spelling: '--exclude <pattern>',
    help: 'leave these out (repeatable)',
    isList: true,
    group: which,
  },
  changedSince: {
    spelling: '--changed-since <revision>',
    help: 'plan contracts whose files changed since a git revision',
    group: which,
  },
  allowLimit: {
    spelling: '--allow-limit <limit>',
    help: 'exceed `limits.<limit>` this once; needs --reason',
    isList: true,
    group: which,
  },
  reason: {
    spelling: '--reason <text>',
    help: 'why; kept in the plan and its outcomes',
    group: which,
  },
  create: {
    spelling: '--create',
    help: `create contracts that the catalog lacks, in ${titlesOf(creators)} (\`create\`)`,
    group: which,
    isHidden: true,
  },
  allowEmpty: {
    spelling: '--allow-empty',
    help: 'plan even if no contract is found',
    group: which,
    isHidden: true,
  },

  base: {
    spelling: '--base <revision>',
    help: "git revision that tells drift from changes of files (default in a clone: the remote's default branch)",
    group: who,
  },
  noBase: {
    spelling: '--no-base',
    help: 'no base: the files are right, whatever was edited in the catalog',
    group: who,
    isHidden: true,
  },
  drift: {
    spelling: '--drift <rule>',
    help: 'what to do with edits made in the catalog; needs a base',
    choices: ['leave', 'overwrite', 'block'],
    group: who,
  },
  conflicts: {
    spelling: '--conflicts <rule>',
    help: 'what to do where a file and the catalog changed (`conflicts`)',
    choices: ['overwrite', 'block'],
    group: who,
    isHidden: true,
  },
  blame: {
    spelling: '--blame',
    help: 'show who set each live value',
    group: who,
    isHidden: true,
  },
  noBlame: {
    spelling: '--no-blame',
    help: 'show it for no contract (default: for up to 50 with drift or breaking changes)',
    group: who,
    isHidden: true,
  },
  expectHash: {
    spelling: '--expect-hash <hash>',
    help: 'fail unless the plan is the reviewed one, or what is left of it',
    group: 'What was reviewed:',
  },

  catalogUrl: {
    spelling: '--catalog-url <url>',
    help: "the catalog's base URL (CONTRACT_SYNC_URL)",
    read: withoutSecrets,
    group: catalog,
  },
  pageSize: {
    spelling: '--page-size <number|auto>',
    help: 'contracts per request (`catalog.pageSize`)',
    group: catalog,
    isHidden: true,
  },
  concurrency: {
    spelling: '--concurrency <number>',
    help: 'requests in flight at once (`catalog.concurrency`)',
    group: catalog,
    isHidden: true,
  },
  timeout: {
    spelling: '--timeout <seconds>',
    help: 'how long a request may take (`catalog.timeoutSeconds`)',
    group: catalog,
    isHidden: true,
  },
  timeoutThrottled: {
    spelling: '--timeout-throttled <seconds>',
    help: 'how long to keep trying while the catalog throttles (`catalog.timeoutThrottledSeconds`)',
    group: catalog,
    isHidden: true,
  },
  allowHttp: {
    spelling: '--allow-http',
    help: 'send the token over plain http to another machine',
    group: catalog,
    isHidden: true,
  },

  tokenFile: {
    spelling: '--token-file <file>',
    help: 'file that holds the token (else: `CONTRACT_SYNC_TOKEN`)',
    group: token,
    isHidden: true,
  },
  issuer: {
    spelling: '--issuer <url>',
    help: 'OpenID issuer that gives tokens (`auth.issuer`, `CONTRACT_SYNC_ISSUER`)',
    read: withoutSecrets,
    group: token,
    isHidden: true,
  },
  clientId: {
    spelling: '--client-id <id>',
    help: 'the client at the issuer (`auth.clientId`, `CONTRACT_SYNC_CLIENT_ID`)',
    group: token,
    isHidden: true,
  },
  audience: {
    spelling: '--audience <audience>',
    help: 'the audience of the token, if the issuer asks for one (`auth.audience`)',
    group: token,
    isHidden: true,
  },
  clientSecretFile: {
    spelling: '--client-secret-file <file>',
    help: "file that holds the client's secret (else: `CONTRACT_SYNC_CLIENT_SECRET`)",
    group: token,
    isHidden: true,
  },
  privateKeyFile: {
    spelling: '--private-key-file <file>',
    help: "file that holds the client's private key (else: `CONTRACT_SYNC_PRIVATE_KEY`)",
    group: token,
    isHidden: true,
  },
} as const satisfies Readonly<Record<string, Flag>>;

type Given<Each> = Each extends { former: infer Former }
  ? Former | Given<Omit<Each, 'former'>>
  : Each extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Each extends { isList: true }
      ? readonly string[]
      : Each extends { spelling: `${string}<${string}` }
        ? string
        : boolean;

export type Flags = {
  readonly [
    Name in Exclude<keyof typeof flags, keyof typeof defaults | 'base' | 'noBase' | 'noBlame'>
  ]?: Given<(typeof flags)[Name]> | undefined;
} & {
  readonly [Name in keyof typeof defaults]: Given<(typeof flags)[Name]>;
} & {
  /** `false`: none, whatever the clone says. */
  readonly base?: string | false | undefined;
};

export const defaults = { format: 'text', all: false, quiet: false, verbose: false } as const;

export type RunCommand = (
  terminal: Terminal,
  flags: Flags,
  operands: readonly string[],
  program: Command,
) => ExitCode | Promise<ExitCode>;
