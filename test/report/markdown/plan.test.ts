import { describe, expect, test } from 'vitest';
import { makePlan } from '../../../src/plan/make.ts';
import type { Plan, UpdatePlan } from '../../../src/plan/plan.ts';
import { renderPlanMarkdown } from '../../../src/report/markdown/plan.ts';

function update(number: number, more: Partial<UpdatePlan> = {}): UpdatePlan {
  const name = `shop.sales.table_${number}`;
  return {
    action: 'update',
    id: String(number),
    fullyQualifiedName: name,
    source: { file: `contracts/${number}.yaml`, line: 1, column: 1 },
    liveVersion: '0.1',
    predictedVersions: ['0.2'],
    patch: [{ op: 'replace', path: '/description', value: 'New.' }],
    target: { description: 'New.' },
    guard: [],
    changes: [
      {
        kind: 'replace',
        path: '/description',
        label: 'description',
        before: 'Old.',
        after: 'New.',
      },
    ],
    fingerprint: String(number),
    differences: [{ place: '/description', before: 'Old.', after: 'New.' }],
    problems: [],
    ...more,
  };
}

function planOf(contracts: readonly UpdatePlan[]): Plan {
  return makePlan('https://catalog.example.com/api', contracts, []);
}

describe('a plan too large for a comment', () => {
  const moving = update(0, { transition: { from: 'Draft', to: 'Active' } });
  const breaking = update(1, {
    action: 'blocked',
    problems: [{ code: 'column-removed', severity: 'error', message: 'The column goes.' }],
  });
  const many = Array.from({ length: 3000 }, (_, number) => update(number + 2));
  const text = renderPlanMarkdown(planOf([moving, breaking, ...many]), {
    budget: 60_000,
    rest: 'All of it is in [the run](https://github.com/acme/contracts/actions/runs/1).',
  });

  test('fits, and says where the rest is', () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(50_000);
    expect(text).toContain('This is not all of it');
    expect(text).toContain('actions/runs/1');
  });

  test('still shows totals, what blocks, and the transitions', () => {
    expect(text).toMatch(/^## contract-sync: 3001 to update, 1 status transition, 1 blocked$/mu);
    expect(text).toContain('`shop.sales.table_1`: The column goes.');
    expect(text).toContain('| `Draft` → **`Active`** | `shop.sales.table_0` |');
    expect(text).toMatch(/plan hash `sha256:[0-9a-f]{64}`/u);
  });

  test('lists the blocked contract first and the others as far as there is room', () => {
    const rows = text.match(/^\| (?:update|\*\*blocked\*\*) \|.*$/gmu) ?? [];
    expect(rows[0]).toContain('shop.sales.table_1`');
    expect(rows).toHaveLength(100);
    expect(text).toContain('… and 2902 more');
  });
});

test('what breaks consumers stands above what does not', () => {
  const breaking = update(2, {
    problems: [
      {
        code: 'column-removed',
        severity: 'warning',
        impact: 'breaking',
        message: 'The column goes.',
      },
    ],
  });
  const text = renderPlanMarkdown(planOf([update(1), breaking]), { budget: 60_000 });
  const rows = text.match(/^\| update.*$/gmu) ?? [];
  expect(rows[0]).toContain('**breaking**');
  const diffOf = (number: number) => text.indexOf(`<code>shop.sales.table&#95;${number}</code>`);
  expect(diffOf(2)).toBeGreaterThan(0);
  expect(diffOf(1)).toBeGreaterThan(diffOf(2));
});

test('a budget of one line keeps the title', () => {
  const text = renderPlanMarkdown(planOf([update(1)]), { budget: 160 });
  expect(text).toMatch(/^## contract-sync: 1 to update/u);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(160);
});

test('what differs beside the touched files stands apart, as drift', () => {
  const text = renderPlanMarkdown(planOf([update(1), update(2)]), {
    budget: 60_000,
    touched: new Set(['contracts/1.yaml']),
  });
  const [asked = '', drifted = ''] = text.split('### Drift');
  expect(asked).toContain('table_1');
  expect(asked).not.toContain('table_2');
  expect(drifted).toContain('table_2');
});

test('a place is a link where the files can be seen', () => {
  const contract = update(1, { source: { file: 'a (b)/ü#.yaml', line: 4, column: 1 } });
  const text = renderPlanMarkdown(planOf([contract]), {
    budget: 60_000,
    files: 'https://github.com/acme/contracts/blob/main',
  });
  expect(text).toContain(
    '[`a (b)/ü#.yaml:4`](https://github.com/acme/contracts/blob/main/a%20%28b%29/%C3%BC%23.yaml#L4)',
  );
});

test('a plan without changes is three lines', () => {
  const text = renderPlanMarkdown(planOf([]), { budget: 60_000 });
  expect(text).toMatch(
    /^## contract-sync: no changes\n\n`https:\/\/catalog.example.com\/api`\n\n<sub>0 unchanged · plan hash `.*<\/sub>\n$/u,
  );
});
