import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareCodeUnits } from '../../../src/core/json.ts';
import { findFiles, findMisnamed, type FoundFiles } from '../../../src/files/find/find.ts';
import { type Link, makeFolder } from '../folder.ts';
import { outputOf } from '../../support/process.ts';

function find(
  entries: Readonly<Record<string, string | Link>>,
  include: readonly string[],
  exclude: readonly string[] = [],
): FoundFiles {
  return findFiles({ root: makeFolder(entries), include, exclude });
}

/** Codes, each with its file if there is one, in order. */
function problems({ diagnostics }: FoundFiles): readonly string[] {
  return diagnostics
    .map(({ code, source }) => (source ? `${code} ${source.file}` : code))
    .toSorted(compareCodeUnits);
}

/** Warnings alone, beside the good file of the tree. */
function warnings(root: string, include: readonly string[], exclude: readonly string[] = []) {
  const { files, diagnostics } = findFiles({ root, include, exclude });
  expect(files).toContain('contracts/a.yaml');
  expect(diagnostics.map(({ severity }) => severity)).toEqual(diagnostics.map(() => 'warning'));
  return diagnostics.map(({ code, source }) => `${code} ${source?.file}`);
}

const tree = {
  'contracts/orders.yaml': '',
  'contracts/sales/refunds.yml': '',
  'contracts/sales/deep/items.yaml': '',
  'contracts/notes.md': '',
  'other/more.yaml': '',
  'top.yaml': '',
};

const whole = Object.keys(tree).filter((file) => file !== 'contracts/notes.md');

test.each<[string, include: string[], exclude: string[], files: string[]]>([
  [
    'below a folder, by the endings .yaml and .yml',
    ['contracts'],
    [],
    ['contracts/orders.yaml', 'contracts/sales/deep/items.yaml', 'contracts/sales/refunds.yml'],
  ],
  ['by a glob with **', ['**/*.yml'], [], ['contracts/sales/refunds.yml']],
  [
    'by a glob with ** and braces',
    ['contracts/**/*.{yaml,yml}'],
    [],
    ['contracts/orders.yaml', 'contracts/sales/deep/items.yaml', 'contracts/sales/refunds.yml'],
  ],
  [
    'by a glob with braces',
    ['{contracts,other}/*.yaml'],
    [],
    ['contracts/orders.yaml', 'other/more.yaml'],
  ],
  [
    'below a folder that a glob names',
    ['*/sales'],
    [],
    whole.filter((each) => /sales/u.test(each)),
  ],
  ['by * within one folder only', ['contracts/*.yaml'], [], ['contracts/orders.yaml']],
  ['by ? within one name', ['to?.yaml'], [], ['top.yaml']],
  ['by name, with any ending', ['contracts/notes.md'], [], ['contracts/notes.md']],
  ['below the root itself', ['.'], [], whole],
  [
    'but for those that a glob, a folder and a name leave out',
    ['.'],
    ['contracts/sales/**', 'other', 'top.yaml'],
    ['contracts/orders.yaml'],
  ],
  ['but for one that is named and left out, without an error', ['other/more.yaml'], ['other'], []],
])('files are found %s', (_, include, exclude, files) => {
  const found = find(tree, include, exclude);
  expect(found).toEqual({ files: files.toSorted(compareCodeUnits), diagnostics: [] });
});

test.each<[string, entries: Readonly<Record<string, string>>, include: string[], files: string[]]>([
  [
    'by a name that reads like a glob',
    { '[a].yaml': '', 'a.yaml': '' },
    ['[a].yaml'],
    ['[a].yaml'],
  ],
  [
    'once, although several globs match them, in the order of code units',
    { 'b.yaml': '', 'a.yaml': '', 'B.yaml': '' },
    ['*.yaml', 'b.yaml', '.'],
    ['B.yaml', 'a.yaml', 'b.yaml'],
  ],
  [
    'not in node_modules, nor where a name starts with a dot',
    {
      'node_modules/a.yaml': '',
      '.git/a.yaml': '',
      'deep/.cache/a.yaml': '',
      '.hidden.yaml': '',
      'seen.yaml': '',
    },
    ['.', '**/*.yaml'],
    ['seen.yaml'],
  ],
  [
    'in a folder with a dot that is named',
    { '.contracts/a.yaml': '' },
    ['.contracts'],
    ['.contracts/a.yaml'],
  ],
])('files are found %s', (_, entries, include, files) => {
  expect(find(entries, include)).toEqual({ files, diagnostics: [] });
});

test('files are found by absolute paths', () => {
  const root = makeFolder(tree);
  const include = [join(root, 'contracts/orders.yaml'), join(root, 'other', '*.yaml')];
  expect(findFiles({ root, include, exclude: [] }).files).toEqual([
    'contracts/orders.yaml',
    'other/more.yaml',
  ]);
});

describe('outside of the root', () => {
  const world = {
    'secret.yaml': 'password: hunter2\n',
    'plain/contracts/orders.yaml': '',
    'repo/.git/HEAD': '',
    'repo/contracts/orders.yaml': '',
    'repo/team/orders.yaml': '',
    'repo/shared/link.yaml': { link: '../../secret.yaml' },
    'repo/away': { link: '../plain' },
  };
  const own = '../contracts/orders.yaml';
  test.for([
    ['repo/team', '../contracts/*.yaml', [own], []],
    ['repo/team', '<all>/repo/contracts/*.yaml', [own], []],
    ['repo/team', '../shared', [], ['link-outside-root ../shared/link.yaml']],
    ['repo/team', '../away', [], ['link-outside-root ../away']],
    ['repo/team', '../away/**/*.yaml', [], ['link-outside-root ../away']],
    ['repo/team', '<all>/plain', [], ['outside-repository']],
    ['repo/team', '<all>/secret.yml', [], ['outside-repository']],
    ['repo/team', '../../*/contracts/*.yaml', [], ['outside-repository']],
    ['plain/team', '../contracts/*.yaml', [], ['outside-repository']],
  ] as const)('%s may have %s in its configuration: %j, %j', ([from, glob, files, codes]) => {
    const all = makeFolder(world);
    const include = [glob.replace('<all>', all)];
    const found = findFiles({ root: join(all, from), include, exclude: [] });
    expect([found.files, problems(found)]).toEqual([files, codes]);
  });

  test.for([
    ['repo/team', '<all>/plain', 1],
    ['plain/team', '../contracts', 1],
    ['repo/team', '../away', 0],
  ] as const)('in %s, a person may name %s: %i', ([from, path, amount]) => {
    const all = makeFolder(world);
    const root = join(all, from);
    const named = [path.replace('<all>', all)];
    const found = findFiles({ root, include: [], exclude: [], named, givenIn: root });
    expect(found.files).toHaveLength(amount);
  });
});

test.each([
  ['a file that does not exist', 'nowhere.yaml', 'No file or folder "nowhere.yaml".'],
  ['a folder that does not exist', 'nowhere/**', 'No folder "nowhere", which "nowhere/**" needs.'],
  ['an empty path, which is a variable that was not set', '', ''],
  ['a glob that matches no file', 'contracts/*.json', 'contracts/*.json'],
  ['a folder without contract files', 'empty', ''],
])('%s is an error', (_, path, says) => {
  const found = find({ ...tree, 'empty/readme.md': '' }, [path]);
  expect(problems(found)).toEqual(['path-not-found']);
  expect(found.diagnostics[0]?.message).toContain(says);
});

test('a pipe, which would block its reader, is an error', () => {
  const root = makeFolder({});
  outputOf('mkfifo', [join(root, 'pipe.yaml')]);
  const found = findFiles({ root, include: ['pipe.yaml', '*.yaml'], exclude: [] });
  expect(problems(found)).toEqual(['not-a-file pipe.yaml', 'path-not-found', 'path-not-found']);
});

describe("a warning is given of a path that is named like a contract file and isn't read:", () => {
  const good = { 'contracts/a.yaml': '' };

  test('a pipe, also behind a link', () => {
    const root = makeFolder({ ...good, 'contracts/c.yaml': { link: 'b.yaml' } });
    outputOf('mkfifo', [join(root, 'contracts/b.yaml')]);
    outputOf('mkfifo', [join(root, 'contracts/notes')]);
    const expected = ['not-a-file contracts/b.yaml', 'not-a-file contracts/c.yaml'];
    expect(warnings(root, ['contracts'])).toEqual(expected);
    expect(warnings(root, ['contracts', 'contracts/**/*.yaml'])).toEqual(expected);
    expect(warnings(root, ['contracts'], ['contracts/[bc].yaml'])).toEqual([]);
  });

  test('but not of a folder, which is searched', () => {
    const named = makeFolder({ ...good, 'contracts/x.yaml/b.yml': '', 'contracts/y/b.yml': '' });
    expect(warnings(named, ['contracts'])).toEqual([]);
    expect(findFiles({ root: named, include: ['contracts'], exclude: [] }).files).toHaveLength(3);
    const root = makeFolder({ ...good, 'contracts/x/b.yml': '', 'contracts/x/y/notes.txt': '' });
    const found = (...include: string[]) => findFiles({ root, include, exclude: [] });
    expect(found('contracts/*')).toEqual({ files: ['contracts/a.yaml'], diagnostics: [] });
    expect(found('contracts/**').diagnostics).toEqual([]);
  });

  test('a file whose ending has capitals, unless it is named', () => {
    const root = makeFolder({
      ...good,
      'contracts/X.YAML': '',
      'contracts/Y.Yml': '',
      'Z.YAML': '',
    });
    expect(warnings(root, ['contracts']).toSorted()).toEqual([
      'ending-unread contracts/X.YAML',
      'ending-unread contracts/Y.Yml',
    ]);
    expect(warnings(root, ['contracts', 'contracts/*.YAML', 'contracts/Y.Yml'])).toEqual([]);
    expect(warnings(root, ['contracts'], ['contracts/*.{YAML,Yml}'])).toEqual([]);
  });
});

test('a warning is given of a file with something behind its ending, unless it is a copy', () => {
  const root = makeFolder({
    'contracts/a.yaml': '',
    'contracts/a.yaml.bak': '',
    'contracts/a.yaml~': '',
    'contracts/.a.yaml.swp': '',
    'contracts/b.yaml.disabled': '',
    'contracts/c.yml~': '',
    'contracts/notes.yaml.d/d.txt': '',
    'other/e.yaml.bak': '',
  });
  const expected = ['ending-unread contracts/b.yaml.disabled', 'ending-unread contracts/c.yml~'];
  expect(warnings(root, ['contracts']).toSorted()).toEqual(expected);
  expect(warnings(root, ['contracts/**/*.{yaml,yml}']).toSorted()).toEqual(expected);
  expect(warnings(root, ['contracts'], ['contracts/[bc].*'])).toEqual([]);
});

describe('no path makes the search throw or hang', () => {
  test.each(['{a,b}'.repeat(30), '{1..9999999}', 'x'.repeat(70_000), '*'.repeat(1001)])(
    'neither a glob that stands for too much',
    (glob) => {
      expect(problems(find(tree, [glob]))).toEqual(['glob-too-complex']);
      expect(problems(find(tree, ['top.yaml'], [glob]))).toEqual(['glob-too-complex']);
    },
  );

  test.each(['\0', 'a\0*.yaml', 'top.yaml/below', 'x'.repeat(900), '[', '{', '}}', ')(', '', '..'])(
    'nor the odd path %j',
    (path) => {
      const root = join(makeFolder({ 'top.yaml': '', 'in/a.yaml': '' }), 'in');
      expect(() => findFiles({ root, include: [path], exclude: [path] })).not.toThrow();
      expect(() => findFiles({ root, include: [path], exclude: [] })).not.toThrow();
    },
  );
});

type Entries = Readonly<Record<string, string | Link>>;

test.each<[string, Entries, include: string[], files: string[], codes: string[]]>([
  [
    'to a file within the root is followed',
    { 'shared/a.yaml': '', 'contracts/a.yaml': { link: '../shared/a.yaml' } },
    ['contracts'],
    ['contracts/a.yaml'],
    [],
  ],
  [
    'to a folder within the root is followed',
    { 'shared/a.yaml': '', contracts: { link: 'shared' } },
    ['contracts'],
    ['contracts/a.yaml'],
    [],
  ],
  [
    'does not make a file be read twice',
    { 'z/a.yaml': '', 'a-link.yaml': { link: 'z/a.yaml' }, 'b-link': { link: 'z' } },
    ['.'],
    ['z/a.yaml'],
    [],
  ],
  [
    'that leaves the root is an error where a contract was expected',
    {
      'passwd.yaml': { link: '/etc/passwd' },
      'notes.md': { link: '/etc/passwd' },
      x: { link: '/' },
    },
    ['.'],
    [],
    ['link-outside-root passwd.yaml', 'link-outside-root x'],
  ],
  [
    'that leaves the root is an error also where it is named',
    { 'passwd.yaml': { link: '/etc/passwd' } },
    ['passwd.yaml'],
    [],
    ['link-outside-root passwd.yaml'],
  ],
  [
    'that loops is an error',
    {
      'a/up': { link: '..' },
      'a/self': { link: 'self' },
      'a/ping.yaml': { link: 'pong.yaml' },
      'a/pong.yaml': { link: 'ping.yaml' },
      'a/good.yaml': '',
    },
    ['a'],
    ['a/good.yaml'],
    ['link-loop a/ping.yaml', 'link-loop a/pong.yaml', 'link-loop a/self', 'link-loop a/up'],
  ],
  [
    'that loops is an error also where it is named',
    { 'self.yaml': { link: 'self.yaml' } },
    ['self.yaml'],
    [],
    ['link-loop self.yaml'],
  ],
  [
    'that crosses another one ends',
    {
      'a/good.yaml': '',
      'a/to-b': { link: '../b' },
      'b/good.yaml': '',
      'b/to-a': { link: '../a' },
    },
    ['.'],
    ['a/good.yaml', 'b/good.yaml'],
    [],
  ],
  [
    'to a missing file is an error where a contract was expected',
    { 'a.yaml': { link: 'gone.yaml' }, 'notes.md': { link: 'gone.md' } },
    ['.'],
    [],
    ['path-not-found a.yaml'],
  ],
  [
    'to a missing file is an error also where it is named',
    { 'gone.yaml': { link: 'nowhere.yaml' } },
    ['gone.yaml'],
    [],
    ['path-not-found gone.yaml'],
  ],
])('a symbolic link %s', (_, entries, include, files, codes) => {
  const found = find(entries, include);
  expect([found.files, problems(found)]).toEqual([files, codes]);
});

test('a symbolic link to a sibling whose name starts like the root leaves the root', () => {
  const root = join(makeFolder({}), 'root');
  mkdirSync(root);
  mkdirSync(`${root}-other`);
  symlinkSync(`${root}-other`, join(root, 'link'));
  const found = findFiles({ root, include: ['.'], exclude: [] });
  expect(problems(found)).toEqual(['link-outside-root link']);
});

test('a symbolic link may stand in the way to the root', () => {
  const parent = makeFolder({ 'real/a.yaml': '', link: { link: 'real' } });
  const found = findFiles({ root: join(parent, 'link'), include: ['.'], exclude: [] });
  expect(found).toEqual({ files: ['a.yaml'], diagnostics: [] });
});

test('files that differ from those that are read in their ending alone are found', () => {
  const misnamed = {
    'contracts/a.YAML': '',
    'contracts/b.yml.orig': '',
    'contracts/c.yaml~': '',
    'contracts/sales/d.txt': '',
    'contracts/e': '',
    'contracts/link.bak': { link: '../other/f.yml.bak' },
  };
  const root = makeFolder({
    ...misnamed,
    'contracts/read.yaml': '',
    'contracts/.hidden.bak': '',
    'contracts/node_modules/g.YAML': '',
    'contracts/draft.YML': '',
    'contracts/away.bak': { link: '/etc/passwd' },
    'other/f.yml.bak': '',
  });
  const exclude = ['**/draft.*'];
  const found = findMisnamed({ root, include: ['contracts', 'contracts/read.yaml'], exclude });
  expect(found.toSorted(compareCodeUnits)).toEqual(
    Object.keys(misnamed).toSorted(compareCodeUnits),
  );
  const globs = ['contracts/*.yml', '{nothing'];
  expect(findMisnamed({ root, include: globs, exclude })).toContain('contracts/read.yaml');
  expect(findMisnamed({ root, include: globs, exclude })).not.toContain('contracts/sales/d.txt');
});

test('of other files in a folder of contracts, a thousand are looked at', () => {
  const others = Array.from({ length: 1200 }, (_, index) => [`contracts/${index}.png`, '']);
  const root = makeFolder({ ...Object.fromEntries(others), 'contracts/z.yaml.bak': '' });
  const found = findMisnamed({ root, include: ['contracts'], exclude: [] });
  expect(found).toHaveLength(1001);
  expect(found).toContain('contracts/z.yaml.bak');
});
