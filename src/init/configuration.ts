/** The text of a first contract-sync.yaml: what it includes, and how it reads ODCS files. */

import { posix } from 'node:path';
import { unknownService } from '../contract/names.ts';
import { escapeLikeYaml, isPlainText } from '../files/edit/scalar.ts';

export type Configuration = {
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
      : `catalog: { dialect: ${dialect} } # and its url, which CONTRACT_SYNC_URL has otherwise`;
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
export function pathFilters(include: readonly string[]): readonly string[] {
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
