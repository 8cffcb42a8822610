import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseWorldSeed } from '../../src/sandbox/openmetadata/seed.ts';
import { startOpenMetadata } from '../../src/sandbox/openmetadata/server.ts';
import { parseSeed, startSandbox } from '../../src/sandbox/sandbox.ts';
import { built } from '../support/built.ts';
import { outputOf, run } from '../support/process.ts';
import { root } from '../support/root.ts';
import { runInProcess } from '../support/run-program.ts';
import type { Setting } from './page.ts';

/** What the commands of a page see: a folder, its catalog, and a shell that knows contract-sync. */
export type World = {
  readonly write: (name: string, text: string) => void;
  /** What a command prints, both streams in one, as a page shows it. */
  readonly run: (command: string) => Promise<string>;
  /** A person's edit of the catalog, RFC 6902. */
  readonly edit: (contract: string, patch: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openWorld({ folder, dialect, isInGit }: Setting): Promise<World> {
  const home = mkdtempSync(join(tmpdir(), 'contract-sync-docs-'));
  const here = join(home, 'data-contracts');
  cpSync(join(root, folder), here, { recursive: true });
  const catalog = await serveCatalogOf(here, dialect);
  const cli = await built('cli.js');
  const environment = { ...environmentOf(home, cli), CONTRACT_SYNC_URL: catalog.url };
  installLibrary(here, dirname(cli));
  if (isInGit) commitAll(here, environment);
  return {
    write: (name, text) => writeFileSync(join(here, name), text),
    run: async (command) => {
      const env = { ...environment, CONTRACT_SYNC_TOKEN: catalog.token };
      return (await outputIn(command, here, env))
        .replaceAll(new URL(catalog.url).origin, 'http://127.0.0.1:8585')
        .replaceAll(home, '/home/mira');
    },
    edit: (contract, patch) => editLive(catalog, contract, patch),
    close: async () => {
      await catalog.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

// What needs no shell runs here: starting the program takes longer than most of what it does.
async function outputIn(command: string, folder: string, environment: Record<string, string>) {
  const [, given, code] =
    /^contract-sync((?: (?:[-\w./:=@]+|"[^"$`\\]*"|'[^']*'))*) *(; echo "exit code: \$\?")?$/u.exec(
      command,
    ) ?? [];
  if (given === undefined)
    return (await run('sh', ['-c', `exec 2>&1; ${command}`], { cwd: folder, env: environment }))
      .stdout;
  const words = given.match(/"[^"]*"|'[^']*'|[^ ]+/gu) ?? [];
  const args = words.map((word) => word.replace(/^(["'])(.*)\1$/u, '$2'));
  let printed = '';
  const onOutput = (text: string) => {
    printed += text;
  };
  const ended = await runInProcess(args, { folder, environment, onOutput });
  return code === undefined ? printed : `${printed}exit code: ${ended.code}\n`;
}

async function serveCatalogOf(folder: string, dialect: Setting['dialect']) {
  const file = join(folder, 'catalog.json');
  const seed = readFileSync(file, 'utf8');
  rmSync(file);
  return dialect === 'openmetadata'
    ? await startOpenMetadata({ seed: parseWorldSeed(seed, file) })
    : await startSandbox({ seed: parseSeed(seed, file) });
}

function environmentOf(home: string, cli: string): Record<string, string> {
  writeFileSync(join(home, '.gitignore'), 'node_modules\n');
  const programs = join(home, '.local', 'bin');
  mkdirSync(programs, { recursive: true });
  const program = join(programs, 'contract-sync');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(program, 0o755);
  const date = '2026-03-02T09:00:00Z';
  return {
    PATH: [programs, dirname(process.execPath), process.env['PATH']].join(':'),
    HOME: home,
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: process.env['GIT_CONFIG_GLOBAL'] ?? '',
    GIT_AUTHOR_NAME: 'Mira Okafor',
    GIT_AUTHOR_EMAIL: 'mira@example.com',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'Mira Okafor',
    GIT_COMMITTER_EMAIL: 'mira@example.com',
    GIT_COMMITTER_DATE: date,
  };
}

/** As npm would, with what is built. */
function installLibrary(folder: string, dist: string): void {
  const installed = join(folder, 'node_modules', 'contract-sync');
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, 'package.json'), join(installed, 'package.json'));
  symlinkSync(dist, join(installed, 'dist'));
}

function commitAll(folder: string, environment: Record<string, string>): void {
  for (const args of [
    ['init', '--quiet'],
    ['config', 'core.excludesFile', '../.gitignore'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'Add the contracts'],
  ]) {
    outputOf('git', args, { cwd: folder, env: environment });
  }
}

type Access = { readonly url: string; readonly token: string };

async function editLive({ url, token }: Access, name: string, patch: string): Promise<void> {
  const authorization = `Bearer ${token}`;
  const list = await fetch(`${url}/v1/dataContracts?limit=1000`, { headers: { authorization } });
  const { data } = JSON.parse(await list.text());
  const live = data.find((one: Record<string, unknown>) => one['fullyQualifiedName'] === name);
  if (!live) throw new Error(`The catalog of this page holds no ${name}.`);
  const answer = await fetch(`${url}/v1/dataContracts/${live.id}`, {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json-patch+json' },
    body: patch,
  });
  if (!answer.ok) throw new Error(`The edit of ${name} is refused: ${await answer.text()}`);
}
