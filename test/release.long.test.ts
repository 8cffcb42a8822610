/** A release from its rehearsal to its tags: the shell steps of the workflow, as far as they need no network. */

import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { gitInTurn } from './support/git-folder.ts';
import { outputOf, run as runProgram } from './support/process.ts';
import { root } from './support/root.ts';
import { makeFolder } from './support/workspace.ts';

type Workflow = {
  readonly jobs: Readonly<
    Record<
      'build' | 'attest' | 'npm' | 'github',
      { readonly steps: readonly { readonly name?: string; readonly run?: string }[] }
    >
  >;
};

const file = join(root, '.github', 'workflows', 'release.yml');
const { jobs }: Workflow = parse(readFileSync(file, 'utf8'));

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tag = `v${version}`;

/** A clone with a remote, whose one commit is what git knows of this tree; `gh` notes what it is told. */
function arrange() {
  // A release is there once it was made.
  const gh = `#!/bin/sh
case "$*" in "release view"*) exec grep -q "release create" "$GH_CALLS" ;; esac
echo "gh $*" >>"$GH_CALLS"
`;
  const folder = makeFolder({ 'bin/gh': gh, calls: '' });
  const clone = join(folder, 'contract-sync');
  chmodSync(join(folder, 'bin', 'gh'), 0o755);
  const script = `mkdir "$0" && git ls-files -z --cached --others --exclude-standard |
    xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\\0" "$file"; done' sh |
    tar -c --null -T - | tar -x -C "$0"`;
  outputOf('sh', ['-c', script, clone], { cwd: root });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  writeFileSync(join(clone, 'dist', 'action', 'added.js'), '');
  gitInTurn(
    folder,
    'init --quiet --bare --initial-branch main remote.git',
    '-C contract-sync init --quiet --initial-branch main',
  );
  mkdirSync(join(clone, '.git', 'info'), { recursive: true });
  writeFileSync(join(clone, '.git', 'info', 'exclude'), 'node_modules\n');
  gitInTurn(
    clone,
    'add --all',
    'commit --quiet -m First',
    'remote add origin ../remote.git',
    'push --quiet origin main',
  );
  const calls = join(folder, 'calls');
  const run = async (
    job: keyof Workflow['jobs'],
    name: string,
    env: Readonly<Record<string, string>>,
  ) => {
    const step = jobs[job].steps.find((each) => each.name === name);
    const PATH = `${join(folder, 'bin')}:${join(root, 'node_modules', '.bin')}:${process.env['PATH']}`;
    return runProgram('bash', ['-e', '-o', 'pipefail', '-c', step?.run ?? 'exit 99'], {
      cwd: clone,
      env: { ...process.env, PATH, GH_CALLS: calls, ...env },
    });
  };
  const head = () => gitInTurn(clone, 'rev-parse HEAD').trim();
  const commit = (file: string, content: string) => {
    writeFileSync(join(clone, file), content);
    gitInTurn(clone, 'add --all', 'commit --quiet -m Next');
  };
  return { folder, clone, calls, run, head, commit };
}

const steps = (job: keyof Workflow['jobs']) =>
  jobs[job].steps.flatMap(({ name, run }) => (run === undefined ? [] : [name]));

test('the steps that run here are all but CI, which runs this test, and the publication', () => {
  expect(steps('build')).toEqual(['CI', 'What is released', 'Rehearse the publication']);
  expect(steps('attest')).toEqual([]);
  expect(steps('npm')).toEqual(['Publish']);
  expect(steps('github')).toEqual([
    'Release',
    "The release can't be changed any more",
    'Move the major tag',
  ]);
});

const green = expect.objectContaining({ code: 0 });
const refused = (complaint: string) =>
  expect.objectContaining({ code: 1, stderr: expect.stringContaining(complaint) });

// Each preparation builds all of it.
test('a rehearsal, a release and its tags', { timeout: 300_000 }, async () => {
  const { folder, clone, calls, run, head, commit } = arrange();
  const made = (...path: readonly string[]) => join(clone, 'release', ...path);
  const prepare = (TAG: string) => run('build', 'What is released', { TAG });

  expect(await prepare('')).toEqual(refused('dist/ is not what its sources build:\n'));
  gitInTurn(clone, 'add --all', 'commit --quiet -m Built', 'push --quiet origin main');
  expect(await prepare('')).toEqual(green);
  expect(await run('build', 'Rehearse the publication', {})).toEqual(green);
  expect(readFileSync(made('notes.md'), 'utf8')).not.toContain('\n## ');
  expect(gitInTurn(clone, 'status --porcelain')).toBe('');

  expect(await prepare('v99.0.0')).toEqual(
    refused(`No release: the tag is v99.0.0, and package.json`),
  );
  const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
  const [introduction = ''] = changelog.split('\n## ');
  commit('CHANGELOG.md', `${introduction}\n## 0.0.1\n\n- Old.\n`);
  expect(await prepare(tag)).toEqual(refused(`No release: ${tag} is no commit of main.`));
  gitInTurn(clone, 'push --quiet origin main');
  expect(await prepare(tag)).toEqual(
    refused(`No release: CHANGELOG.md has nothing under "## ${version}"`),
  );
  commit('CHANGELOG.md', `${introduction}\n## ${version}\n\n- New.\n\n## 0.0.1\n\n- Old.\n`);
  gitInTurn(clone, 'push --quiet origin main');
  expect(await prepare(tag)).toEqual(green);

  expect(readFileSync(made('notes.md'), 'utf8')).toBe('\n- New.\n\n');
  expect(readdirSync(made())).toEqual([
    'action',
    `contract-sync-${version}.cdx.json`,
    `contract-sync-${version}.tgz`,
    'image.cdx.json',
    'image.tar',
    'notes.md',
    'schemas',
  ]);
  expect(readFileSync(made('action', 'dist', 'action.js'))).toEqual(
    readFileSync(join(clone, 'dist', 'action.js')),
  );
  const sbom = JSON.parse(readFileSync(made(`contract-sync-${version}.cdx.json`), 'utf8'));
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version } } });
  const purls = sbom.components.map(({ purl }: { readonly purl: string }) => purl);
  expect(purls).toContain(`pkg:npm/yaml@${lock.packages['node_modules/yaml'].version}`);
  const packed = outputOf('tar', [
    '-xOf',
    made(`contract-sync-${version}.tgz`),
    'package/examples/workflows/contract-sync-plan.yml',
  ]);
  expect(packed).toContain(`uses: contract-sync/contract-sync@${head()} # ${tag}\n`);

  const GITHUB_REF_NAME = tag;
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await run('github', 'Release', { GITHUB_REF_NAME })).toEqual(green);
  const verified = await run('github', "The release can't be changed any more", {
    GITHUB_REF_NAME,
  });
  expect(verified).toEqual(green);
  expect(readFileSync(calls, 'utf8').split('\n')).toEqual([
    `gh release create ${tag} --verify-tag --title ${tag} --notes-file release/notes.md release/contract-sync-${version}.tgz release/contract-sync-${version}.cdx.json release/image.cdx.json`,
    `gh release verify ${tag}`,
    '',
  ]);

  const major = tag.replace(/\..*/u, '');
  const remote = (): string => gitInTurn(join(folder, 'remote.git'), `rev-parse ${major}`).trim();
  const move = () => run('github', 'Move the major tag', { GITHUB_REF_NAME });
  const first = head();
  expect(await move()).toEqual(green);
  expect(remote()).toBe(first);
  commit('LICENSE', 'Later.\n');
  expect(await move()).toEqual(green);
  const second = head();
  expect(remote()).toBe(second);
  gitInTurn(clone, `checkout --quiet ${first}`);
  expect((await move()).stdout).toContain(`${major} is at a later commit, and stays there.`);
  expect(remote()).toBe(second);
});
