/** The workflows of examples/workflows, as a repository, a folder and an environment have them. */

import { pathFilters } from './include.ts';

/** What one pair of workflows is for. */
export type WorkflowPlace = {
  /** The folder of the configuration as seen from the repository's root; empty for the root. */
  readonly folder: string;
  /** One of the configuration's environments. */
  readonly environment: string | undefined;
  readonly branch: string;
  /** What the configuration includes. */
  readonly include: readonly string[];
};

export const workflowKinds = ['plan', 'apply'] as const;

export type WorkflowKind = (typeof workflowKinds)[number];

/** The name of the example, and of its copy unless a folder or an environment is in it. */
export function workflowFile(kind: WorkflowKind, place?: WorkflowPlace): string {
  return `contract-sync-${[kind, ...(place ? marksOf(place) : [])].join('-')}.yml`;
}

/** The variable that holds something for an environment: `CATALOG_URL_DEV`. */
export function variableName(name: string, environment: string | undefined): string {
  if (environment === undefined) return name;
  return `${name}_${environment.toUpperCase().replaceAll(/\W/gu, '_')}`;
}

/** GitHub's environment, which holds the only credential that may write. */
export function jobEnvironment({ environment }: WorkflowPlace): string {
  return environment ?? 'catalog';
}

/** The example with all that differs in this place. */
export function adaptWorkflow(kind: WorkflowKind, example: string, place: WorkflowPlace): string {
  const { environment, branch } = place;
  const marks = marksOf(place);
  const edits: readonly Edit[] = [
    [`name: contracts ${kind}\n`, `name: ${['contracts', kind, ...marks].join(' ')}\n`],
    [`group: contracts-${kind}`, `group: ${['contracts', kind, ...marks].join('-')}`],
    [`command: ${kind}\n`, `command: ${kind}\n${inputLines(place)}`],
    ...sharedVariables.map((name): Edit => [name, variableName(name, environment)]),
    ...(kind === 'plan'
      ? [['CATALOG_PLAN_CLIENT_ID', variableName('CATALOG_PLAN_CLIENT_ID', environment)] as const]
      : ([
          ['branches: [main]', `branches: [${quoted(branch)}]`],
          ['branch main alone', `branch ${branch} alone`],
          ["paths: ['contracts/**', 'contract-sync.yaml']", `paths: [${filtersOf(place)}]`],
          ['environment: catalog\n', `environment: ${quoted(jobEnvironment(place))}\n`],
          [workflowFile('plan'), workflowFile('plan', place)],
        ] as const)),
  ];
  return edits.reduce(edited, example);
}

export const sharedVariables = ['CATALOG_URL', 'CATALOG_ISSUER'] as const;

type Edit = readonly [text: string, by: string];

function edited(text: string, [before, after]: Edit): string {
  if (!text.includes(before)) throw new Error(`The example of a workflow has no ${before}`);
  return text.replaceAll(before, () => after);
}

/** Several teams' and environments' workflows stand side by side. */
function marksOf({ folder, environment }: WorkflowPlace): readonly string[] {
  const ofFolder = folder.replaceAll(/[^\w.]+/gu, '-').replaceAll(/^-|-$/gu, '');
  return [ofFolder, environment ?? ''].filter((mark) => mark !== '');
}

function inputLines({ folder, environment }: WorkflowPlace): string {
  const indent = ' '.repeat(10);
  return [
    ...(folder === '' ? [] : [`${indent}working-directory: ${quoted(folder)}\n`]),
    ...(environment === undefined ? [] : [`${indent}environment: ${quoted(environment)}\n`]),
  ].join('');
}

function filtersOf({ folder, include }: WorkflowPlace): string {
  const inside = folder === '' ? '' : `${folder}/`;
  return [...pathFilters(include), 'contract-sync.yaml']
    .map((path) => quoted(`${inside}${path}`))
    .join(', ');
}

function quoted(text: string): string {
  return /^[a-z][\w/-]*$/iu.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}
