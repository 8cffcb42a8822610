import { type Command, Option } from 'commander';
import { withAuthOptions } from './auth-commands.ts';
import { withPolicyOptions } from './policy-flags.ts';

/** Of the commands that make a plan. */
export function withSessionOptions(command: Command): Command {
  command
    .addOption(
      new Option('--format <format>', 'how the result is written')
        .choices(['text', 'json', 'markdown'])
        .default('text'),
    )
    .option('--all', 'list unchanged and unmanaged contracts too', false)
    .option('--quiet', "print the plan's totals only", false);
  return withCatalogOptions(withReviewOptions(withPolicyOptions(withCommonOptions(command))));
}

/** Of the commands that talk to a catalog. */
export function withConnectionOptions(command: Command): Command {
  return withCatalogOptions(withCommonOptions(command));
}

function withCommonOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file (default: contract-sync.yaml, if it exists)')
    .option('--verbose', 'tell each request on standard error', false)
    .option('--no-color', 'no colours (also: NO_COLOR)');
}

/** They hold a plan against the one that was reviewed. */
function withReviewOptions(command: Command): Command {
  return command
    .optionsGroup('What was reviewed:')
    .option('--expect-hash <hash>', 'go on only with the plan that was reviewed, or its rest')
    .option('--expect-plan <file>', 'the same, by the file that `plan --out` wrote for the review');
}

function withCatalogOptions(command: Command): Command {
  command
    .optionsGroup('The catalog:')
    .option('--catalog-url <url>', "the catalog's base URL (CONTRACT_SYNC_URL)")
    .option('--page-size <number|auto>', 'contracts asked for in one request (default: auto)')
    .option('--concurrency <number>', 'requests in flight at once (default: 8)')
    .option('--timeout <seconds>', 'how long a request may take (default: 30)')
    .option('--allow-http', 'send the token over plain http to another machine', false);
  return withAuthOptions(command);
}
