import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseWorldSeed } from '../src/sandbox/openmetadata/seed.ts';
import { startOpenMetadata } from '../src/sandbox/openmetadata/server.ts';
import { expectGolden } from './support/golden.ts';
import { runInProcess } from './support/run-program.ts';
import { accessTo, alone, makeFolder } from './support/workspace.ts';

const folders = join(import.meta.dirname, 'scenarios');

/** Those that could go otherwise where names are of assets and a status is another word. */
const scenarios = [
  'letters-composed-in-two-ways',
  'moved',
  'moved-names-swapped',
  'moved-to-another-that-is-live',
  'names-that-err',
  'narrowed-beside-a-broken-file',
  'narrowed-to-a-file-outside-include',
  'narrowed-to-a-folder',
  'narrowed-to-a-name-without-a-file',
  'narrowed-to-one-of-two-claims',
  'selected-by-name',
  'selection-of-nothing',
  'semantic-rule-renamed',
  'structure-that-errs',
  'unmanaged-contracts-deprecated',
];

/**
 * The same files and flags, where a contract is called after its table and what was Active is
 * Approved; `golden/openmetadata.txt` is what plan makes of them.
 */
test.for(scenarios)('%s, in OpenMetadata', async (name) => {
  const scenario = join(folders, name);
  const folder = makeFolder(inOpenMetadata(scenario));
  const seed = parseWorldSeed(approved(readFileSync(join(scenario, 'live.json'), 'utf8')), name);
  const catalog = await startOpenMetadata({ seed, now: () => 1_790_000_000_000 });
  onTestFinished(catalog.close);
  const world = { folder, environment: { ...accessTo(catalog), ...alone(folder) } };
  const flags = readFlags(scenario);
  const { stdout, stderr, code } = await runInProcess(['plan', ...flags], world);
  const shown = (stdout || stderr).replaceAll(catalog.url, 'CATALOG');
  const command = ['contract-sync plan', ...flags].join(' ');
  const golden = join(scenario, 'golden', 'openmetadata.txt');
  expectGolden(golden, `$ ${command}\n${shown}exit code: ${code}\n`);
  const applied = await runInProcess(['apply', '--yes', ...flags], world);
  expect(applied.code).toBe(code);
  if (code !== 0) return;
  const again = await runInProcess(['plan', ...flags, '--detailed-exitcode'], world);
  expect(again.code).toBe(0);
});

/** The files of a scenario, which name the table where they named the contract. */
function inOpenMetadata(scenario: string): Record<string, string> {
  const names = readdirSync(scenario, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml') && !name.startsWith('golden'))
    .filter((name) => statSync(join(scenario, name)).isFile());
  const entries = names.map((name) => {
    const text = readFileSync(join(scenario, name), 'utf8');
    const named = text.replaceAll(
      /^fullyQualifiedName: (?<table>\S*\.(?<own>\S+))$/gmu,
      'name: $<own>\nentity: { type: table, fullyQualifiedName: $<table> }',
    );
    return [name, approved(named)];
  });
  return Object.fromEntries(entries);
}

function approved(text: string): string {
  return text.replaceAll('"entityStatus": "Active"', '"entityStatus": "Approved"');
}

function readFlags(scenario: string): string[] {
  const file = join(scenario, 'flags.json');
  return statSync(file, { throwIfNoEntry: false }) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}
