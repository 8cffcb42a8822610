import { parseWorldSeed } from './openmetadata/seed.ts';
import { startOpenMetadata } from './openmetadata/server.ts';
import { parseSeed, startSandbox, type Sandbox } from './sandbox.ts';

export type EmbeddedCatalog = Pick<Sandbox, 'url' | 'token' | 'close'> & {
  readonly contracts: number;
};

type Options = {
  readonly port: number;
  readonly token?: string;
  readonly release?: string | undefined;
};

type SeedFile = { readonly text: string; readonly file: string };

type SandboxKind = {
  readonly dialect: string;
  /** A folder in `examples/`. */
  readonly example: string;
  readonly start: (options: Options, seed: SeedFile | undefined) => Promise<EmbeddedCatalog>;
};

const standard: SandboxKind = {
  dialect: 'standard',
  example: 'quickstart',
  start: async (options, seed) => {
    const contracts = seed ? parseSeed(seed.text, seed.file) : [];
    const catalog = await startSandbox({ ...options, seed: contracts });
    return { ...catalog, contracts: contracts.length };
  },
};

const openmetadata: SandboxKind = {
  dialect: 'openmetadata',
  example: 'openmetadata',
  start: async (options, seed) => {
    const world = seed && parseWorldSeed(seed.text, seed.file);
    const catalog = await startOpenMetadata({ ...options, ...(world && { seed: world }) });
    return { ...catalog, contracts: world?.contracts?.length ?? 0 };
  },
};

const sandboxes: readonly SandboxKind[] = [standard, openmetadata];

export function sandboxOf(name: string): SandboxKind {
  return sandboxes.find(({ dialect }) => dialect === name) ?? standard;
}
