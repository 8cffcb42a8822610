/** The workflows of examples/workflows, as a repository, a folder and an environment have them. */

import { variableName } from '../config/settings.ts';
import { ConfigError } from '../core/diagnostic.ts';
import { quote } from '../core/text.ts';
import { pathFilters } from './configuration.ts';

export type WorkflowPlace = {
  readonly folder: string;
  readonly environment: string | undefined;
  readonly branch: string;
  /** As far as the clone tells. */
  readonly isDefaultBranch: boolean;
  readonly include: readonly string[];
};

export const workflowsFolder = '.github/workflows';

export const workflowKinds = ['plan', 'apply'] as const;

export type WorkflowKind = (typeof workflowKinds)[number];

export function workflowFile(kind: WorkflowKind, place?: WorkflowPlace): string {
  return `contract-sync-${[kind, ...(place ? marksOf(place) : [])].join('-')}.yml`;
}

// GitHub's environment, which holds the only credential that may write.
export function jobEnvironment({ environment }: WorkflowPlace): string {
  return environment ?? 'catalog';
}

export function adaptWorkflow(kind: WorkflowKind, example: string, place: WorkflowPlace): string {
  const { environment, branch } = place;
  const marks = marksOf(place);
  const edits: readonly Edit[] = [
    [`name: contracts ${kind}\n`, `name: ${['contracts', kind, ...marks].join(' ')}\n`],
    [`group: contracts-${kind}`, `group: ${['contracts', kind, ...marks].join('-')}`],
    [`command: ${kind}\n`, `command: ${kind}\n${inputLines(kind, place)}`],
    ...sharedVariables.map((name): Edit => [name, variableName(name, environment)]),
    ...(kind === 'plan'
      ? [['CATALOG_PLAN_CLIENT_ID', variableName('CATALOG_PLAN_CLIENT_ID', environment)] as const]
      : ([
          ['branches: [main]', `branches: [${quoted(literalFilter(branch))}]`],
          ['branch main alone', `branch ${branch} alone`],
          ["paths: ['contracts/**', 'contract-sync.yaml']", `paths: [${filtersOf(place)}]`],
          ['environment: catalog\n', `environment: ${quoted(jobEnvironment(place))}\n`],
          [workflowFile('plan'), workflowFile('plan', place)],
        ] as const)),
  ];
  return edits.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`The example of a workflow has no ${before}`);
    return text.replaceAll(before, () => after);
  }, example);
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
    ...(isNamed ? [`${indent}apply-branches: ${quoted(branch)}\n`] : []),
    ...(folder === '' ? [] : [`${indent}working-directory: ${quoted(folder)}\n`]),
    ...(environment === undefined ? [] : [`${indent}environment: ${quoted(environment)}\n`]),
  ].join('');
}

function filtersOf({ folder, include }: WorkflowPlace): string {
  const inside = folder === '' ? '' : `${literalFilter(folder)}/`;
  return [...pathFilters(include), 'contract-sync.yaml']
    .map((path) => quoted(`${inside}${path}`))
    .join(', ');
}

function literalFilter(name: string): string {
  return name.replaceAll(/[*?+![\]\\]/gu, String.raw`\$&`);
}

function quoted(text: string): string {
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
