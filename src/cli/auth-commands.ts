import type { Command } from 'commander';
import type { Finish } from './exit.ts';
import type { LoginFlags } from './login.ts';
import type { Terminal } from './terminal.ts';

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
      const { logout } = await import('./logout.ts');
      finish(await logout(flags, terminal));
    });
  withLoginOptions(program.command('whoami'))
    .description('tell whose token a run would use, how it was come by, and why so')
    .action(async (flags: LoginFlags) => {
      const { whoami } = await import('./whoami.ts');
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
export function withAuthOptions(command: Command): Command {
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
