import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../.ci/bundle.ts';
import { declaredIn } from '../../src/files/files.ts';
import { readText } from '../../src/files/text.ts';
import { exhausting } from '../files/exhausting.ts';
import { builtCli } from './built-cli.ts';
import { median } from './children.ts';
import type { Limit } from './limit.ts';

const files = 10_000;
const linesOfAFile = 50;
const rounds = 3;

/** Prints what `validate` takes of the time in which the `yaml` package reads the same files. */
export function run(): readonly Limit[] {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-bench-'));
  try {
    writeContracts(join(folder, 'contracts'));
    const cli = builtCli();
    const ratio = print(timesOf(commandsIn(folder, cli.path), folder));
    cli.remove();
    return [ratio, printSlowest(writeHostile(join(folder, 'hostile')))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Commands = Readonly<Record<string, readonly string[]>>;
type Times = ReadonlyMap<string, readonly number[]>;

/** Whole processes, starts included. */
function commandsIn(folder: string, bundle: string): Commands {
  const alone = join(import.meta.dirname, 'parse-alone.ts');
  return {
    'yaml alone': [alone, join(folder, 'contracts'), 'yaml'],
    'js-yaml alone': [alone, join(folder, 'contracts'), 'js-yaml'],
    validate: [bundle, 'validate'],
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

function print(times: Times): Limit {
  const limit = { figure: `validate of ${files} files, against yaml's parse`, limit: 0.25 };
  const alone = times.get('yaml alone') ?? [];
  let value = 0;
  console.log(`${files} files of ${linesOfAFile} lines; the median of ${rounds} rounds.\n`);
  console.log(`| process | time | ratio (limit ${limit.limit}) |\n|---|---|---|`);
  for (const [name, own] of times) {
    // Round by round: what else the machine did slowed both down.
    const ratio = median(own.map((time, round) => time / (alone[round] ?? time)));
    if (name === 'validate') value = ratio;
    console.log(`| ${name} | ${(median(own) / 1000).toFixed(2)} s | ${ratio.toFixed(2)} |`);
  }
  return { ...limit, value };
}

/** Each hostile file is read once, as a user's would be. */
function printSlowest(folder: string): Limit {
  const times = readdirSync(folder).map((file) => {
    const start = performance.now();
    declaredIn({ file, ...readText(file, folder) }, {});
    return { file, time: performance.now() - start };
  });
  const [slowest] = times.toSorted((a, b) => b.time - a.time);
  const { file = '', time = 0 } = slowest ?? {};
  console.log(
    `\nOf ${times.length} hostile files the slowest, ${file}, took ${time.toFixed(0)} ms (limit 1000).`,
  );
  return { figure: 'the slowest hostile file, ms', value: time, limit: 1000 };
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
