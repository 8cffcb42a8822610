import { parseWorldSeed } from './openmetadata/seed.ts';
import { type OpenMetadataOptions, startOpenMetadata } from './openmetadata/server.ts';
import { parseSeed, startSandbox, type Sandbox } from './sandbox.ts';

export type EmbeddedCatalog = Pick<Sandbox, 'url' | 'token' | 'first' | 'close'> & {
  readonly contracts: number;
};

type SandboxKind = {
  readonly dialect: string;
  readonly example: string;
  readonly start: (
    options: Pick<OpenMetadataOptions, 'port' | 'token' | 'release'>,
    seed: { readonly text: string; readonly file: string } | undefined,
  ) => Promise<EmbeddedCatalog>;
};

export function sandboxOf(name: string): SandboxKind {
  return [standard, openmetadata].find(({ dialect }) => dialect === name) ?? standard;
}

const standard: SandboxKind = {
  dialect: 'standard',
  example: 'quickstart',
  start: async (options, given) => {
    const seed = given ? parseSeed(given.text, given.file) : [];
    const catalog = await startSandbox({ ...options, seed });
    return { ...catalog, contracts: seed.length };
  },
};

const openmetadata: SandboxKind = {
  dialect: 'openmetadata',
  example: 'openmetadata',
  start: async (options, given) => {
    const seed = given ? parseWorldSeed(given.text, given.file) : {};
    const catalog = await startOpenMetadata({ ...options, seed });
    return { ...catalog, contracts: seed.contracts?.length ?? 0 };
  },
};

/** Edits that a person makes in the catalog's own pages, so that there is drift to see. */
export function handEdit(id: string): readonly string[] {
  return [
    'To edit a contract by hand, as in the pages of a catalog:',
    '',
    `  curl --request PATCH "$CONTRACT_SYNC_URL/v1/dataContracts/${id}" \\`,
    '    --header "Authorization: Bearer $CONTRACT_SYNC_TOKEN" \\',
    "    --header 'Content-Type: application/json-patch+json' \\",
    '    --data \'[{ "op": "add", "path": "/description", "value": "Edited by hand." }]\'',
    '',
  ];
}
