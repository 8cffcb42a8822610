/** The options that commands share, in the order and the groups in which help lists them. */

import { type Command, Option } from 'commander';
import { withoutSecrets } from '../http/address.ts';

/** Of the commands that make a plan. */
export function withSessionOptions(
  command: Command,
  formats: readonly string[] = wholeFormats,
): Command {
  command
    .addOption(formatOption('how the result is written', formats))
    .option('--all', 'list unchanged and unmanaged contracts too', false)
    .option('--quiet', "print the plan's totals only", false);
  return withCatalogOptions(withReviewOptions(withPolicyOptions(withCommonOptions(command))));
}

/** They show all of a plan; others show its problems alone. */
export const wholeFormats: readonly string[] = ['text', 'json', 'markdown', 'html'];

/** Of the command that makes a plan of the past. */
export function withRollbackOptions(command: Command): Command {
  command
    .addOption(formatOption('how the outcomes are written', wholeFormats))
    .option('--all', 'list unchanged contracts too', false)
    .option('--quiet', "print the plan's totals only", false)
    .option('--allow-limit <limit>', 'exceed `limits.<limit>` this once; needs --reason', collect)
    .option('--reason <text>', 'why; lifts what the lifecycle or compatibility forbids');
  return withCatalogOptions(withCommonOptions(command));
}

/** Of the commands that talk to a catalog. */
export function withConnectionOptions(command: Command): Command {
  return withCatalogOptions(withCommonOptions(command));
}

/** Of the commands that write files. */
export function withSelectedCatalogOptions(command: Command): Command {
  return withCatalogOptions(withSelectionOptions(withCommonOptions(command)));
}

/** Of the commands for people. */
export function withLoginOptions(command: Command): Command {
  command
    .option(...configOption)
    .option(...envOption)
    .option('--verbose', 'show on standard error where the token comes from', false)
    .option(...colourOption);
  return withShortHelp(withAuthOptions(command), secretFlags);
}

function withCommonOptions(command: Command): Command {
  return command
    .option(...configOption)
    .option(...envOption)
    .option('--verbose', 'log each request to standard error', false)
    .option(...colourOption);
}

function withPolicyOptions(command: Command): Command {
  return withSelectionOptions(command)
    .option('--changed-since <revision>', 'plan contracts whose files changed since a git revision')
    .option('--allow-limit <limit>', 'exceed `limits.<limit>` this once; needs --reason', collect)
    .option('--reason <text>', 'why; kept in the plan and its outcomes')
    .option(
      '--create',
      'create contracts that the catalog lacks, in OpenMetadata (`create`)',
      false,
    )
    .option('--allow-empty', 'plan even if no contract is found', false)
    .optionsGroup('Who changed what:')
    .option(
      '--base <revision>',
      "git revision that tells drift from changes of files (default in a clone: the remote's default branch)",
    )
    .option('--no-base', 'no base: the files are right, whatever was edited in the catalog')
    .addOption(
      new Option(
        '--drift <rule>',
        'what to do with edits made in the catalog; needs a base',
      ).choices(['leave', 'overwrite', 'block']),
    )
    .addOption(
      new Option(
        '--conflicts <rule>',
        'what to do where a file and the catalog changed (`conflicts`)',
      ).choices(['overwrite', 'block']),
    )
    .option('--blame', 'show who set each live value')
    .option(
      '--no-blame',
      'show it for no contract (default: for up to 50 with drift or breaking changes)',
    );
}

function withSelectionOptions(command: Command): Command {
  return command
    .optionsGroup('Which contracts:')
    .option('--only <pattern>', 'only these: a qualified name or file (repeatable)', collect)
    .option('--exclude <pattern>', 'leave these out (repeatable)', collect);
}

function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

/** They hold a plan against the one that was reviewed. */
function withReviewOptions(command: Command): Command {
  return command
    .optionsGroup('What was reviewed:')
    .option(
      '--expect-hash <hash>',
      'fail unless the plan is the reviewed one, or what is left of it',
    );
}

function withCatalogOptions(command: Command): Command {
  command
    .optionsGroup('The catalog:')
    .option('--catalog-url <url>', "the catalog's base URL (CONTRACT_SYNC_URL)", withoutSecrets)
    .option('--page-size <number|auto>', 'contracts per request (`catalog.pageSize`)')
    .option('--concurrency <number>', 'requests in flight at once (`catalog.concurrency`)')
    .option('--timeout <seconds>', 'how long a request may take (`catalog.timeoutSeconds`)')
    .option(
      '--timeout-throttled <seconds>',
      'how long to keep trying while the catalog throttles (`catalog.timeoutThrottledSeconds`)',
    )
    .option('--allow-http', 'send the token over plain http to another machine', false);
  return withShortHelp(withAuthOptions(command), [...rareFlags, ...secretFlags]);
}

/** Where the token comes from: a flag never holds a secret, since the process list shows flags. */
function withAuthOptions(command: Command): Command {
  return command
    .optionsGroup('The token:')
    .option('--token-file <file>', 'file that holds the token (else: `CONTRACT_SYNC_TOKEN`)')
    .option(
      '--issuer <url>',
      'OpenID issuer that gives tokens (`auth.issuer`, `CONTRACT_SYNC_ISSUER`)',
      withoutSecrets,
    )
    .option(
      '--client-id <id>',
      'the client at the issuer (`auth.clientId`, `CONTRACT_SYNC_CLIENT_ID`)',
    )
    .option(
      '--audience <audience>',
      'the audience of the token, if the issuer asks for one (`auth.audience`)',
    )
    .option(
      '--client-secret-file <file>',
      "file that holds the client's secret (else: `CONTRACT_SYNC_CLIENT_SECRET`)",
    )
    .option(
      '--private-key-file <file>',
      "file that holds the client's private key (else: `CONTRACT_SYNC_PRIVATE_KEY`)",
    );
}

const secretFlags = ['--token-file', '--client-secret-file', '--private-key-file'];

/** What the configuration and the environment usually set, and what is rarely needed. */
const rareFlags = [
  '--page-size',
  '--concurrency',
  '--timeout',
  '--timeout-throttled',
  '--allow-http',
  '--issuer',
  '--client-id',
  '--audience',
  '--create',
  '--allow-empty',
  '--no-base',
  '--conflicts',
  '--blame',
  '--no-blame',
  '--max-failures',
];

function withShortHelp(command: Command, hidden: readonly string[]): Command {
  for (const option of command.options) option.hideHelp(hidden.includes(option.long ?? ''));
  return command.addHelpText(
    'after',
    '\nFlags for the connection, the token and rare cases: docs/configuration.md#flags',
  );
}

/** In which form the result is written; as text unless another is asked for. */
export function formatOption(description: string, formats: readonly string[]): Option {
  return new Option('--format <format>', description).choices(formats).default('text');
}

export const configOption = [
  '--config <file>',
  'configuration file (default: contract-sync.yaml, if it exists)',
] as const;

export const envOption = [
  '--env <name>',
  'an environment of the configuration (CONTRACT_SYNC_ENV)',
] as const;

export const colourOption = ['--no-color', 'no colours (also: NO_COLOR)'] as const;

export const pathsArgument = [
  '[paths...]',
  'files, folders or globs (default: contracts/**/*.{yaml,yml})',
] as const;
