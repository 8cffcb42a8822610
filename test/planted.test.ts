/** What a commit can plant so that git, or what git starts, runs a command of its author. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeOf, liveContract } from './action/catalog.ts';
import { annotationsIn, pullRequestEvent, runAction } from './action/run-action.ts';
import { serveGitHub } from './action/github-server.ts';
import { gitInTurn, makeGitFolder } from './support/git-folder.ts';
import { runInProcess } from './support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from './support/workspace.ts';

/** A clone in which the folder `data` looks like a repository whose configuration runs a command. */
async function plant() {
  const marker = join(makeFolder(), 'ran');
  const command = `env > ${marker} #`;
  const work = makeGitFolder({
    'data/HEAD': 'ref: refs/heads/k\n',
    'data/objects/k': '',
    'data/refs/heads/k': '',
    'data/config': `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "${command}"\n`,
    'data/contracts/orders.yaml': changeOf('orders', 'Base.'),
    'data/contract-sync.yaml': 'contracts: { include: [contracts] }\n',
  });
  work.git('switch', '--quiet', '-c', 'work');
  work.write('data/contracts/orders.yaml', changeOf('orders'));
  work.git('commit', '--quiet', '-am', 'Change');
  const catalog = await serveCatalog({ seed: [liveContract('orders', { description: 'Base.' })] });
  const ran = () => (existsSync(marker) ? readFileSync(marker, 'utf8') : 'nothing');
  return { ...work, catalog, marker, ran };
}

/** Each asks git something else. */
const commands = [
  ['plan', '--base', 'main'],
  ['plan', '--changed-since', 'main'],
  ['apply', '--yes'],
  ['pull', '--drift', '--base', 'main'],
  ['pull'],
  ['history', 'contracts/orders.yaml'],
  ['init'],
];

describe('a folder that a commit makes look like a repository', () => {
  test.for([
    ['plan', pullRequestEvent()],
    ['apply', undefined],
  ] as const)('is a folder of the clone to the Action: %s', async ([command, event]) => {
    const { folder, catalog, ran } = await plant();
    const github = await serveGitHub();
    const given = { 'catalog-url': catalog.url, token: catalog.token, base: 'main' };
    const inputs = { ...given, command, 'working-directory': 'data', 'auto-approve': 'true' };
    const run = await runAction({ folder, github, inputs, ...(event && { event }) });
    expect(ran()).toBe('nothing');
    expect(run).toMatchObject({ code: 0, outputs: { updates: '1' } });
    expect(annotationsIn(run, 'warning')).toEqual([]);
  });

  test.for(commands)('is a folder of the clone to the command line: %o', async (args) => {
    const { folder, catalog, ran } = await plant();
    const world = { folder: join(folder, 'data'), environment: accessTo(catalog) };
    const { stderr, code } = await runInProcess(args, world);
    expect(ran()).toBe('nothing');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('git') });
  });
});

test("attributes of a commit don't start the programs that the settings of a clone name", async () => {
  const { folder, git, write, catalog, marker, ran } = await plant();
  const command = `sh -c 'env > ${marker}; cat'`;
  const settings = ['filter.f.clean', 'filter.f.smudge', 'diff.f.textconv', 'diff.f.command'];
  const others = ['diff.external', 'core.fsmonitor', 'gpg.program', 'core.sshCommand'];
  for (const setting of [...settings, ...others]) git('config', setting, command);
  git('config', 'filter.f.required', 'true');
  git('config', 'log.showSignature', 'true');
  write('.gitattributes', '* filter=f diff=f\n');
  write('data/contracts/orders.yaml', changeOf('orders', 'Edited.'));
  const world = { folder: join(folder, 'data'), environment: accessTo(catalog) };
  for (const args of commands) {
    const { code } = await runInProcess(args, world);
    expect([args, code, ran()]).toEqual([args, 0, 'nothing']);
  }
});

test('what a partial clone lacks is not fetched, and counts as unread', async () => {
  const { folder, catalog, marker, ran } = await plant();
  const clone = join(makeFolder(), 'clone');
  gitInTurn(folder, 'config uploadpack.allowFilter true');
  gitInTurn(folder, `clone --quiet --filter=blob:none file://${folder} ${clone}`);
  gitInTurn(clone, `config remote.origin.uploadpack "env > ${marker}; git-upload-pack"`);
  const args = ['plan', '--base', 'origin/main'];
  const world = { folder: join(clone, 'data'), environment: accessTo(catalog) };
  const { code, stderr } = await runInProcess(args, world);
  expect(ran()).toBe('nothing');
  expect(code).toBe(1);
  expect(stderr).toContain("git can't read the files of commit");
  expect(stderr).toContain('git fetch --refetch --no-filter');
});
