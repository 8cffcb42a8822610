import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSeed } from '../src/sandbox/sandbox.ts';
import { expectGolden } from './support/golden.ts';
import { record } from './support/recorder.ts';
import { runInProcess } from './support/run-program.ts';
import { expectValid } from './support/schema.ts';
import { accessTo, alone, serveCatalog } from './support/workspace.ts';

const folders = join(import.meta.dirname, 'scenarios');

/**
 * A folder holds a catalog (`live.json`), files, a configuration and flags; `golden/`
 * is what plan makes of them.
 */
test.for(readdirSync(folders))('%s', async (name) => {
  const folder = join(folders, name);
  const seedFile = join(folder, 'live.json');
  const catalog = await serveCatalog({ seed: parseSeed(readFileSync(seedFile, 'utf8'), seedFile) });
  const recorder = await record(catalog.url);
  const environment = { ...accessTo({ ...catalog, url: recorder.url }), ...alone(folder) };
  const world = { folder, environment };
  const flags = readFlags(folder);

  const text = await runInProcess(['plan', ...flags], world);
  const json = await runInProcess(['plan', ...flags, '--format', 'json'], world);
  const command = ['contract-sync plan', ...flags.map(quoteFlag)].join(' ');
  expectGolden(
    join(folder, 'golden', 'plan.txt'),
    `$ ${command}
${(text.stdout || text.stderr).replaceAll(recorder.url, 'CATALOG')}exit code: ${text.code}
`,
  );
  expectGolden(join(folder, 'golden', 'plan.json'), withoutPort(json.stdout, recorder.url));
  expectValid('plan', JSON.parse(json.stdout));
  expect(json.code).toBe(text.code);

  const applied = await runInProcess(['apply', '--yes', ...flags, '--format', 'json'], world);
  expectValid('outcomes', JSON.parse(applied.stdout));
  expect(applied.code).toBe(text.code);
  const patches = recorder.requests.filter((line) => line.startsWith('PATCH'));
  if (text.code === 0) {
    const again = await runInProcess(['plan', ...flags, '--detailed-exitcode'], world);
    expect(again.code).toBe(0);
  } else {
    expect(patches).toEqual([]);
  }
});

/** The port is another each time, and the checksum is over all of the plan. */
function withoutPort(text: string, catalogUrl: string): string {
  return text
    .replaceAll(catalogUrl, 'CATALOG')
    .replace(/"checksum": "sha256:[\da-f]{64}"/u, '"checksum": "CHECKSUM"');
}

function readFlags(folder: string): string[] {
  const file = join(folder, 'flags.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

function quoteFlag(flag: string): string {
  return /^[\w-]+$/u.test(flag) ? flag : `'${flag}'`;
}
