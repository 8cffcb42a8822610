import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildAction } from '../../.ci/build-action.ts';
import { root } from '../../.ci/bundle.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Limit } from './limit.ts';
import { serveGitHub, type Step, timeStep } from './action-step.ts';

const contracts = 60;
const latencyMs = 100;
const rounds = 21;

/** Prints what a step of the Action takes as the runner starts it, bare Node beside it. */
export async function run(): Promise<readonly Limit[]> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-bench-'));
  const bundle = join(folder, 'dist', 'action.js');
  const github = await serveGitHub(latencyMs);
  const catalog = await startSandbox({ seed: names.map(liveContract) });
  try {
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    await buildAction(bundle);
    const repository = join(folder, 'repository');
    write(
      join(repository, 'contract-sync.yaml'),
      'catalog: { dialect: standard }\nlimits: { updates: 100% }\n',
    );
    for (const name of names) write(join(repository, 'contracts', `${name}.yaml`), fileOf(name));
    return print(
      await measure({ folder, repository, args: [bundle], github, catalog }),
      sizeOf(bundle),
    );
  } finally {
    github.close();
    await catalog.close();
    rmSync(folder, { recursive: true });
  }
}

const names = Array.from({ length: contracts }, (_, index) => `table_${index}`);

function liveContract(name: string) {
  return {
    name,
    fullyQualifiedName: `shop.${name}`,
    description: 'Old.',
    schema: [{ name: 'id', dataType: 'BIGINT' }],
  };
}

const fileOf = (name: string) =>
  `fullyQualifiedName: shop.${name}\ndescription: New.\nschema:\n  - { name: id, dataType: BIGINT }\n`;

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

type Times = Readonly<Record<'bare' | 'line' | 'validate' | 'plan', number>>;

/** In turns; what else the machine does only adds to a time: the fastest counts. */
async function measure(step: Step): Promise<Times[]> {
  const times: Times[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await timeStep({ ...step, args: ['-p', '1'] }, 'validate');
    const validate = await timeStep(step, 'validate');
    const plan = await timeStep(step, 'plan');
    times.push({ bare: bare.line, line: validate.line, validate: validate.end, plan: plan.end });
  }
  return times;
}

function print(times: readonly Times[], size: number): readonly Limit[] {
  const fastest = (name: keyof Times) => Math.min(...times.map((time) => time[name]));
  const milliseconds = (name: keyof Times) => `${Math.round(fastest(name))} ms`;
  const ratio = median(times.map(({ line, bare }) => line / bare));
  const rows = [
    [`plan of ${contracts} contracts, GitHub at ${latencyMs} ms`, milliseconds('plan'), '600 ms'],
    ['first line of the log against bare Node, median', ratio.toFixed(1), '3'],
    ['first line of the log', milliseconds('line'), ''],
    ['validate', milliseconds('validate'), ''],
    ['bare Node, first line', milliseconds('bare'), ''],
    ['size of the bundle', `${Math.round(size / 1000)} kB`, ''],
  ];
  console.log(`| Action, fastest of ${rounds} | | limit |\n|---|---|---|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  return [
    { figure: 'a plan by the Action, ms', value: fastest('plan'), limit: 600 },
    { figure: 'the first line of the log, against bare Node', value: ratio, limit: 3 },
  ];
}

/** With all its parts. */
function sizeOf(bundle: string): number {
  const parts = join(dirname(bundle), 'action');
  const files = readdirSync(parts).map((name) => join(parts, name));
  return [bundle, ...files].reduce((sum, file) => sum + statSync(file).size, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
