import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Setting } from './page.ts';
import { openWorld } from './world.ts';
import { root } from '../support/root.ts';

type Example = Pick<Setting, 'dialect'> & {
  /** Each plans, and is applied. */
  readonly runs: readonly { readonly flags?: string }[];
};

const examples: Readonly<Record<string, Example>> = {
  quickstart: { dialect: 'standard', runs: [{}] },
  openmetadata: { dialect: 'openmetadata', runs: [{}] },
  odcs: { dialect: 'openmetadata', runs: [{}] },
  environments: { dialect: 'standard', runs: [{ flags: '--env dev' }, { flags: '--env prod' }] },
  monorepo: { dialect: 'standard', runs: [{ flags: '--env dev' }, { flags: '--env prod' }] },
};

test('every example with a catalog is run', () => {
  const folders = readdirSync(join(root, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.toSorted()).toEqual([...Object.keys(examples), 'starter', 'workflows'].toSorted());
});

test.each(Object.entries(examples))(
  'the example %s has changes, and none after its apply',
  async (name, { dialect, runs }) => {
    const world = await openWorld({ folder: `examples/${name}`, dialect, isInGit: false });
    onTestFinished(world.close);
    for (const { flags = '' } of runs) {
      const run = async (command: string) =>
        world.run(`contract-sync ${command} ${flags}; echo "exit code: $?"`);
      expect(await run('validate')).toMatch(/No problems: .*\nexit code: 0\n$/u);
      expect(await run('plan --detailed-exitcode')).toContain('exit code: 2');
      expect(await run('apply --yes')).toMatch(/\nApply: \d+ applied\.\nexit code: 0\n$/u);
      expect(await run('plan --detailed-exitcode')).toMatch(
        /\nNo changes\..*\n.*\nexit code: 0\n$/u,
      );
    }
  },
);

test('the example that init copies is a good contract', async () => {
  const world = await openWorld({
    folder: 'test/docs/worlds/shop',
    dialect: 'standard',
    isInGit: false,
  });
  onTestFinished(world.close);
  await world.run('rm -r contracts contract-sync.yaml && CONTRACT_SYNC_URL= contract-sync init');
  expect(await world.run('contract-sync validate contracts/example.yaml')).toBe(
    'No problems: 1 contract in 1 file.\n',
  );
});
