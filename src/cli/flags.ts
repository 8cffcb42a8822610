import { creatorTitles, productNames } from '../catalog/products/products.ts';
import { withoutSecrets } from '../http/address.ts';
import { fileFormatNames } from '../files/formats/format.ts';
import { formatsOf } from '../report/formats.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export type Flag = {
  /** With a value's name it takes text, without one it is a switch. */
  readonly spelling: string;
  readonly help: string;
  readonly choices?: readonly string[] | undefined;
  readonly isList?: boolean;
  readonly initial?: string;
  readonly read?: (text: string) => string;
  readonly group?: string;
};

export const flags = {
  out: flag('--out <file>', 'also write the plan as JSON to a file'),
  report: flag('--report <file>', 'also write the outcomes as JSON to a file'),
  detailedExitcode: flag('--detailed-exitcode', 'exit with 2 when the plan has changes'),
  yes: flag('--yes', 'do not ask'),
  plan: flag(
    '--plan <file>',
    'plan anew, and send only changes that this file of `plan --out` has',
  ),
  maxFailures: flag(
    '--max-failures <number>',
    'stop after this many failures (default: 10 in a row, or no access)',
  ),
  format: {
    ...flag('--format <format>', 'how the result is written'),
    choices: [...formatsOf.plan, ...fileFormatNames],
    initial: 'text',
  },
  all: flag('--all', 'list unchanged and unmanaged contracts too'),
  quiet: flag('--quiet', "print the plan's totals only"),
  check: flag('--check', 'write nothing; exit with 2 if there is something to pull'),
  force: flag('--force', 'replace files with uncommitted changes too'),
  into: flag(
    '--into <path>',
    'where new files go, by name, domain, service, database, schema and table (default: contracts/{domain}/{name}.yaml)',
  ),
  limit: flag('--limit <number>', 'show this many versions, newest first (default: 20)'),
  since: flag(
    '--since <time>',
    'show versions since then: 2026-11-19, 2026-11-19T08:30, or 3d for three days ago',
  ),
  full: flag('--full', 'show values before and after'),
  to: flag('--to <version>', 'to a version: 1.2'),
  before: flag(
    '--before <time>',
    'to the state before a time: 2026-11-19T08:30, or 30m for half an hour ago',
  ),
  run: flag('--run <file>', 'undo a run, from the outcomes that it wrote'),
  dialect: {
    ...flag('--dialect <dialect>', 'which kind of catalog it behaves as'),
    choices: productNames,
    initial: 'standard',
  },
  release: {
    ...flag(
      '--release <release>',
      `which release of ${creatorTitles} it behaves as (default: 1.12)`,
    ),
    choices: ['1.12', '1.13', '2.0', '2.1'],
  },
  port: {
    ...flag('--port <number>', 'the port to listen on; 0 takes any that is free'),
    initial: '8585',
  },
  seed: flag('--seed <file>', 'JSON file with the contracts to start with'),
  token: flag('--token <token>', 'another token to accept; make one up, the process list shows it'),
  config: flag('--config <file>', 'configuration file (default: contract-sync.yaml, if it exists)'),
  env: flag('--env <name>', 'an environment of the configuration (CONTRACT_SYNC_ENV)'),
  verbose: flag('--verbose', 'show patches, and log each request to standard error'),
  color: flag('--no-color', 'no colours (also: NO_COLOR)'),
  expectHash: flag(
    '--expect-hash <hash>',
    'fail unless the plan is the reviewed one, or what is left of it',
  ),
  allowLimit: {
    ...flag('--allow-limit <limit>', 'exceed `limits.<limit>` this once; needs --reason'),
    isList: true,
  },
  reason: flag('--reason <text>', 'why; kept in the plan and its outcomes'),
  team: flag('--team <name>', 'only those of a team of the configuration (`teams`)'),
  only: {
    ...flag('--only <pattern>', 'only these: a qualified name or file (repeatable)'),
    isList: true,
  },
  exclude: { ...flag('--exclude <pattern>', 'leave these out (repeatable)'), isList: true },
  changedSince: flag(
    '--changed-since <revision>',
    'only those whose files changed since a git revision',
  ),
  base: flag(
    '--base <revision>',
    "git revision that tells drift from changes of files (default in a clone: the remote's default branch; none with --no-base)",
  ),
  noBase: flag('--no-base', 'no base: the files are right, whatever was edited in the catalog'),
  drift: {
    ...flag('--drift <rule>', 'what to do with edits made in the catalog; needs a base'),
    choices: ['leave', 'overwrite', 'block'],
  },
  catalogUrl: {
    ...flag('--catalog-url <url>', "the catalog's base URL (CONTRACT_SYNC_URL)"),
    read: withoutSecrets,
  },
  // No flag holds a secret, since the process list shows flags.
  tokenFile: flag('--token-file <file>', 'file that holds the token (else: CONTRACT_SYNC_TOKEN)'),
  pageSize: flag('--page-size <number|auto>', 'contracts per request'),
  concurrency: flag('--concurrency <number>', 'requests in flight at once'),
  allowHttp: flag('--allow-http', 'allow http to other machines, on a network that you trust'),
} as const satisfies Readonly<Record<string, Flag>>;

function flag<const Spelling extends string>(spelling: Spelling, help: string) {
  return { spelling, help };
}

type Given<Each> = Each extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Each extends { isList: true }
    ? readonly string[]
    : Each extends { spelling: `${string}<${string}` }
      ? string
      : boolean;

export type Flags = {
  readonly [Name in Exclude<keyof typeof flags, keyof typeof defaults | 'base' | 'noBase'>]?:
    | Given<(typeof flags)[Name]>
    | undefined;
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
) => ExitCode | Promise<ExitCode>;
