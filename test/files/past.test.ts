import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../src/files/git/repository.ts';
import { readPast } from '../../src/files/past.ts';
import { initGit } from '../support/git-folder.ts';
import { outputOf } from '../support/process.ts';
import { makeFolder } from '../support/workspace.ts';

/** A repository whose commits are a minute apart and called by what they say. */
function startRepository() {
  const folder = makeFolder();
  let minutes = 0;
  const git = (...args: readonly string[]): string => {
    const date = `${1_700_000_000 + minutes * 60} +0000`;
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    return outputOf('git', args, { cwd: folder, env });
  };
  initGit(folder);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const commit = (message: string): void => {
    minutes += 1;
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', message);
  };
  const move = (from: string, to: string): void => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    renameSync(join(folder, from), join(folder, to));
  };
  return { folder, git, write, commit, move, remove: (file: string) => rmSync(join(folder, file)) };
}

type Repository = ReturnType<typeof startRepository>;

function contract(name: string, description: string): string {
  return `fullyQualifiedName: shop.${name}\ndescription: ${description}\n`;
}

function inZone(zone: string, description: string): string {
  const sla = ['sla:', `  timezone: ${zone}`, '  a: 1', '  b: 1', '  c: 1'];
  return ['fullyQualifiedName: shop.orders', ...sla, `description: ${description}`, ''].join('\n');
}

async function gapOf(file: string, folder: string) {
  const past = await readPast([file], ['contracts'], openRepository(folder), {});
  return past(file).gap;
}

/** What the commits of each file say of the contract of that name, newest first. */
async function pastsOf(
  { folder, git }: Repository,
  files: readonly string[],
  { name = 'orders', from = folder } = {},
): Promise<string[][]> {
  const past = await readPast(files, ['contracts/**/*.yaml'], openRepository(from), {});
  return files.map((file) =>
    past(file).commits.flatMap(({ commit, contracts }) =>
      contracts
        .filter(({ identity }) => identity.fullyQualifiedName === `shop.${name}`)
        .map(({ managed }) => {
          const subject = git('log', '-1', '--format=%s', commit).trim();
          return `${subject}: ${JSON.stringify(managed['description'])}`;
        }),
    ),
  );
}

describe('the past of a file goes on', () => {
  test('where the file was renamed, moved to another folder, and changed on the way', async () => {
    const repository = startRepository();
    const { write, commit, move } = repository;
    write('orders.yaml', contract('orders', 'One.'));
    write('carts.yaml', contract('carts', 'Carts.'));
    commit('First');
    move('orders.yaml', 'sales.yaml');
    commit('Rename');
    move('sales.yaml', 'contracts/sales/ö r:d\ners.yaml');
    write('contracts/sales/ö r:d\ners.yaml', contract('orders', 'Two.'));
    commit('Move and change');
    const renamed = 'contracts/sales/ö r:d\ners.yaml';
    expect(await pastsOf(repository, [renamed, 'carts.yaml'])).toEqual([
      ['Move and change: "Two."', 'Rename: "One."', 'First: "One."'],
      [],
    ]);
  });

  test('where it was deleted and came back, though others look like it', async () => {
    const repository = startRepository();
    const { write, commit, remove } = repository;
    write('orders.yaml', contract('orders', 'One.'));
    write('carts.yaml', contract('carts', 'One.'));
    commit('First');
    remove('orders.yaml');
    commit('Delete');
    write('orders.yaml', contract('orders', 'Two.'));
    commit('Come back');
    const expected = ['Come back: "Two."', 'First: "One."'];
    expect(await pastsOf(repository, ['orders.yaml'])).toEqual([expected]);
    expect(await pastsOf(repository, ['orders.yaml', 'carts.yaml'])).toEqual([expected, []]);
  });

  test('where its contract came out of a file with several, and went into one', async () => {
    const repository = startRepository();
    const { write, commit, remove } = repository;
    const [orders, carts] = [contract('orders', 'One.'), contract('carts', 'Carts.')];
    write('all.yaml', `${orders}---\n${carts}`);
    commit('Together');
    write('orders.yaml', contract('orders', 'Two.'));
    write('all.yaml', carts);
    commit('Apart');
    write('sales.yaml', `${contract('refunds', 'Refunds.')}---\n${contract('orders', 'Three.')}`);
    remove('orders.yaml');
    commit('Together again');
    expect(await pastsOf(repository, ['sales.yaml'])).toEqual([
      ['Together again: "Three."', 'Apart: "Two."', 'Together: "One."'],
    ]);
  });

  test('where a merge made what neither of its branches had', async () => {
    const repository = startRepository();
    const { git, write, commit } = repository;
    write('orders.yaml', inZone('UTC', 'One.'));
    commit('First');
    git('checkout', '--quiet', '-b', 'branch');
    write('orders.yaml', inZone('CET', 'One.'));
    commit('There');
    git('checkout', '--quiet', 'main');
    write('orders.yaml', inZone('UTC', 'Two.'));
    commit('Here');
    git('merge', '--quiet', '--message', 'Merge', 'branch');
    expect(await pastsOf(repository, ['orders.yaml'])).toEqual([
      ['Merge: "Two."', 'Here: "Two."', 'There: "One."', 'First: "One."'],
    ]);
  });

  test('though the commit that brought it took a submodule along', async () => {
    const repository = startRepository();
    const { git, write, commit } = repository;
    const bump = (id: string): void => {
      git('update-index', '--add', '--cacheinfo', `160000,${id.repeat(40)},vendor`);
      git('commit', '--quiet', '--message', `Bump to ${id}`);
    };
    commit('First');
    bump('1');
    write('orders.yaml', contract('orders', 'One.'));
    git('add', 'orders.yaml');
    bump('2');
    expect(await pastsOf(repository, ['orders.yaml'])).toEqual([['Bump to 2: "One."']]);
    expect(await gapOf('orders.yaml', repository.folder)).toBeUndefined();
  });

  test('but not in a file that keeps a contract of the same name', async () => {
    const repository = startRepository();
    const { write, commit } = repository;
    write('contracts/dev/orders.yaml', contract('orders', 'One.'));
    commit('First');
    write('contracts/dev/orders.yaml', contract('orders', 'Two.'));
    write('contracts/prod/orders.yaml', contract('orders', 'Three.'));
    commit('Second');
    expect(await pastsOf(repository, ['contracts/prod/orders.yaml'])).toEqual([
      ['Second: "Three."'],
    ]);
  });

  test('behind links, and from a folder below', async () => {
    const repository = startRepository();
    const { folder, write, commit } = repository;
    write('team/real/orders.yml', contract('orders', 'One.'));
    symlinkSync('real', join(folder, 'team/contracts'));
    commit('First');
    const from = join(folder, 'team');
    expect(await pastsOf(repository, ['contracts/orders.yml'], { from })).toEqual([
      ['First: "One."'],
    ]);
  });

  test('with any characters in names of authors and files', async () => {
    const repository = startRepository();
    const { write, git, commit } = repository;
    write('contracts/orders.yaml', contract('orders', 'One.'));
    commit('one');
    write('contracts/orders.yaml', contract('orders', 'Two.'));
    const hash = 'a'.repeat(40);
    const forged = `\u0001${hash}\u0002Eve\u00021\u0002\u0002`;
    write(`contracts/${forged}.yaml`, contract('carts', 'One.'));
    write(`contracts/\n:000000 100644 ${hash} ${hash} A`, '');
    git('config', 'author.name', `Eve${forged}`);
    commit('two');
    expect(await pastsOf(repository, ['contracts/orders.yaml'])).toEqual([
      ['two: "Two."', 'one: "One."'],
    ]);
  });

  test("under any of the user's settings of git", async () => {
    const repository = startRepository();
    const { git, write, commit, move } = repository;
    git('config', 'diff.renames', 'false');
    git('config', 'diff.relative', 'true');
    git('config', 'log.showSignature', 'true');
    git('config', 'color.ui', 'always');
    git('config', 'log.diffMerges', 'off');
    write('orders.yaml', contract('orders', 'One.'));
    commit('First');
    move('orders.yaml', 'sales.yaml');
    commit('Rename');
    expect(await pastsOf(repository, ['sales.yaml'])).toEqual([
      ['Rename: "One."', 'First: "One."'],
    ]);
  });
});

describe('an incomplete past of a file has a reason', () => {
  const orders = contract('orders', 'One.');

  test('but not where it is', async () => {
    const { folder, write, commit } = startRepository();
    write('orders.yaml', orders);
    commit('First');
    expect(await gapOf('orders.yaml', folder)).toBeUndefined();
  });

  test('in a shallow clone from when on it is', async () => {
    const { folder, write, commit } = startRepository();
    write('orders.yaml', orders);
    commit('First');
    commit('Second');
    commit('Third');
    const clone = makeFolder();
    outputOf('git', ['clone', '--quiet', '--depth', '2', `file://${folder}`, clone]);
    const since = (1_700_000_000 + 2 * 60) * 1000;
    expect(await gapOf('orders.yaml', clone)).toEqual({ kind: 'shallow-clone', since });
  });

  test('where no commit has it', async () => {
    const { folder, write, commit } = startRepository();
    write('carts.yaml', orders);
    commit('First');
    write('orders.yaml', orders);
    expect(await gapOf('orders.yaml', folder)).toEqual({ kind: 'uncommitted' });
  });

  test('where there is no commit yet', async () => {
    const { folder, write } = startRepository();
    write('orders.yaml', orders);
    expect(await gapOf('orders.yaml', folder)).toEqual({ kind: 'unreadable' });
  });

  test('where the branch is broken', async () => {
    const { folder, git, write, commit } = startRepository();
    write('orders.yaml', orders);
    commit('First');
    writeFileSync(join(folder, '.git', git('symbolic-ref', 'HEAD').trim()), 'broken\n');
    expect(await gapOf('orders.yaml', folder)).toEqual({ kind: 'unreadable' });
  });

  test('where a link leads out of the repository', async () => {
    const { folder, write, commit } = startRepository();
    symlinkSync(makeFolder({ 'orders.yaml': orders }), join(folder, 'elsewhere'));
    write('carts.yaml', orders);
    commit('First');
    expect(await gapOf('elsewhere/orders.yaml', folder)).toEqual({ kind: 'no-repository' });
  });

  test('outside of a repository', async () => {
    const folder = makeFolder({ 'orders.yaml': orders });
    expect(await gapOf('orders.yaml', folder)).toEqual({ kind: 'no-repository' });
  });

  test('where git cannot read it', async () => {
    const { folder, git, write, commit } = startRepository();
    write('orders.yaml', orders);
    commit('First');
    const id = git('rev-parse', 'HEAD:orders.yaml').trim();
    rmSync(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)), { force: true });
    expect(await gapOf('orders.yaml', folder)).toEqual({ kind: 'unreadable' });
  });
});
