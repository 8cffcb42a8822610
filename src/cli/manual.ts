import { Argument } from 'commander';
import { fileFormatNames } from '../files/formats/format.ts';
import { formatsOf } from '../report/formats.ts';
import { type Flag, flags, type RunCommand } from './flags.ts';

export type Described = {
  readonly says: string;
  readonly operands?: readonly Argument[];
  readonly flags?: readonly Flag[];
  readonly load: () => Promise<RunCommand>;
};

const paths = new Argument(
  '[paths...]',
  'files, folders or globs (default: contracts/**/*.{yaml,yml})',
);

const common = [flags.config, flags.env, flags.verbose, flags.color];
const connection = inGroup('The catalog:', [
  flags.catalogUrl,
  flags.tokenFile,
  flags.pageSize,
  flags.concurrency,
  flags.allowHttp,
]);
const chosen = inGroup('Which contracts:', [flags.team, flags.only, flags.exclude]);
const reading = [...common, ...connection];
const choosing = [...common, ...chosen, ...connection];
const planning = [
  flags.all,
  flags.quiet,
  ...common,
  ...chosen,
  ...inGroup('Which contracts:', [flags.changedSince]),
  ...inGroup('Limits:', [flags.allowLimit, flags.reason]),
  ...inGroup('Who changed what:', [flags.base, flags.noBase, flags.drift]),
  ...inGroup('What was reviewed:', [flags.expectHash]),
  ...connection,
];
const login = [
  flags.config,
  flags.env,
  but(flags.verbose, 'show on standard error where the token comes from'),
  flags.color,
];
export const groups: Readonly<Record<string, Readonly<Record<string, Described>>>> = {
  'Every day:': {
    plan: {
      says: 'show what apply would do; sends only GET requests',
      operands: [paths],
      flags: [flags.out, flags.detailedExitcode, formatFlag(formatsOf.plan), ...planning],
      load: async () => (await import('./plan.ts')).runPlan,
    },
    apply: {
      says: 'show the plan, ask, and send its patches',
      operands: [paths],
      flags: [
        flags.yes,
        flags.plan,
        flags.maxFailures,
        flags.report,
        formatFlag(formatsOf.outcomes),
        ...planning,
      ],
      load: async () => (await import('./apply.ts')).runApply,
    },
    validate: {
      says: 'check the files alone; needs no catalog and no token',
      operands: [paths],
      flags: [
        flags.config,
        flags.env,
        formatFlag(formatsOf.validation, 'how problems are written'),
        flags.color,
      ],
      load: async () => (await import('./validate.ts')).runValidate,
    },
    pull: {
      says: 'update the files to what the catalog holds, keeping comments',
      operands: [paths],
      flags: [
        flags.check,
        flags.force,
        but(flags.drift, 'pull only edits made in the catalog, keep your own', {
          spelling: '--drift',
          choices: undefined,
        }),
        but(
          flags.base,
          "the git revision your own edits start from (default in a clone: the remote's default branch)",
        ),
        but(
          flags.noBase,
          'take whatever the catalog has, also what is committed and not applied yet',
        ),
        flags.quiet,
        ...choosing,
      ],
      load: async () => (await import('./pull.ts')).runPull,
    },
    downstream: {
      says: "show who reads a contract's data, by the catalog's lineage",
      operands: [new Argument('<contract>', 'its qualified name, its id or its file')],
      flags: [formatFlag(formatsOf.downstream), ...reading],
      load: async () => (await import('./contracts.ts')).runDownstream,
    },
  },
  'On call:': {
    history: {
      says: 'show who changed a contract, when, and from which commit',
      operands: [
        new Argument('<contract>', 'its qualified name, its id or its file'),
        new Argument('[place]', 'only changes of this place: schema.amount, description'),
      ],
      flags: [formatFlag(formatsOf.history), flags.limit, flags.since, flags.full, ...reading],
      load: async () => (await import('./contracts.ts')).runHistory,
    },
    rollback: {
      says: 'return contracts to what they were: show the plan, ask, and send its patches',
      operands: [
        new Argument(
          '[contracts...]',
          'qualified names, ids or files; with --run, --only or --team, all unless named',
        ),
      ],
      flags: [
        flags.to,
        flags.before,
        flags.run,
        flags.yes,
        but(flags.plan, 'plan anew, and send only changes that this file of --out has'),
        flags.out,
        flags.report,
        formatFlag(formatsOf.outcomes, 'how the outcomes are written'),
        but(flags.all, 'list unchanged contracts too'),
        flags.quiet,
        flags.allowLimit,
        but(flags.reason, 'why; lifts what the lifecycle or compatibility forbids'),
        ...choosing,
      ],
      load: async () => (await import('./contracts.ts')).runRollback,
    },
    explain: {
      says: 'explain a code: what it means, an example, what to do',
      operands: [new Argument('<code>', 'the word in brackets at the end of a message')],
      load: async () => (await import('./reference.ts')).runExplain,
    },
  },
  'Setting up:': {
    init: {
      says: 'write the configuration, workflows and example that are missing; overwrite nothing',
      flags: [
        but(flags.env, 'a section and workflows for each environment: dev,prod', {
          spelling: '--env <names>',
        }),
      ],
      load: async () => (await import('./init.ts')).runInit,
    },
    import: {
      says: 'write files for live contracts in scope that have none; overwrite nothing',
      flags: [
        but(flags.check, 'write nothing; exit with 2 if there is something to import'),
        flags.into,
        but(flags.format, 'format of new files: our own, or ODCS v3.1', {
          choices: fileFormatNames,
          initial: 'native',
        }),
        ...choosing,
      ],
      load: async () => (await import('./pull.ts')).runImport,
    },
    doctor: {
      says: 'check that a plan can work from here; sends only GET requests',
      flags: [formatFlag(formatsOf.examination), ...reading],
      load: async () => (await import('./access.ts')).runDoctor,
    },
    login: {
      says: 'log in with a browser, on this device or another, and keep the login',
      flags: login,
      load: async () => (await import('./access.ts')).runLogin,
    },
    logout: {
      says: 'forget the login, here and at the issuer',
      flags: login,
      load: async () => (await import('./access.ts')).runLogout,
    },
  },
  'More:': {
    schema: {
      says: 'print the JSON Schema of a file or document',
      operands: [
        new Argument('<name>', 'which document').choices(
          'contract config plan outcomes receipt validation examination history'.split(' '),
        ),
      ],
      load: async () => (await import('./reference.ts')).printSchema,
    },
    rules: {
      says: 'list the rules that changes of a contract are checked against',
      load: async () => (await import('./reference.ts')).printRules,
    },
    sandbox: {
      says: 'serve an embedded catalog on this machine, until Ctrl-C',
      flags: [
        flags.dialect,
        flags.release,
        flags.port,
        flags.seed,
        flags.token,
        but(flags.tokenFile, 'file with another token to accept, for one that is a secret'),
      ],
      load: async () => (await import('./sandbox.ts')).runSandbox,
    },
    demo: {
      says: 'plan, apply and plan again, over the bundled example and an embedded catalog',
      flags: [flags.dialect],
      load: async () => (await import('./sandbox.ts')).runDemo,
    },
  },
};

function but(flag: Flag, help: string, changes: Partial<Flag> = {}): Flag {
  return { ...flag, help, ...changes };
}

function inGroup(group: string, grouped: readonly Flag[]): Flag[] {
  return grouped.map((each) => ({ ...each, group }));
}

function formatFlag(choices: readonly string[], help: string = flags.format.help): Flag {
  return but(flags.format, help, { choices });
}
