import fc from 'fast-check';
import { test } from 'vitest';
import { commands, expectConvergence, managed, type Model, type Real, show } from './model.ts';
import { createSmallCatalog, type ServerKind } from './small-catalog.ts';
import { rounds } from '../support/rounds.ts';

/** `APPLY_MODEL_RUNS=50000` runs for long. */
const numRuns = Number(process.env['APPLY_MODEL_RUNS'] ?? rounds(2000));

const ids = [
  '00000000-0000-4000-8000-000000000000',
  '00000000-0000-4000-8000-000000000001',
] as const;

const kinds: readonly ServerKind[] = [
  'heeds test',
  'refuses test',
  'ignores test',
  'restores updatedAt',
  'keeps the version',
  'restores updatedAt and version',
];

test(
  'whatever happens, a change lands once, as it was shown, or is reported as not landed',
  { timeout: 60_000 + numRuns * 100 },
  async () => {
    const seed = Date.now() % 2 ** 31;
    const scripts = fc.commands(commands, { maxCommands: 7, size: 'max' });
    const run = fc.asyncProperty(
      scripts,
      fc.constantFrom(...kinds),
      fc.tuple(managed, managed),
      async (script, kind, [first, second]) => {
        const catalog = createSmallCatalog(kind, contracts);
        const real: Real = { catalog, ids };
        const wanted = { [ids[0]]: first, [ids[1]]: second };
        const model: Model = { wanted, shown: [], edited: new Set() };
        show(model, catalog);
        await fc.asyncModelRun(() => ({ model, real }), script);
        await expectConvergence(model, real);
      },
    );
    await fc.assert(run, { numRuns, seed });
    console.log(`${numRuns} runs, seed ${seed}`);
  },
);

/** Two contracts, one of which has no asset. */
const contracts = ids.map((id, number) => ({
  id,
  ...(number === 0 && { entity: { id, type: 'table' } }),
}));
