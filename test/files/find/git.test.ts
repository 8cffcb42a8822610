import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  changedSince,
  findCommit,
  openRepository,
  readCheckout,
  readCommit,
  uncommittedAmong,
} from '../../../src/files/git/repository.ts';
import { gitInTurn, makeGitFolder } from '../../support/git-folder.ts';
import { makeFolder } from '../../support/workspace.ts';

const names = ['kept', 'edited', 'moved', 'removed', 'with "quotes" and ü'];

/** A repository in which `main` and a branch have gone different ways since the first commit. */
function makeRepository() {
  const repository = makeGitFolder(
    Object.fromEntries(names.map((name) => [`team/${name}.yaml`, `name: ${name}\n`])),
  );
  const { git, write } = repository;
  git('branch', 'work');
  write('team/kept.yaml', 'name: elsewhere\n');
  git('commit', '--quiet', '-am', 'Meanwhile on main');
  git('switch', '--quiet', 'work');
  return repository;
}

test('a changed file was committed, edited, moved, removed or created since the branch left', () => {
  const { folder, git, write } = makeRepository();
  write('team/edited.yaml', 'name: other\n');
  git('mv', 'team/moved.yaml', 'team/new place.yaml');
  git('commit', '--quiet', '-am', 'Work');
  rmSync(join(folder, 'team/removed.yaml'));
  write(`team/${names[4]}.yaml`, 'name: uncommitted\n');
  mkdirSync(join(folder, 'other'));
  write('other/untracked.yaml', 'name: new\n');
  const changed = [
    'other/untracked.yaml',
    'team/edited.yaml',
    'team/moved.yaml',
    'team/new place.yaml',
    'team/removed.yaml',
    'team/with "quotes" and ü.yaml',
  ];
  const hasChanged = changedSince('main', openRepository(folder));
  expect([...changed, 'team/kept.yaml'].filter(hasChanged)).toEqual(changed);
});

test('paths are relative to the folder, and changes outside of it are left out', () => {
  const { folder, write } = makeRepository();
  mkdirSync(join(folder, 'other'));
  write('other/untracked.yaml', 'name: new\n');
  write('team/edited.yaml', 'name: other\n');
  const hasChanged = changedSince('main', openRepository(join(folder, 'team')));
  const files = ['edited.yaml', 'kept.yaml', 'untracked.yaml', '../other/untracked.yaml'];
  expect(files.filter(hasChanged)).toEqual(['edited.yaml']);
});

test('a linked worktree of a bare clone is a repository, under any folder name', () => {
  const { folder } = makeRepository();
  const place = makeFolder();
  gitInTurn(place, `clone --quiet --bare ${folder} bare.git`);
  gitInTurn(join(place, 'bare.git'), 'worktree add --quiet ../tree work');
  const odd = join(place, 'tree', ':(te*m)[1]');
  mkdirSync(odd);
  for (const name of ['new.yaml', 'other.yml', 'note.txt'])
    writeFileSync(join(odd, name), 'a: b\n');
  writeFileSync(join(place, 'tree/team/edited.yaml'), 'name: other\n');
  const repository = openRepository(odd);
  const changed = ['new.yaml', 'note.txt', 'other.yml'];
  expect([...changed, 'edited.yaml'].filter(changedSince('main', repository))).toEqual(changed);
  expect(uncommittedAmong(['new.yaml'], repository)).toEqual(new Set(['new.yaml']));
  gitInTurn(join(place, 'tree'), 'add --all', 'commit --quiet -m Odd');
  const files = readCommit('HEAD', repository, () => true);
  expect(files.map(({ file }) => file)).toEqual(['new.yaml', 'note.txt', 'other.yml']);
});

test('a file that git ignores has a state that no commit holds', () => {
  const { folder, write } = makeRepository();
  write('.gitignore', 'team/local*\n');
  write('team/local.yaml', 'name: local\n');
  expect(uncommittedAmong(['team/local.yaml', 'team/kept.yaml'], openRepository(folder))).toEqual(
    new Set(['team/local.yaml']),
  );
  const hasChanged = changedSince('work', openRepository(folder));
  expect(['.gitignore', 'team/local.yaml'].filter(hasChanged)).toEqual(['.gitignore']);
});

test('variables that name another repository do not count', async () => {
  const { folder } = makeRepository();
  const { folder: other } = makeRepository();
  gitInTurn(folder, 'commit --quiet --allow-empty -m More');
  vi.stubEnv('GIT_DIR', join(other, '.git'));
  vi.stubEnv('GIT_WORK_TREE', other);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await readCheckout(openRepository(join(folder, 'team')))).toEqual({
    commit: findCommit('HEAD', openRepository(folder)),
    isChanged: false,
  });
  expect(findCommit('HEAD', openRepository(folder))).not.toBe(
    findCommit('HEAD', openRepository(other)),
  );
});

test('a file is seen through links to it, and when such a link is led elsewhere', () => {
  const { folder, git, write } = makeRepository();
  mkdirSync(join(folder, 'contracts'));
  symlinkSync('../team', join(folder, 'contracts/all'));
  symlinkSync('all', join(folder, 'contracts/again'));
  symlinkSync(join(folder, 'team/edited.yaml'), join(folder, 'contracts/one.yaml'));
  symlinkSync('../team', join(folder, 'contracts/other'));
  git('add', '.');
  git('commit', '--quiet', '-m', 'Links');
  write('team/edited.yaml', 'name: other\n');
  const since = (revision: string) => changedSince(revision, openRepository(folder));
  const hasChanged = since('HEAD');
  for (const file of [
    'team/edited.yaml',
    'contracts/all/edited.yaml',
    'contracts/again/edited.yaml',
    'contracts/one.yaml',
  ]) {
    expect([file, hasChanged(file)]).toEqual([file, true]);
  }
  expect(hasChanged('team/kept.yaml')).toBe(false);
  expect(hasChanged('contracts/again/kept.yaml')).toBe(false);
  expect(since('main')('contracts/other/kept.yaml')).toBe(true);
});

test.for(['nowhere', '--output=stolen', 'main:team', ''])(
  'a revision %o that git does not know is an error that names it',
  (revision) => {
    const { folder } = makeRepository();
    expect(() => changedSince(revision, openRepository(folder))).toThrow(
      expect.objectContaining({
        code: 'no-such-revision',
        message: expect.stringContaining(JSON.stringify(revision)),
        hint: expect.stringContaining('fetch-depth'),
      }),
    );
  },
);

test('a folder outside of any repository is an error', () => {
  expect(() => changedSince('main', openRepository(makeFolder()))).toThrow(
    /this is no git repository/u,
  );
});
