import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectGolden } from '../support/golden.ts';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder } from '../support/workspace.ts';

const lines = [
  'plan --formt=json',
  'plan --formt=a-value-that-is-much-longer-than-any-flag',
  'plan --json',
  'plan --format jsn',
  'plan --format=markdwn',
  'plan --format wombat',
  'plan --drift overwrit',
  'plan --env prd',
  'validate /',
  'plan --allow-limit update --reason why',
  'validate --format=sarf',
  'schema outcome',
  'import --format odsc',
  'pan',
  'wombat',
  'help pan',
  'apply --dry-run',
  'apply --auto-approve',
  'apply -target=shop.orders',
  'plan --wombat',
  'import sales',
  'history orders description more',
  'history',
  'schema',
  'plan --config',
];

const configuration =
  'catalog: { url: "http://127.0.0.1:1/api" }\nenvironments: { dev: {}, prod: {} }\n';

test('a mistyped word gets the nearest known one as a suggestion', async () => {
  const folder = makeFolder({ 'contract-sync.yaml': configuration });
  const world = { folder, environment: { CONTRACT_SYNC_TOKEN: 'a-token' } };
  const told: string[] = [];
  for (const line of lines) {
    const { code, stdout, stderr } = await runInProcess(line.split(' '), world);
    expect(code).toBe(1);
    told.push(`$ contract-sync ${line}\n${stdout}${stderr}`);
  }
  expectGolden(join(import.meta.dirname, 'golden', 'suggestions.txt'), told.join('\n'));
});
