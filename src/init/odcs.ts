/** Which setting `odcs` fits the files that are there. */

import { parseConfig } from '../config/file.ts';
import { resolveOdcs } from '../config/rules.ts';
import { currentDay } from '../config/settings.ts';
import { isArray, isObject, type JsonValue } from '../core/json.ts';
import { parseContractFile, type Source } from '../files/formats/contract-file.ts';
import { valuesIn } from '../files/read/document.ts';

/** Stands where no file says it: what the catalog calls the database service. */
export const unknownService = 'SERVICE';

const table = '{object.physicalName}';
const byServer = [
  `${unknownService}.{server.database}.{server.schema}.${table}`,
  `${unknownService}.{server.project}.{server.dataset}.${table}`,
  `${unknownService}.{server.catalog}.{server.schema}.${table}`,
];
/** For files that name no server: it always has a value. */
const byNothing = `${unknownService}.DATABASE.SCHEMA.${table}`;

/** The lines of the simplest setting with which the fewest files have errors; none where none is needed. */
export function chooseOdcs(files: readonly Source[]): readonly string[] {
  const named = serversIn(files);
  const simple = [undefined, ...named].flatMap((server) =>
    byServer.map((template) => settingOf([template], server)),
  );
  // By its name first: without it, files with several servers are read by no template but the last.
  const lists = [...named, undefined].map((server) => {
    const useful = byServer.filter((template) => readsAny(settingOf([template], server), files));
    return settingOf([...useful, byNothing], server);
  });
  const settings = [[], ...simple, ...lists];
  const counted = settings.map((lines) => ({ lines, errors: countErrors(lines, files) }));
  const least = Math.min(...counted.map(({ errors }) => errors));
  return counted.find(({ errors }) => errors === least)?.lines ?? [];
}

/** Of several templates, the first counts that has all its values. */
function settingOf(templates: readonly string[], server: string | undefined): readonly string[] {
  const [only = '', ...more] = templates;
  return [
    'odcs:',
    ...(more.length === 0
      ? [`  entity: "${only}"`]
      : ['  entity:', ...templates.map((template) => `    - { is: "${template}" }`)]),
    ...(server === undefined ? [] : [`  server: ${JSON.stringify(server)}`]),
  ];
}

function readsAny(lines: readonly string[], files: readonly Source[]): boolean {
  return readWith(lines, files).some(({ contracts }) => contracts.length > 0);
}

function countErrors(lines: readonly string[], files: readonly Source[]): number {
  return readWith(lines, files)
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ severity }) => severity === 'error').length;
}

function readWith(lines: readonly string[], files: readonly Source[]) {
  const config = parseConfig('contract-sync.yaml', `${lines.join('\n')}\n`);
  const odcs = resolveOdcs(config, { environment: {}, today: currentDay() });
  return files.map((file) => parseContractFile(file, { odcs }));
}

/** What several servers of a file are called, production first. */
function serversIn(files: readonly Source[]): readonly string[] {
  const names = files
    .flatMap(({ text }) => valuesIn(text))
    .flatMap((document) => namesOf(isObject(document) ? document['servers'] : undefined));
  return [...new Set(names)].toSorted((a, b) => Number(isProduction(b)) - Number(isProduction(a)));
}

function namesOf(servers: JsonValue | undefined): readonly string[] {
  if (!isArray(servers) || servers.length < 2) return [];
  return servers
    .map((server) => (isObject(server) ? (server['environment'] ?? server['server']) : undefined))
    .filter((name) => typeof name === 'string');
}

/** Whether a name is what people call the environment that counts. */
export function isProduction(name: string): boolean {
  return /^(?:prd|prod|production|live)(?![a-z])/iu.test(name);
}
