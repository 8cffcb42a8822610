/** What the command line takes, and what its help says. */

import { Argument, Command, Help, Option } from 'commander';
import { productNames } from '../catalog/products/products.ts';
import { version } from '../version.ts';
import {
  colourOption,
  configOption,
  envOption,
  formatOption,
  pathsArgument,
  withConnectionOptions,
  withLoginOptions,
  withRollbackOptions,
  withSelectedCatalogOptions,
  withSessionOptions,
  wholeFormats,
} from './options.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** Loads and runs a command: behind the terminal, it takes its arguments and flags. */
export type RunCommand = <Given extends readonly unknown[]>(
  load: () => Promise<(terminal: Terminal, ...given: Given) => ExitCode | Promise<ExitCode>>,
) => (...given: Given) => Promise<void>;

/** With the name of a command, of that alone: to describe all takes longer than many a command. */
export function describeProgram(
  { write, report }: Pick<Terminal, 'write' | 'report'>,
  run: RunCommand,
  wanted?: string,
): Command {
  const program = new Command('contract-sync')
    .description(
      'Data contracts as code: YAML files in git → a reviewed plan → a metadata catalog.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({ writeOut: write, writeErr: report, outputError: () => undefined })
    .exitOverride();
  const names = Object.values(groups).flatMap(Object.keys);
  // `completion` writes down all of them.
  const one = wanted === 'completion' ? undefined : names.find((name) => name === wanted);
  for (const [title, commands] of Object.entries(groups)) {
    program.commandsGroup(title);
    for (const [name, describe] of Object.entries(commands)) {
      if (name === (one ?? name)) describe(program, run);
    }
  }
  return program.helpCommand('help [command]', 'print help for a command');
}

type Describe = (program: Command, run: RunCommand) => void;

/** In the order of the help. */
const groups: Readonly<Record<string, Readonly<Record<string, Describe>>>> = {
  'Every day:': {
    plan: describePlan,
    apply: describeApply,
    validate: describeValidate,
    pull: describePull,
  },
  'On call:': {
    history: describeHistory,
    rollback: describeRollback,
    audit: describeAudit,
    explain: describeExplain,
  },
  'Setting up:': {
    init: describeInit,
    import: describeImport,
    doctor: describeDoctor,
    login: describeLogin,
    logout: describeLogout,
  },
  'More:': {
    schema: describeSchema,
    rules: describeRules,
    completion: describeCompletion,
    sandbox: describeSandbox,
    demo: describeDemo,
  },
};

/** That a switch is off until it is given goes without saying. */
function describeOption(option: Option): string {
  const { defaultValue, description } = option;
  return defaultValue === false ? description : new Help().optionDescription(option);
}

function describePlan(program: Command, run: RunCommand): void {
  const plan = program
    .command('plan')
    .description('show what apply would do; sends only GET requests')
    .argument(...pathsArgument)
    .option('--out <file>', 'also write the plan as JSON to a file')
    .option('--detailed-exitcode', 'exit with 2 when the plan has changes', false);
  withSessionOptions(plan, [...wholeFormats, 'github', 'sarif']).action(
    run(async () => (await import('./plan.ts')).runPlan),
  );
}

function describeApply(program: Command, run: RunCommand): void {
  const apply = program
    .command('apply')
    .description('show the plan, ask, and send its patches')
    .argument(...pathsArgument)
    .option('--yes', 'do not ask', false)
    .option('--plan <file>', 'plan anew, and send only changes that this file of `plan --out` has')
    .option(
      '--max-failures <number>',
      'stop after this many failures (default: 10 in a row, or no access)',
    )
    .option('--report <file>', 'also write the outcomes as JSON to a file');
  withSessionOptions(apply).action(run(async () => (await import('./apply.ts')).runApply));
}

function describePull(program: Command, run: RunCommand): void {
  const pull = program
    .command('pull')
    .description('update the files to what the catalog holds, keeping comments')
    .argument(...pathsArgument)
    .option('--check', 'write nothing; exit with 2 if there is something to pull', false)
    .option('--force', 'replace files with uncommitted changes too', false)
    .option('--drift', 'pull only edits made in the catalog, keep your own', false)
    .option(
      '--base <revision>',
      "the git revision your own edits start from (default in a clone: the remote's default branch)",
    );
  withSelectedCatalogOptions(pull).action(run(async () => (await import('./pull.ts')).runPull));
}

function describeImport(program: Command, run: RunCommand): void {
  const imported = program
    .command('import')
    .description('write files for live contracts in scope that have none; overwrite nothing')
    .option('--check', 'write nothing; exit with 2 if there is something to import', false)
    .option(
      '--into <path>',
      'where new files go, by name, domain, service, database, schema and table (default: contracts/{domain}/{name}.yaml)',
    )
    .addOption(
      new Option('--format <format>', 'format of new files: our own, or ODCS v3.1')
        .choices(['native', 'odcs'])
        .default('native'),
    );
  withSelectedCatalogOptions(imported).action(
    run(async () => (await import('./import.ts')).runImport),
  );
}

function describeHistory(program: Command, run: RunCommand): void {
  const history = program
    .command('history')
    .description('show who changed a contract, when, and from which commit')
    .argument('<contract>', 'its qualified name, its id or its file')
    .argument('[place]', 'only changes of this place: schema.amount, description')
    .addOption(formatOption('how the result is written', ['text', 'json', 'markdown']))
    .option('--limit <number>', 'show this many versions, newest first (default: 20)')
    .option('--since <time>', 'show versions since then: 2026-11-19, 2026-11-19T08:30, or 3d ago')
    .option('--utc', 'show times in UTC', false)
    .option('--full', 'show values before and after', false);
  withConnectionOptions(history).action(run(async () => (await import('./history.ts')).runHistory));
}

function describeRollback(program: Command, run: RunCommand): void {
  const rollback = program
    .command('rollback')
    .description('return contracts to what they were: show the plan, ask, and send its patches')
    .argument('[contracts...]', 'qualified names, ids or files; with --run, all unless named')
    .option('--to <version>', 'to a version: 1.2')
    .option('--before <time>', 'to the state before a time: 2026-11-19T08:30, or 3d ago')
    .option('--run <file>', 'undo a run, from the outcomes that it wrote')
    .option('--yes', 'do not ask', false)
    .option('--plan <file>', 'plan anew, and send only changes that this file of --out has')
    .option('--out <file>', 'also write the plan as JSON to a file')
    .option('--report <file>', 'also write the outcomes as JSON to a file');
  withRollbackOptions(rollback).action(
    run(async () => (await import('./rollback.ts')).runRollback),
  );
}

function describeAudit(program: Command, run: RunCommand): void {
  const audit = program
    .command('audit')
    .description('show how much of the catalog comes from git, and what drifts')
    .argument(...pathsArgument)
    .addOption(formatOption('how the result is written', ['text', 'json', 'markdown', 'html']))
    .option('--since <time>', 'count versions since then: 2026-11-19, or 30d ago');
  withSelectedCatalogOptions(audit).action(run(async () => (await import('./audit.ts')).runAudit));
}

function describeValidate(program: Command, run: RunCommand): void {
  program
    .command('validate')
    .description('check the files alone; needs no catalog and no token')
    .argument(...pathsArgument)
    .option(...configOption)
    .option(...envOption)
    .addOption(formatOption('how problems are written', ['text', 'json', 'github', 'sarif']))
    .option(...colourOption)
    .action(run(async () => (await import('./validate.ts')).runValidate));
}

function describeSchema(program: Command, run: RunCommand): void {
  const documents = [
    'contract',
    'config',
    'plan',
    'outcomes',
    'validation',
    'examination',
    'history',
    'audit',
  ];
  program
    .command('schema')
    .description('print the JSON Schema of a file or document')
    .addArgument(new Argument('<name>', 'which document').choices(documents))
    .action(run(async () => (await import('./reference.ts')).printSchema));
}

function describeRules(program: Command, run: RunCommand): void {
  program
    .command('rules')
    .description('list the rules that changes of a contract are checked against')
    .action(run(async () => (await import('./reference.ts')).printRules));
}

function describeExplain(program: Command, run: RunCommand): void {
  program
    .command('explain')
    .description('explain a code: what it means, an example, what to do')
    .argument('<code>', 'the word in brackets at the end of a message')
    .action(run(async () => (await import('./explain.ts')).runExplain));
}

function describeCompletion(program: Command, run: RunCommand): void {
  program
    .command('completion')
    .description('print a script by which a shell completes commands and flags')
    .addArgument(
      new Argument('<shell>', 'a shell; or environments, to list their names').choices([
        'bash',
        'zsh',
        'fish',
        'environments',
      ]),
    )
    .action(run(async () => (await import('./completion.ts')).runCompletion));
}

function describeInit(program: Command, run: RunCommand): void {
  program
    .command('init')
    .description(
      'write the configuration, workflows and example that are missing; overwrite nothing',
    )
    .option('--env <names>', 'a section and workflows for each environment: dev,prod')
    .action(run(async () => (await import('./init.ts')).runInit));
}

function describeLogin(program: Command, run: RunCommand): void {
  withLoginOptions(program.command('login'))
    .description('log in with a browser, on this device or another, and keep the login')
    .action(run(async () => (await import('./login.ts')).runLogin));
}

function describeLogout(program: Command, run: RunCommand): void {
  const logout = program
    .command('logout')
    .description('forget the login, here and at the issuer')
    .option('--local', 'forget it here only; do not tell the issuer', false);
  withLoginOptions(logout).action(run(async () => (await import('./login.ts')).runLogout));
}

function describeDoctor(program: Command, run: RunCommand): void {
  const doctor = program
    .command('doctor')
    .description('check that a plan can work from here; sends only GET requests')
    .addOption(formatOption('how the result is written', ['text', 'json']));
  withConnectionOptions(doctor).action(run(async () => (await import('./doctor.ts')).runDoctor));
}

function describeSandbox(program: Command, run: RunCommand): void {
  program
    .command('sandbox')
    .description('serve an embedded catalog on this machine, until Ctrl-C')
    .addOption(dialectOption())
    .option('--port <number>', 'the port to listen on; 0 takes any that is free', '8585')
    .option('--seed <file>', 'JSON file with the contracts to start with')
    .option('--token <token>', 'another token to accept; make one up, the process list shows it')
    .option('--token-file <file>', 'file with another token to accept, for one that is a secret')
    .action(run(async () => (await import('./sandbox.ts')).runSandbox));
}

function describeDemo(program: Command, run: RunCommand): void {
  program
    .command('demo')
    .description('plan, apply and plan again, over the bundled example and an embedded catalog')
    .addOption(dialectOption())
    .action(run(async () => (await import('./demo.ts')).runDemo));
}

function dialectOption(): Option {
  const option = new Option('--dialect <dialect>', 'which kind of catalog it behaves as')
    .choices(productNames)
    .default('standard');
  const { parseArg: choose } = option;
  // The former name of `standard`: accepted, and not in the help.
  return option.argParser((text, previous) =>
    text === 'documented' ? text : choose?.(text, previous),
  );
}
