import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { makePlan } from '../../../src/plan/seal.ts';
import type { Plan, UpdatePlan } from '../../../src/plan/plan.ts';
import { renderMarkdown } from '../../../src/report/markdown.ts';
import { planPage, type PlanView } from '../../../src/report/plan.ts';
import { update } from '../plans.ts';

function table(number: number, more: Parameters<typeof update>[1] = {}): UpdatePlan {
  return update(`sales.table_${number}`, { after: `New ${number}.`, ...more });
}

function planOf(contracts: readonly UpdatePlan[]): Plan {
  return makePlan('https://catalog.example.com/api', contracts, []);
}

function renderPlanMarkdown(
  plan: Plan,
  options: Parameters<typeof renderMarkdown>[1] & PlanView,
): string {
  return renderMarkdown(planPage(plan, options), options);
}

describe('a plan too large for a comment', () => {
  const moving = table(0, { transition: { from: 'Draft', to: 'Active' } });
  const breaking = table(1, {
    action: 'blocked',
    problems: [{ code: 'column-removed', severity: 'error', message: 'The column goes.' }],
  });
  const many = Array.from({ length: 3000 }, (_, number) => table(number + 2));
  const text = renderPlanMarkdown(planOf([moving, breaking, ...many]), {
    budget: 60_000,
    rest: 'All of it is in [the run](https://github.com/acme/contracts/actions/runs/1).',
  });

  test('fits, and names where the rest is', () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(50_000);
    expect(text).toContain('Some details are left out');
    expect(text).toContain('actions/runs/1');
  });

  test('still shows totals, blocking problems and transitions', () => {
    expect(text).toMatch(/^## contract-sync: nothing: 1 blocked$/mu);
    expect(text).toContain('`shop.sales.table_1`: The column goes.');
    expect(text).toContain('| `Draft` → **`Active`** | `shop.sales.table_0` |');
    expect(text).toMatch(/plan hash `sha256:[0-9a-f]{64}`/u);
  });

  test('lists the blocked contract first and the others as far as there is room', () => {
    const rows = text.match(/^\| (?:update|\*\*blocked\*\*) \|.*$/gmu) ?? [];
    expect(text).toContain('- **blocked** · `shop.sales.table_1`');
    expect(rows).toHaveLength(1324);
    expect(text).toContain('… and 1676 more');
  });
});

test('every contract is named before any diff, and a note on top reports cut details', () => {
  const contracts = Array.from({ length: 400 }, (_, number) =>
    table(number, { after: `${'word '.repeat(400)}${number}.` }),
  );
  const text = renderPlanMarkdown(planOf(contracts), { budget: 59_000 });
  for (const { fullyQualifiedName } of contracts) expect(text).toContain(`${fullyQualifiedName}\``);
  expect(text.split('\n', 3)[2]).toBe('> [!NOTE]');
  expect(text).toMatch(/^## .*\n\n> \[!NOTE\]\n> Some details are left out/u);
});

test('contracts that change alike are one diff, with their names', () => {
  const alike = Array.from({ length: 120 }, (_, number) => table(number, { after: 'New.' }));
  const text = renderPlanMarkdown(planOf([...alike, table(200)]), { budget: Infinity });
  expect(text.match(/<summary>.*<\/summary>/gu)).toEqual([
    '<summary>120 contracts from shop.sales.table&#95;0 on, the same in each</summary>',
    '<summary>The changes one by one</summary>',
  ]);
  expect(text.match(/^@@ .*/gmu)).toHaveLength(2);
  expect(text).toContain('| `shop.sales.table_0` and 119 more, the same in each |');
  for (const { fullyQualifiedName } of alike)
    expect(text.split(`\`${fullyQualifiedName}\``).length).toBeGreaterThan(1);
});

test('a long name may break behind its dots', () => {
  const name = `warehouse.${'department.'.repeat(5)}orders`;
  const text = renderPlanMarkdown(planOf([table(1, { fullyQualifiedName: name })]), {
    budget: 60_000,
  });
  expect(text).toContain(`<code>warehouse.<wbr>department.<wbr>`);
});

test('forty changes are one table and one fold, each contract and each transition once', () => {
  const transition = { from: 'Draft', to: 'Active' };
  const status = { kind: 'replace', path: '/entityStatus', place: '/entityStatus' } as const;
  const moved = { ...status, label: 'entityStatus', before: 'Draft', after: 'Active' };
  const contracts = Array.from({ length: 40 }, (_, number) => {
    const { changes, ...contract } = table(number);
    return number < 5
      ? { ...contract, transition, changes: [moved, ...changes] }
      : { ...contract, changes };
  });
  const text = renderPlanMarkdown(planOf(contracts), { budget: 60_000 });
  const [shown = '', folded = ''] = text.split('<details>');
  for (const { fullyQualifiedName } of contracts) {
    expect(shown.split(`\`${fullyQualifiedName}\``)).toHaveLength(2);
    expect(folded.split(`\`${fullyQualifiedName}\``)).toHaveLength(2);
  }
  expect(text.split('<details>')).toHaveLength(2);
  expect(text.split('`Draft` → **`Active`**')).toHaveLength(6);
  expect(text).not.toContain('entityStatus');
});

const removal = (column: string) =>
  ({
    code: 'column-removed',
    severity: 'error',
    impact: 'breaking',
    message: `Column ${column} is removed.`,
    hint: 'Revert it.',
  }) as const;
const blocking = (number: number, ...columns: readonly string[]) =>
  table(number, { action: 'blocked', problems: columns.map(removal) });
const render = (...contracts: readonly UpdatePlan[]) =>
  renderPlanMarkdown(planOf(contracts), { budget: 60_000 });

describe('a plan whose breaking changes are blocked', () => {
  test.for([
    [[blocking(1, 'a'), blocking(2, 'b', 'c'), table(3)], 'nothing: 2 blocked'],
    [[1, 2, 3, 4].map((number) => blocking(number, `c${number}`)), 'nothing: 4 blocked'],
  ] as const)('%#: has the verdict in its title, and each column once', ([plans, title]) => {
    const text = render(...plans);
    expect(text).toMatch(new RegExp(`^## contract-sync: ${title}\n`, 'u'));
    for (const { message } of plans.flatMap(({ problems }) => problems))
      expect(text.split(message)).toHaveLength(2);
  });

  test('has entries to copy into `allow`, each contract and rule once', () => {
    const [, entries = ''] =
      /```yaml\n([\s\S]*?)```/u.exec(render(blocking(1, 'a'), blocking(2, 'b', 'c'))) ?? [];
    const allow = ['shop.sales.table_1', 'shop.sales.table_2'].map((contract) => ({
      contract,
      rule: 'column-removed',
      reason: '…',
      until: 'YYYY-MM-DD',
    }));
    expect(parse(entries)).toEqual({ allow });
  });
});

test('a budget of one line keeps the title', () => {
  const text = renderPlanMarkdown(planOf([table(1)]), { budget: 160 });
  expect(text).toMatch(/^## contract-sync: 1 to update/u);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(160);
});

test('a place is a link where the files can be seen', () => {
  const contract = table(1, { source: { file: 'a (b)/ü#.yaml', line: 4, column: 1 } });
  const text = renderPlanMarkdown(planOf([contract]), {
    budget: 60_000,
    files: 'https://github.com/acme/contracts/blob/main',
  });
  expect(text).toContain(
    '[`shop.sales.table_1`](https://github.com/acme/contracts/blob/main/a%20%28b%29/%C3%BC%23.yaml#L4)',
  );
});

test('a plan without changes is two lines', () => {
  const text = renderPlanMarkdown(planOf([]), { budget: 60_000 });
  expect(text).toMatch(
    /^## contract-sync: no changes\n\n<sub>0 unchanged · plan hash `.*<\/sub>\n$/u,
  );
});
