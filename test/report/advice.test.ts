import { expect, test } from 'vitest';
import { makePlan } from '../../src/plan/seal.ts';
import { exceptionsFor } from '../../src/report/problems.ts';
import { update } from './plans.ts';

function entriesFor(names: readonly string[], covered: readonly string[] = []): string[] {
  const blocked = names.map((fullyQualifiedName) =>
    update(fullyQualifiedName, {
      action: 'blocked',
      fullyQualifiedName,
      problems: [
        {
          code: 'column-removed',
          severity: 'error',
          impact: 'breaking',
          message: 'Column fax is removed.',
          place: 'schema.fax',
        },
      ],
    }),
  );
  const plan = makePlan('https://catalog.example.com/api', blocked, []);
  return exceptionsFor(plan, undefined, covered).flatMap((block) =>
    block.kind === 'command' ? block.command.split('\n').slice(1) : [],
  );
}

const rest = 'rule: column-removed, place: schema.fax, reason: "…", until: YYYY-MM-DD }';

test('each contract that loses a column has an entry unless the pull request has it, and of many the first twenty', () => {
  expect(entriesFor(['w.a1', 'w."a.b"'])).toEqual([
    `  - { contract: "w.\\"a.b\\"", ${rest}`,
    `  - { contract: w.a1, ${rest}`,
  ]);
  expect(entriesFor(['w.a1', 'w.a2'], [`  - { contract: w.a1, ${rest}`])).toEqual([
    `  - { contract: w.a2, ${rest}`,
  ]);
  expect(entriesFor(['w.a1'], [`  - { contract: w.a1, ${rest}`])).toEqual([]);
  const many = entriesFor(Array.from({ length: 32 }, (_, index) => `w.a${index}`));
  expect(many).toHaveLength(21);
  expect(many.at(-1)).toBe('  # and 12 more; a pattern, as warehouse.sales.*, covers many');
});
