/**
 * `npm run mutants -- patch http`: plants faults into rooms of `src` and runs each room's tests for
 * every fault. A room's share of faults that a test sees is kept in `mutants.json`, and may only rise.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

const file = join(import.meta.dirname, 'mutants.json');
const scores: Record<string, number> = JSON.parse(readFileSync(file, 'utf8'));
const asked = process.argv.slice(2);
const rooms = asked.length > 0 ? asked : Object.keys(scores);

for (const room of rooms) {
  process.env['MUTANTS_OF'] = room;
  const score = await scoreOf(room);
  const known = scores[room] ?? 0;
  process.stdout.write(`${room}: tests see ${score} % of the faults; ${known} % before.\n`);
  if (score < known) process.exitCode = 1;
  if (score > known) scores[room] = score;
  writeFileSync(file, `${JSON.stringify(scores, null, 2)}\n`);
}

async function scoreOf(room: string): Promise<number> {
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
    vitest: { configFile: '.ci/mutants.vitest.ts', related: false },
    coverageAnalysis: 'perTest',
    mutate: [`src/${room}/**/*.ts`],
    // What runs once as a file is loaded would need all tests for each fault. Words of messages are
    // no decisions.
    ignoreStatic: true,
    mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'Regex'] },
    // Node runs the sources as they are; Stryker can't rewrite this tsconfig.json.
    tsconfigFile: 'none',
    ignorePatterns: ['dist'],
    tempDirName: join(tmpdir(), 'contract-sync-mutants'),
    concurrency: 2,
    timeoutMS: 15_000,
    reporters: ['progress-append-only', 'clear-text'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  }).runMutationTest();
  const count = (...statuses: readonly string[]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const seen = count('Killed', 'Timeout');
  return Math.floor((1000 * seen) / (seen + count('Survived', 'NoCoverage'))) / 10;
}
