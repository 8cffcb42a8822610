import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { startFaultyProxy } from './faulty-proxy.ts';
import { commands, expectConvergence, managed, type Model, type Real } from './model.ts';
import { connectTo, planFor } from './world.ts';

/** `APPLY_MODEL_RUNS=50000` runs for long. */
const numRuns = Number(process.env['APPLY_MODEL_RUNS'] ?? 2000);

const ids = [
  '00000000-0000-4000-8000-000000000000',
  '00000000-0000-4000-8000-000000000001',
] as const;

test(
  'whatever happens, a change lands once, as it was shown, or is told not to have',
  { timeout: 60_000 + numRuns * 100 },
  async () => {
    const scripts = fc.commands(commands, { maxCommands: 7, size: 'max' });
    const run = fc.asyncProperty(
      scripts,
      fc.boolean(),
      fc.tuple(managed, managed),
      async (script, heedsTests, [first, second]) => {
        const { real, close } = await openWorld(heedsTests);
        const model: Model = {
          wanted: { [ids[0]]: first, [ids[1]]: second },
          shown: [],
          edited: new Set(),
        };
        try {
          model.shown.push(await planFor(model.wanted, real.others));
          await fc.asyncModelRun(() => ({ model, real }), script);
          await expectConvergence(model, real);
        } finally {
          await close();
        }
      },
    );
    await fc.assert(run, { numRuns });
    expect(numRuns).toBeGreaterThan(0);
  },
);

type World = { readonly real: Real; readonly close: () => Promise<void> };

/** Two contracts, one of which has no asset; ours are the versions by `tool`. */
async function openWorld(heedsTests: boolean): Promise<World> {
  const catalog = await startSandbox({
    seed: ids.map((id, number) => ({
      id,
      name: `table ${number}`,
      ...(number === 0 && { entity: { id, type: 'table' } }),
    })),
  });
  const proxy = await startFaultyProxy(catalog.url);
  const permissions = ['list', 'view', 'update'] as const;
  const token = await catalog.issueToken({ subject: 'tool', permissions });
  return {
    real: {
      heedsTests,
      ids,
      proxy,
      tool: connectTo({ url: proxy.url, token }),
      others: connectTo(catalog),
    },
    close: async () => {
      proxy.close();
      await catalog.close();
    },
  };
}
