import { expect, test } from 'vitest';
import { planMissing } from '../../src/plan/contract-plan.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { plain } from '../../src/report/blocks.ts';
import { renderHtml } from '../../src/report/html.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { planPage, renderPlanText } from '../../src/report/plan.ts';
import { lenientRules } from '../support/rules.ts';

const hint = 'If your files come first';

function planOfMissing(amount: number) {
  const contracts = Array.from({ length: amount }, (_, index) => {
    const number = String(index).padStart(3, '0');
    const source = { file: `contracts/${number}.yaml`, line: 1, column: 1 };
    const identity = { name: number, fullyQualifiedName: `shop.t${number}` };
    const desired = { identity, managed: {}, source, locate: () => source };
    return planMissing({ desired }, { ...lenientRules, missing: 'error' });
  });
  return makePlan('https://catalog.example.com/api', contracts, []);
}

test.for([{ detail: 'changes' }, { detail: 'all' }] as const)(
  'neighbours with equal hints have them once, below the last: $detail',
  ({ detail }) => {
    const text = renderPlanText(planOfMissing(4), { palette: plain, detail });
    expect(text.match(/The catalog has no such contract\./gu)).toHaveLength(4);
    expect(text.split(hint)).toHaveLength(2);
    expect(text.indexOf(hint)).toBeGreaterThan(text.indexOf('shop.t003'));
  },
);

test('a list of problems in Markdown and HTML has them once too, and each card its own', () => {
  const plan = planOfMissing(4);
  const markdown = renderMarkdown(planPage(plan), { budget: 60_000 });
  expect(markdown.match(/The catalog has no such contract\./gu)).toHaveLength(4);
  expect(markdown.split(hint)).toHaveLength(2);
  const [list = '', cards = ''] = renderHtml(planPage(plan), {}).split('</ul>', 2);
  expect(list.split(hint)).toHaveLength(2);
  expect(cards.split(hint)).toHaveLength(2);
});

test('a list that is cut off keeps the hint of what it shows', () => {
  const markdown = renderMarkdown(planPage(planOfMissing(101)), { budget: 60_000 });
  expect(markdown).toContain('… and 1 more');
  expect(markdown.split(hint)).toHaveLength(2);
});
