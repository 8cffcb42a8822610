import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { DesiredContract, LiveContract } from '../../src/contract/contract.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { declaredIn } from '../../src/files/files.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { patchOf } from '../../src/plan/seal.ts';
import { driftOf } from '../../src/commands/pull.ts';
import { restateFile } from '../../src/pull/restate.ts';
import { lenientRules as rules } from '../support/rules.ts';

const id = '0a000000-0000-4000-8000-000000000001';
const scalar = fc.constantFrom<JsonValue>('a', 'b', 'two\nlines\n', 1);
const column = fc.record({ dataType: scalar, constraint: scalar }, { requiredKeys: [] });
const names = ['p', 'q', 'r', 's'] as const;
const schema = fc
  .tuple(...names.map(() => fc.option(column, { nil: undefined })))
  .map((found) => found.flatMap((each, at) => (each ? [{ name: names[at] ?? '', ...each }] : [])));
const members = {
  description: fc.constantFrom('a', 'b', 'c'),
  schema: schema.chain((columns) => fc.shuffledSubarray(columns)),
  extension: fc.record({ a: scalar, b: scalar, c: scalar }, { requiredKeys: [] }),
};
const live = fc.record(members, { requiredKeys: [] });
const declared = fc.record({ ...members, schema }, { requiredKeys: ['description'] });

function textOf(fields: JsonObject): string {
  return `# Ours.\nid: ${id}\n${stringify(fields)}# The end.\n`;
}

function declare(text: string): DesiredContract {
  const [desired] = declaredIn({ file: 'a.yaml', text }, {}).contracts;
  if (!desired) throw new Error(text);
  return desired;
}

function contractOf(document: JsonObject): LiveContract {
  return { id, document: { id, ...document } };
}

test("a pull of drift leaves no drift, and keeps the file's own changes", () => {
  fc.assert(
    fc.property(declared, declared, live, (before, own, held) => {
      const contract = contractOf(held);
      const [base, text] = [declare(textOf(before)), textOf(own)];
      const based = { live: contract, base: { declared: base }, rules };
      const { divergence, kept } = driftOf({ ...based, desired: declare(text) });
      const turned = restateFile({ file: 'a.yaml', text }, divergence ? [divergence] : [], {});
      expect(turned.problems).toEqual([]);

      const leave = { ...rules, drift: 'leave' as const };
      const planOf = (file: string) =>
        planUpdate(contract, declare(file), leave, { declared: base });
      const [first, second] = [planOf(text), planOf(turned.after)];
      expect(second).not.toHaveProperty('drift');
      expect('changes' in second ? patchOf(second.changes) : second.action).toEqual(
        first.action === 'update' ? patchOf(first.changes) : 'unchanged',
      );
      const again = driftOf({ ...based, desired: declare(turned.after) });
      expect(again.divergence).toBeUndefined();
      const placesOf = (all: typeof kept) => all.map(({ path }) => path.join('.')).toSorted();
      expect(placesOf(again.kept)).toEqual(placesOf(kept));
    }),
    { numRuns: Number(process.env['DRIFT_RUNS'] ?? 150) },
  );
});
