import { Argument, type Command, Option } from 'commander';
import type { Finish } from './exit.ts';
import type { SchemaName } from './schema.ts';
import type { Terminal } from './terminal.ts';
import type { ValidateFlags } from './validate.ts';

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
      const { printSchema } = await import('./schema.ts');
      finish(printSchema(name, terminal));
    });
  program
    .command('rules')
    .description('list the rules by which changes of a contract are judged')
    .action(async () => {
      const { printRules } = await import('./rules.ts');
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
