/** READ FIRST. A folder and what is around it → the files that it begins with. Writes nothing. */

import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import {
  defaultFile,
  environmentNames,
  type LoadedConfig,
  loadFile,
  misspeltFile,
  onlyBelow,
  selectEnvironment,
} from '../config/file.ts';
import { includedBy, variableName } from '../config/settings.ts';
import { isObject } from '../core/json.ts';
import { findFiles } from '../files/find/find.ts';
import { findGitFolder, pathsWithEnding, runGit } from '../files/git/run-git.ts';
import { valuesIn } from '../files/read/document.ts';
import { readText } from '../files/text.ts';
import {
  adaptWorkflow,
  chooseInclude,
  jobEnvironment,
  refuseUnquotable,
  renderConfiguration,
  sharedVariables,
  workflowFile,
  workflowKinds,
  type WorkflowPlace,
  workflowsFolder,
} from './files.ts';
import { count } from '../core/text.ts';
import { unknownService } from '../contract/names.ts';

type Start = ReturnType<typeof prepareStart>;

const exampleContract = 'contracts/example.yaml';

type AnsweringCatalog = {
  readonly dialect: string;
  /** The name of the schema of its contract files. */
  readonly contractSchema: string;
  /** Undefined where it doesn't tell. */
  readonly hasContracts: boolean | undefined;
};

export function prepareStart(options: {
  readonly folder: string;
  /** Undefined: those of an existing configuration. */
  readonly environments: readonly string[] | undefined;
  readonly readExample: (folder: string, file: string) => string;
  readonly catalog: AnsweringCatalog | undefined;
  readonly dialects: readonly string[];
}) {
  const { folder, readExample, catalog } = options;
  const repository = readRepository(folder);
  const found = surveyContracts(folder, repository);
  const isConfigured = existsSync(join(folder, defaultFile));
  const config = loadFile(undefined, folder);
  const { settings } = config;
  const known = Object.keys(settings.environments ?? {});
  const chosen = options.environments ?? known;
  const include = isConfigured ? includedBy(settings) : chooseFor(found);
  const workflows = workflowPlaces(repository, chosen, include);
  const isEmpty = found.contracts.length + found.configured.length === 0;
  return {
    files: [
      {
        file: defaultFile,
        text: renderConfiguration({
          ...options,
          dialect: catalog?.dialect,
          include,
          hasOdcs: found.odcs.length > 0,
        }),
      },
      ...workflows.flatMap((place) => {
        const toRoot = place.folder.replaceAll(/[^/]+/gu, '..');
        return kindsFor(config, place).map((kind) => ({
          file: posix.join(toRoot, workflowsFolder, workflowFile(kind, place)),
          text: adaptWorkflow(kind, readExample('workflows', workflowFile(kind)), place),
        }));
      }),
      // A plan of it would fail beside the contracts that a catalog has.
      ...(isEmpty && !catalog?.hasContracts
        ? [
            {
              file: exampleContract,
              text: readExample('starter', 'example.yaml').replace(
                '/contract.schema.json',
                `/${catalog?.contractSchema ?? 'contract'}.schema.json`,
              ),
            },
          ]
        : []),
    ],
    repository,
    found,
    include,
    isConfigured,
    environments: isConfigured ? known : chosen,
    workflows,
    catalog,
  };
}

function chooseFor(found: FoundContracts): readonly string[] {
  if (found.contracts.length > 0) return chooseInclude(found.contracts, found.others);
  if (found.configured.length > 0) throw onlyBelow(found.configured);
  return ['contracts'];
}

function workflowPlaces(
  repository: Repository | undefined,
  environments: readonly string[],
  include: readonly string[],
): readonly WorkflowPlace[] {
  if (!repository?.isOnGitHub) return [];
  const { place: folder, branch, isDefaultBranch } = repository;
  refuseUnquotable('folder', folder);
  refuseUnquotable('branch', branch);
  const chosen = environments.length > 0 ? environments : [undefined];
  return chosen.map((environment) => ({ folder, environment, branch, isDefaultBranch, include }));
}

// Without `reviews`, each review would start a job that nothing waits for.
function kindsFor(config: LoadedConfig, { environment }: WorkflowPlace) {
  const isKnown = environment !== undefined && environmentNames(config).includes(environment);
  const { settings } = isKnown ? selectEnvironment(config, environment) : config;
  const { breaking = [], retirement = [], limits = [] } = settings.reviews ?? {};
  const waits = [breaking, retirement, limits].some((teams) => teams.length > 0);
  return workflowKinds.filter((kind) => kind !== 'review' || waits);
}

/** Names of files are relative to the folder of the configuration, with `/`. */
type FoundContracts = ReturnType<typeof surveyContracts>;

function surveyContracts(folder: string, repository: Repository | undefined) {
  const listed =
    (repository && listFiles(folder, ['.yaml', '.yml'])) ??
    findFiles({ root: folder, include: ['**/*.{yaml,yml}'], exclude: [], allowEmpty: true }).files;
  const all = listed.filter((file) => {
    const isHidden = /(?:^|\/)(?:\.|node_modules(?:\/|$))/u.test(file);
    return !isHidden && (!isConfiguration(file) || file.includes('/'));
  });
  const configured = all.filter(isConfiguration).map((file) => dirname(file));
  const isLeft = (file: string): boolean =>
    configured.some((other) => file.startsWith(`${other}/`));
  // Files of folders with a configuration count as others, so that no parent is included whole.
  const kinds = Map.groupBy(all, (file) => (isLeft(file) ? 'none' : kindOf(file, folder)));
  const { native = [], odcs = [], none = [] } = Object.fromEntries(kinds);
  return { contracts: [...native, ...odcs].toSorted(), others: none, odcs, configured };
}

function isConfiguration(file: string): boolean {
  return [defaultFile, misspeltFile].includes(file.split('/').at(-1) ?? '');
}

function kindOf(file: string, folder: string): 'native' | 'odcs' | 'none' {
  const read = readText(file, folder);
  if (!('text' in read) || !/DataContract|fullyQualifiedName|entity/u.test(read.text))
    return 'none';
  // By keys that nothing else has; a contract with mistakes counts, so that they are reported.
  for (const { kind, apiVersion, entity, fullyQualifiedName } of valuesIn(read.text).filter(
    isObject,
  )) {
    if (kind === 'DataContract') return 'odcs';
    const isNative = isObject(entity) || typeof fullyQualifiedName === 'string';
    if (isNative && kind === undefined && apiVersion === undefined) return 'native';
  }
  return 'none';
}

type Repository = NonNullable<ReturnType<typeof readRepository>>;

function readRepository(folder: string) {
  const found = findGitFolder(folder);
  if (!found) return undefined;
  const { top: root, prefix } = found;
  // Lines `remote.origin.url https://ada@github.com/acme/data`, or `… git@github.com:acme/data`.
  const remotes = ask(['config', '--get-regexp', String.raw`^remote\..*\.url$`], root);
  const hosts = remotes.matchAll(/^\S+ (?:\w+:\/\/)?(?:[^/\n]*@)?([^/:@\n]+)/gmu);
  // GitHub itself, an Enterprise Server by its name, or ssh's name of them.
  const ofGitHub = /(?:^|[.-])github(?:[.-]|$)|\.ghe\.com$/iu;
  return {
    root,
    /** Relative to the root, with `/`; empty for the root. */
    place: prefix.replace(/\/$/u, ''),
    ...readBranch(root),
    isOnGitHub:
      [...hosts].some(([, host = '']) => ofGitHub.test(host)) || existsSync(join(root, '.github')),
  };
}

/** Not ignored by git, relative to `folder`; undefined without a repository of this user. */
function listFiles(folder: string, endings: readonly string[]) {
  const place = findGitFolder(folder);
  if (!place) return undefined;
  const paths = endings.map((ending) => pathsWithEnding(place, ending));
  const kinds = ['--cached', '--others', '--exclude-standard'];
  const { status, output } = runGit(['ls-files', '-z', ...kinds, '--', ...paths], place.top);
  if (status !== 0) return undefined;
  return output
    .toString()
    .split('\0')
    .filter((file) => file !== '')
    .map((file) => file.slice(place.prefix.length))
    .filter((file) => existsSync(join(folder, file)));
}

function readBranch(root: string) {
  const ofOrigin = ask(['symbolic-ref', '--short', 'refs/remotes/origin/HEAD'], root).trim();
  if (ofOrigin !== '') return { branch: ofOrigin.replace(/^origin\//u, ''), isDefaultBranch: true };
  const heads = ask(['for-each-ref', '--format=%(refname:short)', 'refs/heads'], root).split('\n');
  const current = ask(['symbolic-ref', '--short', 'HEAD'], root).trim() || 'main';
  const usual = ['main', 'master'].find((name) => name === current || heads.includes(name));
  return { branch: usual ?? current, isDefaultBranch: usual !== undefined };
}

function ask(args: readonly string[], root: string): string {
  const { status, output } = runGit(args, root);
  return status === 0 ? output.toString() : '';
}

const guide = 'https://github.com/contract-sync/contract-sync/blob/main/docs/github.md';

export function describeStart(start: Start): string {
  const parts = [remarks(start), settings(start), next(start)];
  return parts.flatMap((lines) => (lines.length > 0 ? ['', ...lines] : [])).join('\n') + '\n';
}

function remarks(start: Start): readonly string[] {
  const { found, isConfigured, repository, workflows, environments, catalog } = start;
  const lines = describeContracts(start);
  if (isConfigured) {
    const lacking = workflows
      .flatMap(({ environment }) => environment ?? [])
      .filter((name) => !environments.includes(name));
    if (lacking.length > 0)
      lines.push(`Add to \`environments\` of contract-sync.yaml: ${lacking.join(', ')}.`);
  } else {
    const dialect = `The catalog's kind is noted in contract-sync.yaml: \`dialect: ${catalog?.dialect}\`.`;
    lines.push(catalog ? dialect : unknownDialect);
    for (const folder of found.configured)
      lines.push(`${folder}/ has a configuration of its own, which covers the files below it.`);
  }
  if (workflows.length === 0)
    lines.push(`No workflows: ${repository ? notAtGitHub : noRepository}`);
  return lines;
}

const unknownDialect =
  'Fill in `catalog` in contract-sync.yaml. Without its `dialect`, each run asks the catalog for it.';

function describeContracts({ found, include, isConfigured }: Start): string[] {
  const { contracts, odcs } = found;
  if (contracts.length === 0) return [];
  const format =
    odcs.length === 0
      ? ''
      : `, ${odcs.length === contracts.length ? 'all' : odcs.length} of them ODCS`;
  const where = isConfigured ? '' : ` in ${include.join(', ')}`;
  return [`Found ${count(contracts.length, 'file', 'files')} with contracts${where}${format}.`];
}

const notAtGitHub =
  'no remote of this repository is at GitHub. If GitHub runs its workflows all the same, make a folder .github and run init again.';
const noRepository = 'this is no git repository. Run git init, add the remote, and run init again.';

function settings({ workflows, repository }: Start): readonly string[] {
  if (workflows.length === 0) return [];
  const rows = [
    ...workflows.flatMap(({ environment }) =>
      ([...sharedVariables, 'CATALOG_PLAN_CLIENT_ID'] as const).map((name): Row => [
        `variable ${variableName(name, environment)}`,
        meanings[name],
      ]),
    ),
    ...workflows.flatMap((place): Row[] => [
      [
        `environment ${jobEnvironment(place)}`,
        `for the branch ${repository?.branch} alone, with its own`,
      ],
      ['  variable CATALOG_APPLY_CLIENT_ID', meanings.CATALOG_APPLY_CLIENT_ID],
    ]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    "The workflows need, in the repository's settings:",
    ...rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
    `No secret is needed where the issuer trusts GitHub. For a token instead, see ${guide}`,
  ];
}

type Row = readonly [name: string, meaning: string];

const meanings = {
  CATALOG_URL: "the catalog's base URL, such as https://catalog.example.com/api",
  CATALOG_ISSUER: "the OpenID issuer of the catalog's tokens",
  CATALOG_PLAN_CLIENT_ID: 'a client that may list contracts',
  CATALOG_APPLY_CLIENT_ID: 'a client that may change contracts',
} as const;

function next({ files, found, environments, isConfigured, catalog }: Start): readonly string[] {
  const flag = environments[0] === undefined ? '' : ` --env ${environments[0]}`;
  const doctor = `run contract-sync doctor${flag}, which says what a run lacks.`;
  const isUnknown = !isConfigured && files[0]?.text.includes(unknownService);
  if (found.contracts.length > 0) {
    return [
      ...(isUnknown ? [fillIn] : []),
      `${isUnknown ? 'Then' : 'Next:'} run contract-sync validate, which needs no catalog.`,
      `Then ${doctor}`,
    ];
  }
  if (catalog?.hasContracts)
    return [
      'Next: run contract-sync import, which writes a file for each contract of the catalog; set `scope` first to take only yours.',
      'Then run contract-sync plan, which finds no changes.',
    ];
  const hasExample = files.some(({ file }) => file === exampleContract);
  const cleared = hasExample ? `delete ${exampleContract}, ` : '';
  const place = hasExample ? exampleContract : 'a file that `contracts.include` selects';
  return [
    `Next: ${doctor}`,
    ...(catalog?.hasContracts === false
      ? [`The catalog has no contracts. Describe one in ${place}, and run contract-sync validate.`]
      : [
          `If the catalog has contracts, ${cleared}set \`scope\`, and run contract-sync import${flag}.`,
          `If not, describe one in ${place}, and run contract-sync validate.`,
        ]),
  ];
}

const fillIn =
  'Next: in `odcs.entity` of contract-sync.yaml, replace the words in capitals with the names that the catalog has.';
