/** The texts of the first files: the configuration, and workflows as a repository, a folder and an environment have them. */

import { posix } from 'node:path';
import { variableName } from '../config/settings.ts';
import { unknownService } from '../contract/names.ts';
import { ConfigError } from '../core/diagnostic.ts';
import { quote } from '../core/text.ts';
import { escapeLikeYaml, isPlainText } from '../files/edit/scalar.ts';

type Configuration = {
  readonly include: readonly string[];
  readonly hasOdcs: boolean;
  readonly environments?: readonly string[] | undefined;
  /** That the catalog has named. */
  readonly dialect?: string | undefined;
  /** All that there are, the likeliest first. */
  readonly dialects: readonly string[];
};

export function renderConfiguration({
  include,
  hasOdcs,
  environments = [],
  dialect,
  dialects: [likeliest = '', ...others],
}: Configuration): string {
  const catalogAt = (host: string) =>
    `# catalog: { url: https://${host}/api, dialect: ${likeliest} } # or ${others.join(', ')}`;
  const ofAll =
    dialect === undefined
      ? catalogAt('catalog.example.com')
      : `catalog: { dialect: ${dialect} } # its url may stand here too, in place of CONTRACT_SYNC_URL`;
  const ofEnvironments = environments.flatMap((name) => [
    `  ${quoted(name)}:`,
    `    ${catalogAt(`catalog.${name}.example.com`)}`,
    /^(?:prd|prod|production|live)(?![a-z])/iu.test(name)
      ? '    protected: true # an apply at a terminal asks for the name'
      : '    protected: false',
  ]);
  const lines = [
    '# yaml-language-server: $schema=https://cdn.jsdelivr.net/npm/contract-sync/schemas/config.schema.json',
    ...(environments.length === 0 ? [ofAll] : []),
    `contracts: { include: [${include.map(quoted).join(', ')}] }`,
    ...(hasOdcs ? odcsRules : []),
    '# The live contracts that are yours: `import` writes files for them, `plan` lists those without a file.',
    '# scope: ["warehouse.sales.**"]',
    ...(environments.length === 0
      ? []
      : [
          '# One for each catalog, chosen by --env or CONTRACT_SYNC_ENV; each may override any key of this file.',
          'environments:',
          ...ofEnvironments,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  const isPlain = /^[a-z][\w./-]*$/iu.test(text) && isPlainText(text, true);
  return isPlain ? text : escapeLikeYaml(JSON.stringify(text));
}

/** One folder if it will do, else an ending that only contracts have, else folders and files. */
export function chooseInclude(contracts: readonly string[], others: readonly string[]) {
  const mixed = new Set(others.flatMap(foldersOf));
  const besideOthers = new Set(others.map((file) => posix.dirname(file)));
  const direct = Map.groupBy(contracts, (file) => posix.dirname(file));
  const places = contracts.map((file) => {
    const folder = posix.dirname(file);
    const isAlone = besideOthers.has(folder) || direct.get(folder)?.length === 1;
    const whole = foldersOf(file).find((each) => !mixed.has(each));
    return whole ?? (isAlone ? file : posix.join(folder, '*.{yaml,yml}'));
  });
  const folders = [...new Set(places)];
  if (folders.length === 1) return folders;
  const endings = new Set(contracts.map(endingOf));
  const [ending = ''] = endings;
  if (endings.size !== 1 || others.some((file) => endingOf(file) === ending)) return folders;
  const [first = '', ...rest] = contracts;
  const isCommon = (folder: string) => rest.every((file) => file.startsWith(`${folder}/`));
  return [posix.join(foldersOf(first).findLast(isCommon) ?? '', '**', ending)];
}

// `a` and `a/b` of `a/b/orders.yaml`.
function foldersOf(file: string): string[] {
  const names = file.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

function endingOf(file: string): string {
  const name = posix.basename(file);
  const [, ending] = /^[^.]+(\.[\w-]+\.ya?ml)$/u.exec(name) ?? [];
  return ending === undefined ? name : `*${ending}`;
}

/** The same or more, for GitHub's path filters, which know neither folders nor braces. */
function pathFilters(include: readonly string[]): readonly string[] {
  return include.flatMap((name) => {
    const ends = ['yaml', 'yml'].map((ending) => name.replace('{yaml,yml}', ending));
    const plain = [...new Set(ends)].map((each) => (/\.ya?ml$/u.test(each) ? each : `${each}/**`));
    return plain.every((each) => /^[\w.*/ -]+$/u.test(each) && !each.includes('..'))
      ? plain
      : ['**'];
  });
}

// The first rule counts whose placeholders have values in the file; the last always has.
const odcsRules = [
  'odcs:',
  '  entity: # keep what fits your servers',
  ...[
    '{server.database}.{server.schema}',
    '{server.project}.{server.dataset}',
    '{server.catalog}.{server.schema}',
    'DATABASE.SCHEMA',
  ].map((place) => `    - { is: "${unknownService}.${place}.{object.physicalName}" }`),
];

export type WorkflowPlace = {
  readonly folder: string;
  readonly environment: string | undefined;
  readonly branch: string;
  readonly isDefaultBranch: boolean;
  readonly include: readonly string[];
};

export const workflowsFolder = '.github/workflows';

export const workflowKinds = ['plan', 'apply', 'rollback', 'review'] as const;

type WorkflowKind = (typeof workflowKinds)[number];

export function workflowFile(kind: WorkflowKind, place?: WorkflowPlace): string {
  return `contract-sync-${[kind, ...(place ? marksOf(place) : [])].join('-')}.yml`;
}

// GitHub's environment, which holds the only credential that may write.
export function jobEnvironment({ environment }: WorkflowPlace): string {
  return environment ?? 'catalog';
}

export function adaptWorkflow(kind: WorkflowKind, example: string, place: WorkflowPlace): string {
  const marks = marksOf(place);
  // A rollback waits for an apply, and the other way round.
  const group = kind === 'rollback' ? 'apply' : kind;
  const edits: readonly Edit[] = [
    [`name: contracts ${kind}\n`, `name: ${['contracts', kind, ...marks].join(' ')}\n`],
    [`group: contracts-${group}`, `group: ${['contracts', group, ...marks].join('-')}`],
    ...ownEdits(kind, place),
  ];
  return edits.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`The example of a workflow has no ${before}`);
    return text.replaceAll(before, () => after);
  }, example);
}

function ownEdits(kind: WorkflowKind, place: WorkflowPlace): readonly Edit[] {
  const { environment, branch } = place;
  const shared = sharedVariables.map((name): Edit => [name, variableName(name, environment)]);
  const planFile: Edit = [workflowFile('plan'), workflowFile('plan', place)];
  const ofPlan = 'CATALOG_PLAN_CLIENT_ID';
  const reader: Edit = [ofPlan, variableName(ofPlan, environment)];
  const job: Edit = ['environment: catalog', `environment: ${inWorkflow(jobEnvironment(place))}`];
  const command: Edit = [`command: ${kind}\n`, `command: ${kind}\n${inputLines(kind, place)}`];
  switch (kind) {
    case 'plan':
      return [...shared, reader, command];
    case 'apply':
      return [
        ...shared,
        job,
        command,
        ['branches: [main]', `branches: [${inWorkflow(literalFilter(branch))}]`],
        ['branch main alone', `branch ${branch} alone`],
        ["paths: ['contracts/**', 'contract-sync.yaml']", `paths: [${filtersOf(place)}]`],
        planFile,
      ];
    case 'rollback':
      return [...shared, reader, job, ['\njobs:\n', `${settingLines(place)}\njobs:\n`]];
    case 'review':
      return [planFile];
  }
}

export const sharedVariables = ['CATALOG_URL', 'CATALOG_ISSUER'] as const;

type Edit = readonly [text: string, by: string];

function marksOf({ folder, environment }: WorkflowPlace): readonly string[] {
  const ofFolder = folder.replaceAll(/[^\w.]+/gu, '-').replaceAll(/^-|-$/gu, '');
  return [ofFolder, environment ?? ''].filter((mark) => mark !== '');
}

function inputLines(kind: WorkflowKind, place: WorkflowPlace): string {
  const { folder, environment, branch, isDefaultBranch } = place;
  const indent = ' '.repeat(10);
  const isNamed = kind === 'apply' && !isDefaultBranch;
  return [
    ...(isNamed ? [`${indent}apply-branches: ${inWorkflow(branch)}\n`] : []),
    ...(folder === '' ? [] : [`${indent}working-directory: ${inWorkflow(folder)}\n`]),
    ...(environment === undefined ? [] : [`${indent}environment: ${inWorkflow(environment)}\n`]),
  ].join('');
}

// The command line takes these from its environment and its folder.
function settingLines({ folder, environment }: WorkflowPlace): string {
  return [
    ...(environment === undefined ? [] : [`  CONTRACT_SYNC_ENV: ${inWorkflow(environment)}\n`]),
    ...(folder === ''
      ? []
      : [`\ndefaults:\n  run:\n    working-directory: ${inWorkflow(folder)}\n`]),
  ].join('');
}

function filtersOf({ folder, include }: WorkflowPlace): string {
  const inside = folder === '' ? '' : `${literalFilter(folder)}/`;
  return [...pathFilters(include), 'contract-sync.yaml']
    .map((path) => inWorkflow(`${inside}${path}`))
    .join(', ');
}

function literalFilter(name: string): string {
  return name.replaceAll(/[*?+![\]\\]/gu, String.raw`\$&`);
}

function inWorkflow(text: string): string {
  const isPlain =
    /^[a-z][\w/-]*$/iu.test(text) && !/^(?:true|false|null|y|n|yes|no|on|off)$/iu.test(text);
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`;
}

/** GitHub evaluates `${{ }}` anywhere, and a line break ends a quoted scalar. */
export function refuseUnquotable(what: 'branch' | 'folder', name: string): void {
  if (!/[\p{Cc}\p{Zl}\p{Zp}]|\$\{\{/u.test(name)) return;
  const why = name.includes('${{') ? 'an expression' : 'a line break or a control character';
  const message = `The name of the ${what} ${quote(name)} can't stand in a workflow: it has ${why}.`;
  const hint = `Rename the ${what}, and run init again.`;
  throw new ConfigError('unsafe-name', message, { hint });
}
