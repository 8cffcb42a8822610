import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSeed } from '../../src/sandbox/sandbox.ts';
import { expectGolden } from '../support/golden.ts';
import { root } from '../support/root.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog, withoutPlace } from '../support/workspace.ts';

const example = join(root, 'examples', 'quickstart');
const golden = (name: string) => join(import.meta.dirname, 'golden', name);

test('--format markdown gives the plan and its outcomes as GitHub shows them', async () => {
  const seedFile = join(example, 'catalog.json');
  const catalog = await serveCatalog({
    seed: parseSeed(readFileSync(seedFile, 'utf8'), seedFile),
    now: () => Date.UTC(2026, 8, 22),
  });
  const folder = makeFolder();
  cpSync(example, folder, { recursive: true });
  const world = { folder, environment: accessTo(catalog) };
  const plan = await runInProcess(['plan', '--format', 'markdown'], world);
  expect(plan).toMatchObject({ code: 0, stderr: '' });
  expectGolden(golden('plan.md'), withoutPlace(plan.stdout));
  const apply = await runInProcess(['apply', '--yes', '--format', 'markdown'], world);
  expect(apply.code).toBe(0);
  expectGolden(golden('apply.md'), withoutPlace(apply.stdout));
});
