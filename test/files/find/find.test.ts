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

describe('files are found', () => {
  test('below a folder, by the endings .yaml and .yml', () => {
    expect(find(tree, ['contracts']).files).toEqual([
      'contracts/orders.yaml',
      'contracts/sales/deep/items.yaml',
      'contracts/sales/refunds.yml',
    ]);
  });

  test('by a glob with ** and braces', () => {
    expect(find(tree, ['contracts/**/*.{yaml,yml}']).files).toHaveLength(3);
    expect(find(tree, ['**/*.yml']).files).toEqual(['contracts/sales/refunds.yml']);
    expect(find(tree, ['{contracts,other}/*.yaml']).files).toEqual([
      'contracts/orders.yaml',
      'other/more.yaml',
    ]);
  });

  test('by * and ? within one folder only', () => {
    expect(find(tree, ['contracts/*.yaml']).files).toEqual(['contracts/orders.yaml']);
    expect(find(tree, ['to?.yaml']).files).toEqual(['top.yaml']);
  });

  test('by name, with any ending', () => {
    expect(find(tree, ['contracts/notes.md']).files).toEqual(['contracts/notes.md']);
  });

  test('by a name that reads like a glob', () => {
    expect(find({ '[a].yaml': '', 'a.yaml': '' }, ['[a].yaml']).files).toEqual(['[a].yaml']);
  });

  test('below the root itself', () => {
    expect(find(tree, ['.']).files).toHaveLength(5);
  });

  test('by absolute paths', () => {
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

  test('once, although several globs match them, in the order of code units', () => {
    const found = find({ 'b.yaml': '', 'a.yaml': '', 'B.yaml': '' }, ['*.yaml', 'b.yaml', '.']);
    expect(found.files).toEqual(['B.yaml', 'a.yaml', 'b.yaml']);
    expect(found.diagnostics).toEqual([]);
  });

  test('not in node_modules, nor where a name starts with a dot', () => {
    const entries = {
      'node_modules/a.yaml': '',
      '.git/a.yaml': '',
      'deep/.cache/a.yaml': '',
      '.hidden.yaml': '',
      'seen.yaml': '',
    };
    expect(find(entries, ['.', '**/*.yaml']).files).toEqual(['seen.yaml']);
  });

  test('in a folder with a dot that is named', () => {
    expect(find({ '.contracts/a.yaml': '' }, ['.contracts']).files).toEqual(['.contracts/a.yaml']);
  });
});

describe('files are left out', () => {
  test('by glob, by folder and by name', () => {
    expect(find(tree, ['.'], ['contracts/sales/**', 'other', 'top.yaml']).files).toEqual([
      'contracts/orders.yaml',
    ]);
  });

  test('even if they are named, without an error', () => {
    const found = find(tree, ['other/more.yaml'], ['other']);
    expect(found).toEqual({ files: [], diagnostics: [] });
  });
});

describe('an error is reported', () => {
  test('for a path that does not exist', () => {
    const found = find(tree, ['nowhere.yaml', 'nowhere/**']);
    expect(problems(found)).toEqual(['path-not-found', 'path-not-found']);
    expect(found.diagnostics.map(({ message }) => message)).toEqual([
      'No file or folder "nowhere.yaml".',
      'No folder "nowhere", which "nowhere/**" needs.',
    ]);
  });

  test('for an empty path, which is a variable that was not set', () => {
    expect(problems(find(tree, ['']))).toEqual(['path-not-found']);
  });

  test('for a glob that matches nothing, naming the glob', () => {
    const found = find(tree, ['contracts/*.json']);
    expect(problems(found)).toEqual(['path-not-found']);
    expect(found.diagnostics[0]?.message).toContain('contracts/*.json');
  });

  test('for a folder without contract files', () => {
    expect(problems(find({ 'a/readme.md': '' }, ['a']))).toEqual(['path-not-found']);
  });

  test('for a pipe, which would block its reader', () => {
    const root = makeFolder({});
    outputOf('mkfifo', [join(root, 'pipe.yaml')]);
    const found = findFiles({ root, include: ['pipe.yaml', '*.yaml'], exclude: [] });
    expect(problems(found)).toEqual(['not-a-file pipe.yaml', 'path-not-found', 'path-not-found']);
  });
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

  test('nor a link to nothing that is named', () => {
    const entries = { 'gone.yaml': { link: 'nowhere.yaml' } };
    expect(problems(find(entries, ['gone.yaml']))).toEqual(['path-not-found gone.yaml']);
  });

  test('nor a link that loops and is named', () => {
    const entries = { 'self.yaml': { link: 'self.yaml' } };
    expect(problems(find(entries, ['self.yaml']))).toEqual(['link-loop self.yaml']);
  });
});

describe('symbolic links', () => {
  test('are followed within the root, to files and folders', () => {
    const found = find({ 'shared/a.yaml': '', 'contracts/a.yaml': { link: '../shared/a.yaml' } }, [
      'contracts',
    ]);
    expect(found).toEqual({ files: ['contracts/a.yaml'], diagnostics: [] });
    const folder = find({ 'shared/a.yaml': '', contracts: { link: 'shared' } }, ['contracts']);
    expect(folder).toEqual({ files: ['contracts/a.yaml'], diagnostics: [] });
  });

  test('do not make a file be read twice', () => {
    const entries = {
      'z/a.yaml': '',
      'a-link.yaml': { link: 'z/a.yaml' },
      'b-link': { link: 'z' },
    };
    expect(find(entries, ['.'])).toEqual({ files: ['z/a.yaml'], diagnostics: [] });
  });

  test('that leave the root are errors', () => {
    const outside = makeFolder({ 'secret.yaml': '', 'folder/secret.yaml': '' });
    const found = find(
      {
        'file.yaml': { link: join(outside, 'secret.yaml') },
        folder: { link: join(outside, 'folder') },
        'passwd.yaml': { link: '/etc/passwd' },
        'notes.md': { link: '/etc/passwd' },
      },
      ['.'],
    );
    expect(found.files).toEqual([]);
    expect(problems(found)).toEqual([
      'link-outside-root file.yaml',
      'link-outside-root folder',
      'link-outside-root passwd.yaml',
    ]);
  });

  test('that leave the root are errors also where they are named', () => {
    const entries = { 'passwd.yaml': { link: '/etc/passwd' } };
    expect(problems(find(entries, ['passwd.yaml']))).toEqual(['link-outside-root passwd.yaml']);
  });

  test('to a sibling whose name starts like the root leave the root', () => {
    const root = join(makeFolder({}), 'root');
    mkdirSync(root);
    mkdirSync(`${root}-other`);
    symlinkSync(`${root}-other`, join(root, 'link'));
    expect(problems(findFiles({ root, include: ['.'], exclude: [] }))).toEqual([
      'link-outside-root link',
    ]);
  });

  test('that loop are errors', () => {
    const found = find(
      {
        'a/up': { link: '..' },
        'a/self': { link: 'self' },
        'a/ping.yaml': { link: 'pong.yaml' },
        'a/pong.yaml': { link: 'ping.yaml' },
        'a/good.yaml': '',
      },
      ['a'],
    );
    expect(found.files).toEqual(['a/good.yaml']);
    expect(problems(found)).toEqual([
      'link-loop a/ping.yaml',
      'link-loop a/pong.yaml',
      'link-loop a/self',
      'link-loop a/up',
    ]);
  });

  test('that cross each other end', () => {
    const entries = {
      'a/good.yaml': '',
      'a/to-b': { link: '../b' },
      'b/good.yaml': '',
      'b/to-a': { link: '../a' },
    };
    expect(find(entries, ['.']).files).toEqual(['a/good.yaml', 'b/good.yaml']);
  });

  test('to nothing are errors if a contract was expected there', () => {
    const entries = { 'a.yaml': { link: 'gone.yaml' }, 'notes.md': { link: 'gone.md' } };
    expect(problems(find(entries, ['.']))).toEqual(['path-not-found a.yaml']);
  });

  test('may stand in the way to the root', () => {
    const parent = makeFolder({ 'real/a.yaml': '', link: { link: 'real' } });
    expect(findFiles({ root: join(parent, 'link'), include: ['.'], exclude: [] })).toEqual({
      files: ['a.yaml'],
      diagnostics: [],
    });
  });
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
