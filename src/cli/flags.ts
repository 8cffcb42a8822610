import type { Command } from 'commander';
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
  readonly former?: string;
  readonly initial?: string;
  readonly read?: (text: string) => string;
  readonly group?: string | undefined;
  readonly isHidden?: boolean;
};

const own = {
  out: flag('--out <file>', 'also write the plan as JSON to a file'),
  report: flag('--report <file>', 'also write the outcomes as JSON to a file'),
  detailedExitcode: flag('--detailed-exitcode', 'exit with 2 when the plan has changes'),
  yes: flag('--yes', 'do not ask'),
  plan: flag(
    '--plan <file>',
    'plan anew, and send only changes that this file of `plan --out` has',
  ),
  maxFailures: {
    spelling: '--max-failures <number>',
    help: 'stop after this many failures (default: 10 in a row, or no access)',
    isHidden: true,
  },
  format: {
    ...flag('--format <format>', 'how the result is written'),
    choices: [...formatsOf.plan, ...fileFormatNames],
    initial: 'text',
  },
  all: flag('--all', 'list unchanged and unmanaged contracts too'),
  noDownstream: {
    ...flag('--no-downstream', 'do not read who is downstream of breaking changes'),
    isHidden: true,
  },
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
    'show versions since then: 2026-11-19, 2026-11-19T08:30, or 3d ago',
  ),
  utc: flag('--utc', 'show times in UTC'),
  full: flag('--full', 'show values before and after'),
  to: flag('--to <version>', 'to a version: 1.2'),
  before: flag('--before <time>', 'to the state before a time: 2026-11-19T08:30, or 3d ago'),
  run: flag('--run <file>', 'undo a run, from the outcomes that it wrote'),
  local: flag('--local', 'forget it here only; do not tell the issuer'),
  dialect: {
    ...flag('--dialect <dialect>', 'which kind of catalog it behaves as'),
    choices: productNames,
    former: 'documented',
    initial: 'standard',
  },
  release: {
    ...flag(
      '--release <release>',
      `which release of ${creatorTitles} it behaves as (default: 1.12)`,
    ),
    choices: ['1.12', '1.13', '2.0'],
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
  expectHash: {
    spelling: '--expect-hash <hash>',
    help: 'fail unless the plan is the reviewed one, or what is left of it',
    group: 'What was reviewed:',
  },
} as const satisfies FlagTable;

export const exceeding = withEach('group', 'Limits:', {
  allowLimit: {
    ...flag('--allow-limit <limit>', 'exceed `limits.<limit>` this once; needs --reason'),
    isList: true,
  },
  reason: flag('--reason <text>', 'why; kept in the plan and its outcomes'),
});

export const choosing = withEach('group', 'Which contracts:', {
  team: flag('--team <name>', 'only those of a team of the configuration (`teams`)'),
  only: {
    ...flag('--only <pattern>', 'only these: a qualified name or file (repeatable)'),
    isList: true,
  },
  exclude: { ...flag('--exclude <pattern>', 'leave these out (repeatable)'), isList: true },
  ...withEach('isHidden', true, {
    changedSince: flag(
      '--changed-since <revision>',
      'plan contracts whose files changed since a git revision',
    ),
    create: flag(
      '--create',
      `create contracts that the catalog lacks, in ${creatorTitles} (\`create\`)`,
    ),
    allowEmpty: flag('--allow-empty', 'plan even if no contract is found'),
  }),
});

export const comparing = withEach('group', 'Who changed what:', {
  base: flag(
    '--base <revision>',
    "git revision that tells drift from changes of files (default in a clone: the remote's default branch; none with --no-base)",
  ),
  noBase: {
    ...flag('--no-base', 'no base: the files are right, whatever was edited in the catalog'),
    isHidden: true,
  },
  drift: {
    ...flag('--drift <rule>', 'what to do with edits made in the catalog; needs a base'),
    choices: ['leave', 'overwrite', 'block'],
  },
  conflicts: {
    ...flag('--conflicts <rule>', 'what to do where a file and the catalog changed (`conflicts`)'),
    choices: ['overwrite', 'block'],
    isHidden: true,
  },
  blame: { ...flag('--blame', 'show who set each live value'), isHidden: true },
  noBlame: {
    spelling: '--no-blame',
    help: 'show it for no contract (default: for up to 50 with drift or breaking changes)',
    isHidden: true,
  },
});

export const connecting = {
  ...withEach('group', 'The catalog:', {
    catalogUrl: {
      ...flag('--catalog-url <url>', "the catalog's base URL (CONTRACT_SYNC_URL)"),
      read: withoutSecrets,
    },
    ...withEach('isHidden', true, {
      pageSize: flag('--page-size <number|auto>', 'contracts per request (`catalog.pageSize`)'),
      concurrency: flag(
        '--concurrency <number>',
        'requests in flight at once (`catalog.concurrency`)',
      ),
      timeout: flag(
        '--timeout <seconds>',
        'how long a request may take (`catalog.timeoutSeconds`)',
      ),
      timeoutThrottled: flag(
        '--timeout-throttled <seconds>',
        'how long to keep trying while the catalog throttles (`catalog.timeoutThrottledSeconds`)',
      ),
      allowHttp: flag('--allow-http', 'send the token over plain http to another machine'),
    }),
  }),
  // No flag holds a secret, since the process list shows flags.
  ...withEach(
    'group',
    'The token:',
    withEach('isHidden', true, {
      tokenFile: flag(
        '--token-file <file>',
        'file that holds the token (else: `CONTRACT_SYNC_TOKEN`)',
      ),
      issuer: {
        spelling: '--issuer <url>',
        help: 'OpenID issuer that gives tokens (`auth.issuer`, `CONTRACT_SYNC_ISSUER`)',
        read: withoutSecrets,
      },
      clientId: flag(
        '--client-id <id>',
        'the client at the issuer (`auth.clientId`, `CONTRACT_SYNC_CLIENT_ID`)',
      ),
      audience: flag(
        '--audience <audience>',
        'the audience of the token, if the issuer asks for one (`auth.audience`)',
      ),
      clientSecretFile: flag(
        '--client-secret-file <file>',
        "file that holds the client's secret (else: `CONTRACT_SYNC_CLIENT_SECRET`)",
      ),
      privateKeyFile: flag(
        '--private-key-file <file>',
        "file that holds the client's private key (else: `CONTRACT_SYNC_PRIVATE_KEY`)",
      ),
    }),
  ),
};

export const flags = { ...own, ...choosing, ...exceeding, ...comparing, ...connecting };

function flag<const Spelling extends string>(spelling: Spelling, help: string) {
  return { spelling, help };
}

type FlagTable = Readonly<Record<string, Flag>>;

function withEach<const Members extends FlagTable>(
  member: 'group' | 'isHidden',
  value: string | boolean,
  members: Members,
): Members {
  const completed = Object.entries(members).map(([name, each]) => [
    name,
    { ...each, [member]: value },
  ]);
  return { ...members, ...Object.fromEntries(completed) };
}

type Given<Each> = Each extends { former: infer Former }
  ? Former | Given<Omit<Each, 'former'>>
  : Each extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Each extends { isList: true }
      ? readonly string[]
      : Each extends { spelling: `${string}<${string}` }
        ? string
        : boolean;

/** What the scripts of `completion` ask it for. */
export const completedLists = ['environments', 'teams', 'revisions', 'names'] as const;

export type Flags = {
  readonly [
    Name in Exclude<
      keyof typeof flags,
      keyof typeof defaults | 'base' | 'noBase' | 'noBlame' | 'noDownstream'
    >
  ]?: Given<(typeof flags)[Name]> | undefined;
} & {
  readonly [Name in keyof typeof defaults]: Given<(typeof flags)[Name]>;
} & {
  /** `false`: none, whatever the clone says. */
  readonly base?: string | false | undefined;
  readonly downstream?: boolean | undefined;
};

export const defaults = { format: 'text', all: false, quiet: false, verbose: false } as const;

export type RunCommand = (
  terminal: Terminal,
  flags: Flags,
  operands: readonly string[],
  program: Command,
) => ExitCode | Promise<ExitCode>;
