import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../.ci/bundle.ts';
import { parseSource } from '../../src/files/formats/contract-file.ts';
import { readText } from '../../src/files/read/text.ts';
import { exhausting } from '../files/exhausting.ts';
import { builtCli } from './built-cli.ts';
import { median } from './children.ts';

const files = 10_000;
const linesOfAFile = 50;
const rounds = 5;

/** Makes a process believe that its machine has one core: then no thread helps. */
const oneCore = `data:text/javascript,${encodeURIComponent(`
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  os.availableParallelism = () => 1;
  syncBuiltinESMExports();
`)}`;

/** Prints what `validate` takes of the time in which the `yaml` package reads the same files. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-bench-'));
  try {
    writeContracts(join(folder, 'contracts'));
    const cli = builtCli();
    print(timesOf(commandsIn(folder, cli.path), folder));
    cli.remove();
    printSlowest(writeHostile(join(folder, 'hostile')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Commands = Readonly<Record<string, readonly string[]>>;
type Times = ReadonlyMap<string, readonly number[]>;

/** Whole processes, starts included. */
function commandsIn(folder: string, bundle: string): Commands {
  const source = join(root, 'src', 'cli', 'main.ts');
  const alone = join(import.meta.dirname, 'parse-alone.ts');
  const threads = `${Math.min(availableParallelism(), 4)} threads`;
  return {
    'yaml alone': [alone, join(folder, 'contracts'), 'yaml'],
    'js-yaml alone': [alone, join(folder, 'contracts'), 'js-yaml'],
    'src, 1 thread': ['--import', oneCore, source, 'validate'],
    [`src, ${threads}`]: [source, 'validate'],
    'dist, 1 thread': ['--import', oneCore, bundle, 'validate'],
    [`dist, ${threads}`]: [bundle, 'validate'],
  };
}

/** Milliseconds of each round, in which the processes take turns: each bears the same load. */
function timesOf(commands: Commands, folder: string): Times {
  const times = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(commands))
      times.get(name)?.push(timeOf(args, folder));
  }
  return times;
}

/** A file that is refused fails the process, and so the benchmark. */
function timeOf(args: readonly string[], folder: string): number {
  const start = performance.now();
  execFileSync(process.execPath, args, { cwd: folder });
  return performance.now() - start;
}

function print(times: Times): void {
  const [alone = []] = times.values();
  console.log(
    `${files} files of ${linesOfAFile} lines; the median of ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}.\n`,
  );
  console.log(
    '| process | time | ratio (limits for dist: 0.25, 0.35 with 1 thread) |\n|---|---|---|',
  );
  for (const [name, own] of times) {
    // Round by round: what else the machine did slowed both down.
    const ratio = median(own.map((time, round) => time / (alone[round] ?? time)));
    console.log(`| ${name} | ${(median(own) / 1000).toFixed(2)} s | ${ratio.toFixed(2)} |`);
  }
}

/** Each hostile file is read once, as a user's would be. */
function printSlowest(folder: string): void {
  const times = readdirSync(folder).map((file) => {
    const start = performance.now();
    parseSource({ file, ...readText(file, folder) }, {});
    return { file, time: performance.now() - start };
  });
  const [slowest] = times.toSorted((a, b) => b.time - a.time);
  console.log(
    `\nOf ${times.length} hostile files the slowest, ${slowest?.file}, took ${slowest?.time.toFixed(0)} ms (limit 1000).`,
  );
}

function writeHostile(folder: string): string {
  cpSync(join(root, 'test', 'files', 'hostile'), folder, {
    recursive: true,
    filter: (file) => !file.endsWith('.txt'),
  });
  for (const [name, [text]] of Object.entries(exhausting)) {
    writeFileSync(join(folder, `${name}.yaml`), text);
  }
  return folder;
}

function writeContracts(folder: string): void {
  mkdirSync(folder);
  for (let number = 0; number < files; number += 1) {
    writeFileSync(join(folder, `table_${number}.yaml`), contractFile(`table_${number}`));
  }
}

/** As people write them: comments, quotes, a long text, lists in both styles. */
function contractFile(name: string): string {
  const head = [
    '# yaml-language-server: $schema=../schemas/contract.schema.json',
    `name: ${name}`,
    'entity:',
    '  type: table',
    `  fullyQualifiedName: warehouse.sales.public.${name}`,
    'entityStatus: Active # since the last review',
    'description: |',
    `  One row per entry of ${name}.`,
    '  Late rows arrive within a day; earlier ones are never changed.',
    'owners:',
    '  - { type: team, name: data-platform }',
    'semantics:',
    '  - name: amount is positive',
    '    description: Refunds live in another table.',
    `    rule: '{">": [{"var": "amount"}, 0]}'`,
    'sla:',
    '  refreshFrequency: { interval: 1, unit: day }',
    'schema:',
  ];
  const columns = Array.from({ length: linesOfAFile }, (_, column) => [
    `  - name: column_${column}`,
    '    dataType: VARCHAR',
    `    dataLength: ${column + 16}`,
    `    description: "What ${name} says of ${column}."`,
  ]);
  return `${[...head, ...columns.flat()].slice(0, linesOfAFile).join('\n')}\n`;
}
