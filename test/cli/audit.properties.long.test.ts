import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openPast, ordersFile, type Past } from '../support/past.ts';

const names = ['orders', 'carts'] as const;
type Name = (typeof names)[number];

const carts = {
  name: 'carts',
  fullyQualifiedName: 'shop.sales.web.carts',
  entity: { type: 'table', fullyQualifiedName: 'shop.sales.web.carts' },
  description: 'One row per cart.',
  updatedBy: 'ada',
  updatedAt: Date.UTC(2023, 10, 14, 8, 0),
};

const contract = fc.constantFrom(...names);
const description = fc.constantFrom('One.', 'Two.', 'Three.');

/** What people do in the catalog and in git. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), contract, description }),
  fc.record({ kind: fc.constant('commit' as const), contract, description }),
  fc.record({ kind: fc.constant('apply' as const), contract }),
  fc.record({ kind: fc.constant('rename' as const), contract }),
  fc.record({ kind: fc.constant('delete' as const), contract }),
  fc.record({ kind: fc.constant('join' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The files of two contracts, which are in one or in two. */
function openFiles(past: Past) {
  const texts = new Map<Name, string>(names.map((name) => [name, 'One.']));
  const places = new Map<Name, string>(names.map((name) => [name, `contracts/${name}.yaml`]));
  let count = 0;
  const fileOf = (name: Name): string =>
    ordersFile(`shop.sales.web.${name}`, `description: ${texts.get(name) ?? ''}`);
  const commit = (): void => {
    rmSync(join(past.folder, 'contracts'), { recursive: true, force: true });
    const files = Map.groupBy(names, (name) => places.get(name) ?? '');
    past.commit(
      Object.fromEntries(
        [...files].map(([file, own]) => [file, own.map(fileOf).join('---\n')] as const),
      ),
    );
  };
  const place = (name: Name): void => {
    count += 1;
    places.set(name, `contracts/${name}-${count}.yaml`);
  };
  return { texts, places, place, commit };
}

async function take(each: Step, past: Past, files: ReturnType<typeof openFiles>): Promise<void> {
  past.pass(60);
  switch (each.kind) {
    case 'edit':
      return past.edit('mira', { description: each.description }, each.contract);
    case 'apply':
      return past.edit('zoe', { description: files.texts.get(each.contract) ?? '' }, each.contract);
    case 'commit':
      files.texts.set(each.contract, each.description);
      return files.commit();
    case 'rename':
      files.place(each.contract);
      return files.commit();
    case 'delete':
      past.git('rm', '--quiet', '-r', 'contracts');
      past.git('commit', '--quiet', '--message', 'Delete');
      past.pass(60);
      return files.commit();
    case 'join':
      files.places.set('carts', files.places.get('orders') ?? '');
      return files.commit();
  }
}

/** How many versions are from where, as the history of each contract has it. */
async function countHistories(past: Past) {
  const told = { fromGit: 0, gitSince: 0, noCommit: 0, unknown: 0 };
  for (const name of names) {
    const { stdout } = await past.run('history', `shop.sales.web.${name}`, '--format', 'json');
    for (const { changes, provenance } of JSON.parse(stdout).versions) {
      if (!changes.some(({ path }: { path: string }) => path === '/description')) continue;
      if (provenance.kind === 'git') told.fromGit += 1;
      else if (provenance.kind === 'git-since') told.gitSince += 1;
      else if (provenance.kind === 'no-commit') told.noCommit += 1;
      else told.unknown += 1;
    }
  }
  return told;
}

test(
  'an audit counts what the histories say, and what was applied as from git, wherever the files have been',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const past = await openPast('standard', [carts]);
        const files = openFiles(past);
        past.pass(60);
        files.commit();
        for (const each of steps) await take(each, past, files);
        const { stdout } = await past.run('audit', '--format', 'json');
        const audit = JSON.parse(stdout);
        expect(audit).toMatchObject({ ...(await countHistories(past)), unknown: 0, gaps: [] });
        const applied = audit.users.filter(({ user }: { user: string }) => user === 'zoe');
        for (const share of applied) expect(share).toMatchObject({ gitSince: 0, noCommit: 0 });
      }),
      { numRuns: 8 },
    );
  },
);
