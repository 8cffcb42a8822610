import { describe, expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

const seed = ['finance.ledger', 'sales.orders', 'sales.carts'].map((name, index) => ({
  name: name.split('.')[1] ?? '',
  fullyQualifiedName: `warehouse.${name}`,
  entity: { id: `00000000-0000-4000-8000-00000000000${index}`, type: 'table' },
  description: 'Old.',
  entityStatus: index === 0 ? 'Active' : 'Draft',
  schema: [{ name: 'id', tags: [] }],
}));

const files = {
  'contracts/orders.yaml': 'fullyQualifiedName: warehouse.sales.orders\nschema: [{ name: id }]\n',
  'contracts/carts.yaml': 'fullyQualifiedName: warehouse.sales.carts\ndescription: New.\n',
};

const open = (config = '') => openWorld(seed, { ...files, 'contract-sync.yaml': config });

/** The unused patterns of a plan, as `file:line:column message hint`. */
async function warnings(config: string, flags: readonly string[] = []): Promise<string[]> {
  const { plan } = await open(config);
  const { errored, diagnostics } = await plan(...flags);
  expect(errored).toBe(false);
  const unused = diagnostics.filter(({ code }) => code === 'pattern-unused');
  return unused.map(({ severity, message, hint, source }) => {
    expect(severity).toBe('warning');
    const place = source ? `${source.file}:${source.line}:${source.column} ` : '';
    return `${place}${message} ${hint}`;
  });
}

describe('a pattern that matches nothing is a warning at its place, with the nearest name', () => {
  test.for<{ config: string; says: string }>([
    {
      config: 'protected: ["warehouse.fiance.**"]',
      says: 'contract-sync.yaml:1:13 "warehouse.fiance.**" in `protected` matches no contract. Did you mean "warehouse.finance.**"?',
    },
    {
      config: 'protected:\n  - warehouse.finance\n',
      says: 'contract-sync.yaml:2:5 "warehouse.finance" in `protected` matches no contract. Did you mean "warehouse.finance.**"?',
    },
    {
      config: 'scope: ["warehouse.**", "**.order"]',
      says: 'contract-sync.yaml:1:25 "**.order" in `scope` matches no contract. Did you mean "**.orders"?',
    },
    {
      config:
        'allow: [{ contract: warehouse.sales.oders, rule: column-removed, place: schema.id, reason: agreed on it }]',
      says: 'contract-sync.yaml:1:21 "warehouse.sales.oders" in `allow` matches no contract. Did you mean "warehouse.sales.orders"?',
    },
  ])('$config', async ({ config, says }) => {
    expect(await warnings(config)).toEqual([says]);
  });

  test.for([
    {
      pattern: 'warehouse.sales.cart',
      says: '"warehouse.sales.cart" in `exclude` matches no contract. Did you mean "warehouse.sales.carts"?',
    },
    {
      pattern: 'contracts/cart.yaml',
      says: '"contracts/cart.yaml" in `exclude` matches no file. Did you mean "contracts/carts.yaml"?',
    },
  ])('--exclude $pattern', async ({ pattern, says }) => {
    expect(await warnings('', ['--exclude', pattern])).toEqual([says]);
  });

  test.for(['cart', 'warehouse.sales.cart'])('--only %s', async (pattern) => {
    const { run } = await open();
    expect(await run('plan', '--only', pattern)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        `error: "${pattern}" in \`only\` matches no contract. [nothing-selected]\n  Did you mean "warehouse.sales.carts"?\n\nNo plan was made.\n`,
      ),
    });
  });

  test.for<{ args: string[]; says: string }>([
    {
      args: ['contracts/orders.yaml', '--only', '**.carts'],
      says: `No contract is selected by \`paths\` (contracts/orders.yaml) and \`only\` (**.carts) together. [nothing-selected]
  A contract has to meet everything that is given: leave a part out, or correct it.`,
    },
    {
      args: ['--only', 'contracts/carts.yaml', 'contracts/orders.yaml'],
      says: `No contract is selected by \`paths\` (contracts/orders.yaml) and \`only\` (contracts/carts.yaml) together. [nothing-selected]
  If your shell has expanded a pattern into file names, write it in quotes: 'contracts/sales/**'.`,
    },
    {
      args: ['--only', 'contracts/logistics', 'contracts/carts.yaml'],
      says: `"contracts/logistics" in \`only\` matches no contract. [nothing-selected]
  If your shell has expanded a pattern into file names, write it in quotes: 'contracts/sales/**'.`,
    },
  ])('narrowings that leave no contract are an error: $args', async ({ args, says }) => {
    const { run } = await open();
    for (const command of [
      ['plan', '--detailed-exitcode'],
      ['apply', '--yes'],
    ])
      expect(await run(...command, ...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(says),
      });
  });

  test('in text too, and the plan can be applied all the same', async () => {
    const { run } = await open('protected: ["a.**"]');
    const { code, stdout } = await run('apply', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('contract-sync.yaml:1:13: warning: "a.**" in `protected`');
  });
});

describe('no warning is given of a pattern', () => {
  const used = `
protected: ["**.ledger"]
scope: ["WAREHOUSE.Sales.**"]
allow: [{ contract: "**.carts", rule: column-removed, place: schema.id, reason: agreed on it }]
`;

  test('if it matches a live contract or a file, in scope or not, selected or not', async () => {
    expect(await warnings(used)).toEqual([]);
    expect(await warnings(used, ['--only', '**.carts', '--exclude', '**.ledger'])).toEqual([]);
    expect(await warnings(used, ['--exclude', 'carts.yaml'])).toEqual([]);
  });

  const unused = 'protected: ["a.**"]\n';

  test('while a file that the run leaves out has errors, since its contracts may match', async () => {
    const paths = ['contracts/orders.yaml', '--exclude', 'a.b'];
    expect(await warnings(unused, paths)).toHaveLength(2);
    const broken = { ...files, 'contracts/carts.yaml': 'descripton: New.\n' };
    const { plan } = await openWorld(seed, { ...broken, 'contract-sync.yaml': unused });
    expect((await plan(...paths)).diagnostics).toMatchObject([{ code: 'files-beside-broken' }]);
  });
});
