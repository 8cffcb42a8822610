/** The text of a first contract-sync.yaml: what it includes, and how it reads ODCS files. */

import type { YamlFiles } from './found.ts';
import { unknownService } from '../contract/names.ts';
import { escapeLikeYaml, isPlainText } from '../files/edit/scalar.ts';

export function renderConfiguration(
  include: readonly string[],
  hasOdcs: boolean,
  environments: readonly string[] = [],
): string {
  const ofEnvironments = environments.flatMap((name) => [
    `  ${quoted(name)}:`,
    `    # catalog: { url: https://catalog.${name}.example.com/api }`,
    /^(?:prd|prod|production|live)(?![a-z])/iu.test(name)
      ? '    protected: true # an apply at a terminal asks for the name'
      : '    protected: false',
  ]);
  const lines = [
    '# yaml-language-server: $schema=https://cdn.jsdelivr.net/npm/contract-sync/schemas/config.schema.json',
    ...(environments.length === 0 ? ['# catalog: { url: https://catalog.example.com/api }'] : []),
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
export function chooseInclude(files: YamlFiles): readonly string[] {
  const folders = wholeFolders('', files);
  if (folders.length === 1) return folders;
  return ownEnding(files) ?? folders;
}

const anyYaml = '*.{yaml,yml}';

function wholeFolders(folder: string, { contracts, others }: YamlFiles): readonly string[] {
  if (contracts.length === 0) return [];
  if (others.length === 0 && folder !== '') return [folder];
  const prefix = folder === '' ? '' : `${folder}/`;
  const isDirect = (file: string): boolean => !file.slice(prefix.length).includes('/');
  const direct = contracts.filter(isDirect);
  const isWhole = direct.length > 1 && !others.some(isDirect);
  const below = contracts.filter((file) => !isDirect(file));
  const children = new Set(below.map((file) => file.slice(prefix.length).split('/')[0] ?? ''));
  return [
    ...(isWhole ? [`${prefix}${anyYaml}`] : direct),
    ...[...children].flatMap((name) => {
      const child = `${prefix}${name}`;
      const isInside = (file: string): boolean => file.startsWith(`${child}/`);
      return wholeFolders(child, {
        contracts: contracts.filter(isInside),
        others: others.filter(isInside),
      });
    }),
  ];
}

function ownEnding({ contracts, others }: YamlFiles): readonly string[] | undefined {
  const endings = new Set(contracts.map(endingOf));
  const [ending = ''] = endings;
  const isTaken = others.some((file) => endingOf(file) === ending);
  return endings.size === 1 && !isTaken ? [`${commonFolder(contracts)}**/${ending}`] : undefined;
}

function endingOf(file: string): string {
  const name = file.split('/').at(-1) ?? '';
  const [, ending] = /^[^.]+(\.[\w-]+\.ya?ml)$/u.exec(name) ?? [];
  return ending === undefined ? name : `*${ending}`;
}

function commonFolder([first = '', ...rest]: readonly string[]): string {
  const names = first.split('/').slice(0, -1);
  const differs = names.findIndex((_, at) => {
    const folder = `${names.slice(0, at + 1).join('/')}/`;
    return rest.some((file) => !file.startsWith(folder));
  });
  const common = differs < 0 ? names : names.slice(0, differs);
  return common.map((name) => `${name}/`).join('');
}

/** The same or more, for GitHub's path filters, which know neither folders nor braces. */
export function pathFilters(include: readonly string[]): readonly string[] {
  return include.flatMap((name) => {
    const ends = ['yaml', 'yml'].map((ending) => name.replace('{yaml,yml}', ending));
    const plain = [...new Set(ends)].map((each) => (/\.ya?ml$/u.test(each) ? each : `${each}/**`));
    return plain.every((each) => /^[\w.*/ -]+$/u.test(each) && !each.includes('..'))
      ? plain
      : ['**'];
  });
}

const table = '{object.physicalName}';

/** The first rule counts whose placeholders have values in the file; the last always has. */
const odcsRules = [
  'odcs:',
  '  entity: # keep what fits your servers',
  ...[
    '{server.database}.{server.schema}',
    '{server.project}.{server.dataset}',
    '{server.catalog}.{server.schema}',
    'DATABASE.SCHEMA',
  ].map((place) => `    - { is: "${unknownService}.${place}.${table}" }`),
];
