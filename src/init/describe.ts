/** The text about the files that a repository begins with, and the next steps. */

import { variableName } from '../config/settings.ts';
import { count } from '../core/text.ts';
import { unknownService } from '../contract/names.ts';
import { exampleContract, type Start } from './start.ts';
import { jobEnvironment, sharedVariables, workflowsFolder } from './files.ts';

const guide = 'https://github.com/contract-sync/contract-sync/blob/main/docs/github.md';

export function describeStart(start: Start): string {
  const parts = [remarks(start), settings(start), next(start)];
  return parts.flatMap((lines) => (lines.length > 0 ? ['', ...lines] : [])).join('\n') + '\n';
}

function remarks(start: Start): readonly string[] {
  const { found, above, isConfigured, repository, workflows, environments } = start;
  const { unchosen, dialect } = start;
  const lines = describeContracts(start);
  if (isConfigured) {
    const lacking = workflows
      .flatMap(({ environment }) => environment ?? [])
      .filter((name) => !environments.includes(name));
    if (lacking.length > 0)
      lines.push(`Add to \`environments\` of contract-sync.yaml: ${lacking.join(', ')}.`);
  } else {
    lines.push(dialect === undefined ? unknownDialect : noted(dialect));
    for (const folder of found.configured)
      lines.push(`${folder}/ has a configuration of its own, which covers the files below it.`);
    if (above !== undefined)
      lines.push(`${above} no longer counts in this folder: the nearest one does.`);
  }
  if (unchosen.length > 0)
    lines.push(
      `Delete ${unchosen.join(', ')} in ${workflowsFolder}: they choose no environment, and run beside the new ones.`,
    );
  if (workflows.length === 0)
    lines.push(`No workflows: ${repository ? notAtGitHub : noRepository}`);
  return lines;
}

const unknownDialect =
  'Fill in `catalog` in contract-sync.yaml. Without its `dialect`, each run asks the catalog for it.';

function noted(dialect: string): string {
  return `The catalog's kind is noted in contract-sync.yaml: \`dialect: ${dialect}\`.`;
}

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

function next({ files, found, environments, isConfigured }: Start): readonly string[] {
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
  const hasExample = files.some(({ file }) => file === exampleContract);
  const cleared = hasExample ? `delete ${exampleContract}, ` : '';
  const place = hasExample ? exampleContract : 'a file that `contracts.include` selects';
  return [
    `Next: ${doctor}`,
    `If the catalog has contracts, ${cleared}set \`scope\`, and run contract-sync import${flag}.`,
    `If not, describe one in ${place}, and run contract-sync validate.`,
  ];
}

const fillIn =
  'Next: in `odcs.entity` of contract-sync.yaml, replace the words in capitals with the names that the catalog has.';
