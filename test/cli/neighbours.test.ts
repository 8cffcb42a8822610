import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { commitFirst } from '../support/git-folder.ts';
import { root } from '../support/root.ts';
import { runInProcess } from '../support/run-program.ts';
import { openWorld } from '../support/world.ts';

const page = readFileSync(join(root, 'docs/apply.md'), 'utf8');

/** What is wrong with `carts`, while `orders` and `refunds` have a change each. */
type Case = {
  /** A row of the table in `docs/apply.md`: the contract, the others, the exit code. */
  readonly row: readonly [string, 'applied' | 'not sent', number];
  readonly carts?: string;
  readonly config?: string;
  readonly status?: number;
  readonly args?: (world: World) => Promise<readonly string[]>;
};

type World = Awaited<ReturnType<typeof open>>;

const fileOf = (name: string) => `contracts/${name}.yaml`;

const changeOf = (name: string, description: string) =>
  `fullyQualifiedName: shop.sales.${name}\ndescription: ${description}\n`;

const carts = (line: string) => `${changeOf('carts', 'Old.')}${line}\n`;

const cases: readonly Case[] = [
  {
    row: ['has an error in its file', 'not sent', 1],
    carts: carts('descripton: New.'),
  },
  {
    row: ['is blocked by a rule: lifecycle, compatibility, `protected`', 'not sent', 1],
    carts: carts('entityStatus: Draft'),
  },
  {
    row: ['takes the plan over a limit', 'not sent', 1],
    carts: changeOf('carts', 'New.'),
    config: 'limits: { updates: 2, from: 1 }\n',
  },
  {
    row: ['is missing in the catalog', 'applied', 1],
    carts: 'fullyQualifiedName: shop.sales.gone\ndescription: New.\n',
  },
  {
    row: ['is missing, with `missing: report`', 'applied', 0],
    carts: 'fullyQualifiedName: shop.sales.gone\ndescription: New.\n',
    config: 'missing: report\n',
  },
  {
    row: ['was edited in the catalog, with `drift: block` or `conflicts: block`', 'applied', 1],
    carts: carts('entityStatus: Deprecated'),
    args: async ({ edit }) => {
      await edit('carts', [{ op: 'add', path: '/description', value: 'By hand.' }]);
      return ['--base', 'main', '--drift', 'block'];
    },
  },
  {
    row: ['is refused by the catalog, say with 422: `failed`', 'applied', 1],
    carts: changeOf('carts', 'New.'),
    status: 422,
  },
  {
    row: ['differs from the plan of `--plan`, or of a pull request: `not-reviewed`', 'applied', 1],
    carts: changeOf('carts', 'New.'),
    args: async ({ run }) => {
      await run('plan', '--exclude', 'shop.sales.carts', '--out', 'plan.json');
      return ['--plan', 'plan.json'];
    },
  },
  {
    row: ['is not in the plan of `--expect-hash`', 'not sent', 1],
    carts: changeOf('carts', 'New.'),
    args: async ({ run }) => {
      const planned = await run('plan', '--exclude', 'shop.sales.carts', '--format', 'json');
      return ['--expect-hash', JSON.parse(planned.stdout).planHash];
    },
  },
];

test.each(cases)('where one contract $row.0, the others are $row.1', async (given) => {
  const world = await open(given);
  const args = (await given.args?.(world)) ?? [];
  const { code } = await world.run('apply', '--yes', ...args);
  const [what, others, exit] = given.row;
  expect({ code, ...(await world.live()) }).toEqual({
    code: exit,
    orders: others === 'applied' ? 'New.' : 'Old.',
    refunds: others === 'applied' ? 'New.' : 'Old.',
  });
  expect(page).toContain(`| ${what} | ${others} | ${exit} |`);
});

test.each([
  ['one that a rule blocks, by its name', 'entityStatus: Draft', ['--exclude', 'shop.sales.carts']],
  ['a broken file, by naming the others', 'descripton: New.', ['orders', 'refunds'].map(fileOf)],
])('what stops the others can be left out: %s', async (_, line, args) => {
  const world = await open({ carts: carts(line) });
  const { code } = await world.run('apply', '--yes', ...args);
  expect({ code, ...(await world.live()) }).toEqual({ code: 0, orders: 'New.', refunds: 'New.' });
});

async function open({ carts: text, config = '', status }: Omit<Case, 'row'>) {
  const names = ['carts', 'orders', 'refunds'];
  const world = await openWorld(names.map(liveContract), {
    'contract-sync.yaml': config,
    ...Object.fromEntries(names.map((name) => [fileOf(name), changeOf(name, 'Old.')])),
  });
  const proxy = await startFaultyProxy(world.catalog.url);
  onTestFinished(proxy.close);
  proxy.behave(({ method, path }) =>
    status !== undefined && method === 'PATCH' && path.endsWith(`/${liveContract('carts').id}`)
      ? { moment: 'before commit', how: status }
      : undefined,
  );
  commitFirst(world.folder);
  for (const name of ['orders', 'refunds']) world.write(fileOf(name), changeOf(name, 'New.'));
  if (text !== undefined) world.write(fileOf('carts'), text);
  const environment = { ...world.environment, CONTRACT_SYNC_URL: proxy.url };
  return {
    run: async (...args: readonly string[]) =>
      runInProcess(args, { folder: world.folder, environment }),
    edit: world.edit,
    live: async () => ({
      orders: (await world.live('orders'))['description'],
      refunds: (await world.live('refunds'))['description'],
    }),
  };
}

function liveContract(name: string) {
  const ids: Readonly<Record<string, string>> = { carts: '1', orders: '2', refunds: '3' };
  return {
    id: `c0ffee00-0000-4000-8000-00000000000${ids[name]}`,
    name,
    fullyQualifiedName: `shop.sales.${name}`,
    description: 'Old.',
    entityStatus: 'Active',
    version: 0.1,
  };
}
