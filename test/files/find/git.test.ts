import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedSince, isAmongChanged } from '../../../src/files/find/git.ts';
import { makeFolder } from '../../workspace.ts';

const names = ['kept', 'edited', 'moved', 'removed', 'with "quotes" and ü'];

/** A repository in which `main` and a branch have gone different ways since the first commit. */
function makeRepository() {
  const folder = makeFolder(
    Object.fromEntries(names.map((name) => [`team/${name}.yaml`, `name: ${name}\n`])),
  );
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' });
  };
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'First');
  git('branch', 'work');
  write('team/kept.yaml', 'name: elsewhere\n');
  git('commit', '--quiet', '-am', 'Meanwhile on main');
  git('switch', '--quiet', 'work');
  return { folder, git, write };
}

test('what was committed, edited, moved, removed or created since the branch left', () => {
  const { folder, git, write } = makeRepository();
  write('team/edited.yaml', 'name: other\n');
  git('mv', 'team/moved.yaml', 'team/new place.yaml');
  git('commit', '--quiet', '-am', 'Work');
  rmSync(join(folder, 'team/removed.yaml'));
  write(`team/${names[4]}.yaml`, 'name: uncommitted\n');
  mkdirSync(join(folder, 'other'));
  write('other/untracked.yaml', 'name: new\n');
  expect([...changedSince('main', folder)].toSorted()).toEqual([
    'other/untracked.yaml',
    'team/edited.yaml',
    'team/moved.yaml',
    'team/new place.yaml',
    'team/removed.yaml',
    'team/with "quotes" and ü.yaml',
  ]);
});

test('paths are those of the folder, and what lies outside of it is no matter', () => {
  const { folder, write } = makeRepository();
  mkdirSync(join(folder, 'other'));
  write('other/untracked.yaml', 'name: new\n');
  write('team/edited.yaml', 'name: other\n');
  expect([...changedSince('main', join(folder, 'team'))]).toEqual(['edited.yaml']);
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
  const since = (revision: string) => isAmongChanged(changedSince(revision, folder), folder);
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
    expect(() => changedSince(revision, folder)).toThrow(
      expect.objectContaining({
        code: 'no-such-revision',
        message: expect.stringContaining(JSON.stringify(revision)),
        hint: expect.stringContaining('fetch-depth'),
      }),
    );
  },
);

test('a folder that is no repository is an error', () => {
  expect(() => changedSince('main', makeFolder())).toThrow(/not a git repository/u);
});
