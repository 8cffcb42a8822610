/** The text of a first contract-sync.yaml. */

import { escapeLikeYaml } from '../files/edit/scalar.ts';
import { isProduction } from './odcs.ts';

type Configuration = {
  readonly include: readonly string[];
  /** Lines of the section `odcs`; none where it is not needed. */
  readonly odcs: readonly string[];
  readonly environments: readonly string[];
  /** Where it is known. */
  readonly catalogUrl: string | undefined;
};

const head = [
  '# yaml-language-server: $schema=https://cdn.jsdelivr.net/npm/contract-sync/schemas/config.schema.json',
];

export function renderConfiguration(configuration: Configuration): string {
  const { include, odcs, environments, catalogUrl } = configuration;
  const lines = [
    ...head,
    ...catalogLines(catalogUrl, environments),
    `contracts: { include: [${include.map(quoted).join(', ')}] }`,
    ...odcs,
    '# The live contracts that are yours: `import` writes files for them, `plan` lists those without a file.',
    '# scope: ["warehouse.sales.**"]',
    ...environmentLines(environments),
  ];
  return `${lines.join('\n')}\n`;
}

/** Each environment has its own. */
function catalogLines(url: string | undefined, environments: readonly string[]): readonly string[] {
  if (environments.length > 0) return [];
  if (url === undefined) return ['# catalog: { url: https://catalog.example.com/api }'];
  return [`catalog: { url: ${quoted(url)} }`];
}

function environmentLines(environments: readonly string[]): readonly string[] {
  if (environments.length === 0) return [];
  return [
    '# One for each catalog, chosen by --env or CONTRACT_SYNC_ENV; each may override any key of this file.',
    'environments:',
    ...environments.flatMap((name) => [
      `  ${quoted(name)}:`,
      `    # catalog: { url: https://catalog.${name}.example.com/api }`,
      ...(isProduction(name)
        ? ['    protected: true # an apply at a terminal asks for the name']
        : ['    protected: false']),
    ]),
  ];
}

/** As it is where YAML takes it for a text in any place. */
function quoted(text: string): string {
  const isPlain = /^[a-z][\w./-]*$/iu.test(text) && !/^(?:true|false|null)$/iu.test(text);
  return isPlain ? text : escapeLikeYaml(JSON.stringify(text));
}
