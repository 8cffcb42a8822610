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
  const { found, above, isConfigured, repository, workflows, environments, unchosen, dialect } =
    start;
  const lacking = workflows.flatMap(({ environment }) =>
    environment === undefined || environments.includes(environment) ? [] : [environment],
  );
  return [
    ...describeContracts(start),
    ...(isConfigured
      ? []
      : [
          dialect === undefined
            ? 'Fill in `catalog` in contract-sync.yaml. Without its `dialect`, each run asks the catalog for it.'
            : `The catalog's kind is noted in contract-sync.yaml: \`dialect: ${dialect}\`.`,
        ]),
    ...(isConfigured
      ? []
      : found.configured.map(
          (folder) => `${folder}/ has a configuration of its own, and is left to it.`,
        )),
    ...(above === undefined
      ? []
      : [`${above} no longer counts in this folder: the nearest one does.`]),
    ...(isConfigured && lacking.length > 0
      ? [`Add to \`environments\` of contract-sync.yaml: ${lacking.join(', ')}.`]
      : []),
    ...(unchosen.length === 0
      ? []
      : [
          `Delete ${unchosen.join(' and ')} in ${workflowsFolder}: they choose no environment, and run beside the new ones.`,
        ]),
    ...(workflows.length > 0 ? [] : [`No workflows: ${repository ? notAtGitHub : noRepository}`]),
  ];
}

function describeContracts({ found, include, isConfigured }: Start): readonly string[] {
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
