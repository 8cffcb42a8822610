import { join } from 'node:path';
import { standard } from '../../src/catalog/products/standard.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import type { CatalogReader, CatalogWriter } from '../../src/catalog/catalog.ts';
import { followApply } from '../../src/cli/apply.ts';
import { createTerminal, type Pacing, startProgress, ask } from '../../src/cli/terminal.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { updates } from '../../src/plan/plan.ts';
import { plain } from '../../src/report/blocks.ts';
import { desiredOf, liveOf, rules } from '../apply/world.ts';
import { type Clock, startClock } from '../support/clock.ts';
import { expectGolden } from '../support/golden.ts';
import { PassThrough } from 'node:stream';

const contracts = Array.from({ length: 55 }, (_, number) =>
  liveOf({
    id: `00000000-0000-4000-8000-0000000000${String(number).padStart(2, '0')}`,
    name: `t${number}`,
    fullyQualifiedName: `warehouse.sales.table_${String(number).padStart(2, '0')}`,
    description: 'Old.',
    version: 0.1,
    updatedAt: 1,
  }),
);

const plan = makePlan(
  'https://catalog.example/api',
  contracts.map((live) => planUpdate(live, desiredOf(live, { description: 'New.' }), rules)),
  [],
);

/** A catalog in memory that takes 300 ms for each patch, and a second for its list. */
function slowCatalog({ sleep }: Clock, answers: (number: number) => boolean = () => true) {
  const stored = new Map(contracts.map((live) => [live.id, live]));
  const planned = new Map(updates(plan).map((change) => [change.id, change]));
  let patches = 0;
  const patch: CatalogWriter['patch'] = async (id) => {
    const isStored = answers(patches++);
    await sleep(300);
    const live = stored.get(id);
    const change = planned.get(id);
    if (!live || !change) throw new Error(`There is no ${id}.`);
    const next = liveOf({ ...live.document, ...change.target, version: 0.2, updatedAt: 2 });
    if (isStored) stored.set(id, next);
    return next;
  };
  const reader: Pick<CatalogReader, 'list'> = {
    list: async function* list() {
      await sleep(1000);
      yield { contracts: [...stored.values()] satisfies LiveContract[] };
    },
  };
  return { reader: reader as CatalogReader, writer: { patch } as CatalogWriter };
}

function pacingBy(clock: Clock, resumesAt: Pacing['resumesAt'] = () => 0): Pacing {
  return {
    now: clock.now,
    every: (milliseconds, call) => {
      const stopping = new AbortController();
      const repeat = async (): Promise<void> => {
        for (;;) {
          await clock.sleep(milliseconds, stopping.signal);
          call();
        }
      };
      repeat().catch(() => undefined);
      const stop = (): void => stopping.abort();
      onTestFinished(stop);
      return stop;
    },
    resumesAt,
  };
}

type Reported = { readonly at: number; readonly text: string };

async function recordApply({ live, answers, resumesAt }: Recording): Promise<Reported[]> {
  const clock = startClock();
  const reported: Reported[] = [];
  const terminal = {
    live,
    layouts: { write: { palette: plain }, report: { palette: plain, width: 80 } },
    report: (text: string) => void reported.push({ at: clock.now(), text }),
  };
  const following = followApply(plan, terminal, pacingBy(clock, resumesAt));
  const options = { plan, rules, product: standard, concurrency: live ? 4 : 1 };
  await apply({
    ...options,
    ...slowCatalog(clock, answers),
    ...following.handlers,
    effects: { sleep: clock.sleep, random: () => 0 },
  });
  following.end();
  return reported;
}

type Recording = {
  readonly live: boolean;
  /** Whether the catalog stores the patch of that number, to which it says yes in any case. */
  readonly answers?: (number: number) => boolean;
  readonly resumesAt?: Pacing['resumesAt'];
};

/** What stands on a terminal of 80 columns and 8 rows, whenever so much time has gone by. */
function framesOf(reported: readonly Reported[], every: number): string {
  const frames: string[] = [];
  let screen = [''];
  let next = every;
  const show = (at: number): void => {
    const rows = screen.slice(-8);
    expect(rows.filter((row) => row.length >= 80)).toEqual([]);
    frames.push([`── ${(at / 1000).toFixed(1)} s ${'─'.repeat(60)}`, ...rows].join('\n'));
  };
  for (const { at, text } of reported) {
    for (; next < at; next += every) show(next);
    screen = type(screen, text);
  }
  show(reported.at(-1)?.at ?? 0);
  return `${frames.join('\n')}\n`;
}

function type(screen: readonly string[], text: string): string[] {
  const rows = [...screen];
  for (const [index, part] of text.split('\n').entries()) {
    if (index > 0) rows.push('');
    const [erased, kept] =
      part.split('\r\u001B[2K').length > 1
        ? [true, part.split('\r\u001B[2K').at(-1) ?? '']
        : [false, part];
    rows[rows.length - 1] = erased ? kept : `${rows.at(-1) ?? ''}${kept}`;
  }
  return rows;
}

const golden = (name: string): string => join(import.meta.dirname, 'golden', name);

describe('an apply of 55 contracts that take 300 ms each', () => {
  test('stands on a terminal as it happens, above a line with its state', async () => {
    const reported = await recordApply({ live: true });
    expectGolden(golden('apply-frames.txt'), framesOf(reported, 500));
  });

  test('is a line every five seconds in a log', async () => {
    const reported = await recordApply({ live: false });
    const log = reported.map(({ at, text }) => `${String(at / 1000).padStart(5)} s  ${text}`);
    expectGolden(golden('apply-log.txt'), log.join(''));
  });

  test('shows how long the catalog pauses the run', async () => {
    const reported = await recordApply({ live: false, resumesAt: () => 7500 });
    expect(reported.map(({ text }) => text).slice(0, 2)).toEqual([
      'Applying: 16 of 55 contracts, throttled for 3 s\n',
      'Applying: 33 of 55 contracts\n',
    ]);
  });
});

test('a change that was accepted and is not stored is shown as failed', async () => {
  const reported = await recordApply({ live: true, answers: (number) => number !== 3 });
  const all = reported.map(({ text }) => text).join('');
  expect(all).toContain('warehouse.sales.table_03  accepted');
  expect(all).toMatch(/warehouse\.sales\.table_03 {2}(?:unverified|failed)/u);
});

function follow(
  live: boolean,
  steps: readonly (readonly [at: number, done: number, total?: number])[],
) {
  const reported: string[] = [];
  let clock = 0;
  const progress = startProgress(
    'Reading',
    {
      live,
      layouts: { write: { palette: plain }, report: { palette: plain, width: 80 } },
      report: (text) => void reported.push(text),
    },
    { now: () => clock, every: () => () => undefined },
  );
  for (const [at, done, total] of steps) {
    clock = at;
    progress.advance(done, total);
  }
  progress.end();
  return reported;
}

test('without a total, a terminal counts the contracts', () => {
  expect(follow(true, [[1000, 1]])[0]).toBe('\r\u001B[2KReading: 1 contract');
});

test('a log shows no progress of a short reading', () => {
  expect(follow(false, [[100, 10, 10]])).toEqual([]);
});

test.for([
  ['dumb', false],
  ['xterm', true],
] as const)('a terminal that calls itself %s has a moving line: %s', ([name, isLive]) => {
  const { stdin, stdout } = process;
  const stderr = { isTTY: true, write: () => true };
  const surroundings = { stdin, stdout, stderr, env: { TERM: name }, cwd: () => '/' };
  expect(createTerminal({ colour: false }, surroundings).live).toBe(isLive);
});

/** A terminal on which somebody presses keys as soon as the question stands there. */
async function askWhere(keys: string) {
  let interrupted = false;
  const stdin = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let shown = '';
  stderr.on('data', (chunk) => {
    if (shown === '') setImmediate(() => stdin.write(keys));
    shown += String(chunk);
  });
  const answer = await ask('Go on? ', 'Nothing was done.', { stdin, stderr }, () => {
    interrupted = true;
  });
  return { answer, interrupted, shown };
}

test.for([
  { keys: 'yes\r', answer: 'yes', interrupted: false },
  { keys: 'no\r', answer: 'no', interrupted: false },
  { keys: '\r', answer: '', interrupted: false },
  { keys: '\u0004', answer: '', interrupted: false }, // Ctrl-D
  { keys: '\u0003', answer: '', interrupted: true }, // Ctrl-C
  { keys: 'ye\u0003', answer: '', interrupted: true },
])('$keys answers $answer and interrupts: $interrupted', async ({ keys, answer, interrupted }) => {
  const run = await askWhere(keys);
  expect(run).toMatchObject({ answer, interrupted });
  expect(run.shown).toContain('Go on? ');
  expect(run.shown.at(-1)).toBe('\n'); // What is told next has a line of its own.
  expect(run.shown.endsWith('\nNothing was done.\n')).toBe(interrupted);
});
