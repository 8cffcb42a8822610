import { Argument, type Command, Option } from 'commander';
import type { Finish } from './exit.ts';
import type { LoginFlags } from './login.ts';
import { withPolicyOptions } from './policy-flags.ts';
import type { SchemaName } from './reference.ts';
import type { Terminal } from './terminal.ts';
import type { ValidateFlags } from './validate.ts';

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

/** The commands for people: login, logout, whoami. */
export function describeAuthCommands(program: Command, terminal: Terminal, finish: Finish): void {
  withLoginOptions(program.command('login'))
    .description('log in with a browser, on this device or another, and keep the login')
    .action(async (flags: LoginFlags) => {
      const { login } = await import('./login.ts');
      finish(await login(flags, terminal));
    });
  withLoginOptions(program.command('logout'))
    .description('forget the login, here and at the issuer')
    .action(async (flags: LoginFlags) => {
      const { logout } = await import('./login.ts');
      finish(await logout(flags, terminal));
    });
  withLoginOptions(program.command('whoami'))
    .description('tell whose token a run would use, how it was come by, and why so')
    .action(async (flags: LoginFlags) => {
      const { whoami } = await import('./login.ts');
      finish(await whoami(flags, terminal));
    });
}

function withLoginOptions(command: Command): Command {
  return withAuthOptions(
    command
      .option('--config <file>', 'configuration file (default: contract-sync.yaml, if it exists)')
      .option('--verbose', 'tell on standard error how the token is come by', false)
      .option('--no-color', 'no colours (also: NO_COLOR)'),
  );
}

/** Where the token comes from: a flag never holds a secret, since the process list shows flags. */
function withAuthOptions(command: Command): Command {
  return command
    .optionsGroup('The token:')
    .option('--token-file <file>', 'file that holds the token (else: CONTRACT_SYNC_TOKEN)')
    .option('--issuer <url>', 'OpenID issuer that gives tokens (CONTRACT_SYNC_ISSUER)')
    .option('--client-id <id>', 'the client at the issuer (CONTRACT_SYNC_CLIENT_ID)')
    .option('--audience <audience>', 'whom the token is for, where the issuer asks for it')
    .option(
      '--client-secret-file <file>',
      "file that holds the client's secret (else: CONTRACT_SYNC_CLIENT_SECRET)",
    )
    .option(
      '--private-key-file <file>',
      "file that holds the client's private key (else: CONTRACT_SYNC_PRIVATE_KEY)",
    );
}

export const pathsHelp = 'files, folders or globs (default: contracts/**/*.{yaml,yml})';

/** The commands that need no catalog: validate, schema, rules, init. */
export function describeFileCommands(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command('validate')
    .description('check the files alone; needs no catalog and no token')
    .argument('[paths...]', pathsHelp)
    .option('--config <file>', 'configuration file (default: contract-sync.yaml, if it exists)')
    .addOption(
      new Option('--format <format>', 'how problems are written')
        .choices(['text', 'json', 'github', 'sarif'])
        .default('text'),
    )
    .option('--no-color', 'no colours (also: NO_COLOR)')
    .action(async (paths: string[], flags: ValidateFlags) => {
      const { validate } = await import('./validate.ts');
      finish(await validate(paths, flags, terminal));
    });
  program
    .command('schema')
    .description('print the JSON Schema of a file or document')
    .addArgument(
      new Argument('<name>', 'what it describes').choices([
        'contract',
        'config',
        'plan',
        'outcomes',
        'validation',
        'examination',
      ]),
    )
    .action(async (name: SchemaName) => {
      const { printSchema } = await import('./reference.ts');
      finish(printSchema(name, terminal));
    });
  program
    .command('rules')
    .description('list the rules by which changes of a contract are judged')
    .action(async () => {
      const { printRules } = await import('./reference.ts');
      finish(printRules(terminal));
    });
  program
    .command('init')
    .description('write a configuration, an example contract and two workflows; overwrite nothing')
    .action(async () => {
      const { init } = await import('./init.ts');
      finish(init(terminal));
    });
}
