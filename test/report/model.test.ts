import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Outcome, summarizeOutcomes } from '../../src/apply/outcome.ts';
import type { Problem } from '../../src/core/diagnostic.ts';
import { makePlan } from '../../src/plan/seal.ts';
import type { Change, ContractPlan, Plan, UpdatePlan } from '../../src/plan/plan.ts';
import { type Block, type ContractReport, plain, type Words } from '../../src/report/blocks.ts';
import { outcomesPage, renderOutcomesText } from '../../src/report/outcomes.ts';
import {
  describePlan,
  leadOf as lead,
  planPage,
  type PlanView,
  problemsAtLines,
} from '../../src/report/plan.ts';
import { hostileText, planSaying } from './hostile-text.ts';
import { change, sourceOf, update } from './plans.ts';
import { root } from '../support/root.ts';

function problem(severity: Problem['severity'], more: Partial<Problem> = {}): Problem {
  return { code: 'some-code', severity, message: `Some ${severity}.`, ...more };
}

const breaking = problem('warning', { impact: 'breaking' });
const harmless = problem('information', { impact: 'information' });

const missing: ContractPlan = {
  action: 'missing',
  name: 'a-missing',
  source: sourceOf('a-missing'),
  problems: [problem('error'), problem('warning', { code: 'contract-missing' })],
};

const transition = { from: 'Draft', to: 'Active' };

const moving = update('moving', {
  predictedVersions: ['0.2', '1.0'],
  transition,
  changes: [
    change('replace', '/entityStatus', { source: { ...sourceOf('moving'), line: 7 } }),
    change('add', '/schema/3'),
    change('move', '/schema/0', { from: '/schema/2' }),
    change('replace', '/description'),
  ],
});

function planOf(...contracts: readonly ContractPlan[]): Plan {
  return makePlan('https://catalog.example.com/api', contracts, []);
}

function codesOf(problems: readonly Problem[]): string[] {
  return problems.map(({ code }) => code);
}

function labels(contracts: readonly ContractReport[]): string[] {
  return contracts.map(({ label }) => label.replace('shop.', ''));
}

function blocksOf<Kind extends Block['kind']>(plan: Plan, kind: Kind, view: PlanView = {}) {
  const { blocks } = planPage(plan, view);
  return blocks.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind);
}

/** What each group of contracts lists, under its heading. */
function groupsOf(plan: Plan, view: PlanView = {}): string[][] {
  return blocksOf(plan, 'contracts', view)
    .map(({ details }) => labels(details.flatMap(({ members }) => members)))
    .filter((names) => names.length > 0);
}

describe('the contracts of a plan', () => {
  const plan = planOf(
    update('b-update'),
    update('c-breaking', { problems: [breaking] }),
    update('d-blocked', { action: 'blocked', problems: [problem('error')] }),
    missing,
    update('e-update'),
    { action: 'unchanged', id: 'f-same', source: sourceOf('f-same'), problems: [] },
    { action: 'unmanaged', id: 'g-stray' },
  );

  test('are listed by name, and those that differ by gravity too', () => {
    const byName = ['a-missing', 'b-update', 'c-breaking', 'd-blocked', 'e-update'];
    expect(labels(describePlan(plan).contracts)).toEqual(byName);
    expect(groupsOf(plan)).toEqual([
      ['d-blocked', 'c-breaking'],
      ['b-update', 'e-update', 'a-missing'],
    ]);
    expect(blocksOf(plan, 'names')).toMatchObject([{ names: [{ label: 'g-stray' }] }]);
  });

  test('that equal their files are named only with --all', () => {
    expect(labels(describePlan(plan).contracts)).not.toContain('f-same');
    expect(labels(describePlan(plan, { all: true }).contracts)).toContain('f-same');
  });
});

function leadOf(...contracts: readonly ContractPlan[]) {
  const { words, gravity } = lead(describePlan(planOf(...contracts)));
  return { words: textOf(words), gravity };
}

function inMerge(...contracts: readonly ContractPlan[]): string {
  return textOf(lead(describePlan(planOf(...contracts)), { into: 'prod', hasFailed: false }).words);
}

function textOf(words: Words): string {
  return words
    .map((phrase) => (typeof phrase === 'object' && 'text' in phrase ? phrase.text : ''))
    .join('');
}

function overwriting(name: string, more: Partial<Change>): UpdatePlan {
  return update(name, { changes: [change('replace', '/description', more)] });
}

describe('the lead of a plan', () => {
  test('counts breaking changes that are applied, not blocked ones', () => {
    const blocked = update('b', { action: 'blocked', problems: [breaking] });
    expect(leadOf(update('a'), blocked).words).toBe('An apply updates 1 contract.');
  });

  test('names the deeds of an apply, and their gravity', () => {
    expect(leadOf()).toEqual({ words: 'Nothing to apply.', gravity: 'good' });
    expect(leadOf(update('a'))).toEqual({
      words: 'An apply updates 1 contract.',
      gravity: 'good',
    });
    expect(leadOf(update('a', { problems: [breaking] }), moving)).toEqual({
      words: 'An apply updates 2 contracts: 1 breaking, 1 status transition.',
      gravity: 'warning',
    });
  });

  test('counts the contracts that it creates', () => {
    const created: ContractPlan = {
      action: 'create',
      name: 'new',
      fullyQualifiedName: 'shop.new',
      entity: { id: 'e', type: 'table' },
      source: sourceOf('new'),
      document: {},
      fingerprint: '',
      changes: [],
      problems: [],
    };
    expect(leadOf(created).words).toBe('An apply creates 1 contract.');
  });

  test('names the deeds of a merge, and the environment, in a pull request', () => {
    const blocked = update('b', {
      action: 'blocked',
      problems: [problem('error', { scope: 'contract' })],
    });
    const broken = update('c', { action: 'blocked', problems: [problem('error')] });
    expect([
      inMerge(),
      inMerge(update('a')),
      inMerge(update('a', { problems: [breaking] }), moving, blocked),
      inMerge(update('a'), broken),
    ]).toEqual([
      'Merging this pull request changes nothing in prod.',
      'Merging this pull request updates 1 contract in prod.',
      'Merging this pull request updates 2 contracts in prod: 1 breaking, 1 status transition. 1 blocked contract stays as it is.',
      'If you merge this, nothing is applied to prod: fix 1 error first.',
    ]);
  });

  test('and the title count updates that overwrite an edit of the catalog', () => {
    const plan = planOf(
      overwriting('a', { cause: 'conflict' }),
      overwriting('b', { cause: 'drift' }),
      overwriting('c', { cause: 'drift', unknown: 'the history is too short' }),
      overwriting('d', { cause: 'file' }),
    );
    expect(planPage(plan).title).toEqual({
      words: '4 to update, 2 overwrite edits',
      gravity: 'warning',
    });
    expect(inMerge(overwriting('a', { cause: 'conflict' }))).toBe(
      'Merging this pull request updates 1 contract in prod: 1 overwrites an edit.',
    );
  });
});

describe('one contract', () => {
  test('is as grave as its worst problem', () => {
    const plan = planOf(
      update('a', { action: 'blocked' }),
      update('b', { problems: [problem('warning'), problem('error')] }),
      update('c', { problems: [problem('warning')] }),
      update('d'),
    );
    const gravities = describePlan(plan).contracts.map(({ gravity }) => gravity);
    expect(gravities).toEqual(['error', 'error', 'warning', 'good']);
  });

  test('shows its transition apart from its other fields, with its line in the file', () => {
    const [report] = describePlan(planOf(moving)).contracts;
    expect(report?.transition).toEqual({
      from: 'Draft',
      to: 'Active',
      source: { file: 'contracts/moving.yaml', line: 7, column: 1 },
    });
    expect(report?.changes).toHaveLength(3);
    expect(report?.versions).toEqual({ before: '0.1', expected: '0.2 or 1.0' });
  });

  test('counts the elements of a field that come, go and change', () => {
    const [report] = describePlan(planOf(moving)).contracts;
    expect(report?.brief).toEqual([
      ['schema', { text: ' +1 (1 changed)', as: 'own' }],
      ['description', { text: '', as: 'own' }],
    ]);
    expect(report?.changes[1]?.movement).toBe('moved from 2 to 0');
  });

  test('shows harmless findings only with --all', () => {
    const plan = planOf(update('a', { problems: [harmless] }));
    expect(describePlan(plan).problems).toEqual([]);
    expect(describePlan(plan, { all: true }).problems).toHaveLength(1);
  });
});

describe('the problems of a plan', () => {
  const plan = planOf(
    update('mild', { problems: [problem('warning')] }),
    update('worse', { problems: [breaking] }),
    missing,
    moving,
    update('held', {
      ...moving,
      fullyQualifiedName: 'shop.held',
      action: 'blocked',
      problems: [problem('error')],
    }),
  );

  test('are in order of gravity, without those of the verdict', () => {
    const { problems } = describePlan(plan);
    expect(problems.map(({ contract }) => contract)).toEqual([
      'a-missing',
      'shop.held',
      'shop.worse',
      'shop.mild',
    ]);
    expect(textOf(lead(describePlan(plan)).words)).toBe('Nothing can be applied: 2 errors.');
  });

  test('at the lines of files include the transitions that an apply would make', () => {
    const planned = codesOf(problemsAtLines(plan));
    expect(planned).toContain('contract-missing');
    expect(planned.filter((code) => code === 'status-transition')).toHaveLength(1);
    const applied = codesOf(problemsAtLines(plan, { isApplied: true }));
    expect(applied).not.toContain('status-transition');
  });
});

test('text lists outcomes in the order of the plan, a page those that need a person first', () => {
  const results = ['applied', 'stale', 'failed', 'unchanged', 'applied'] as const;
  const outcomes = results.map((result, index): Outcome => ({
    result,
    id: String(index),
    error: null,
  }));
  const applied = summarizeOutcomes({ planHash: 'sha256:0' }, outcomes);
  const text = renderOutcomesText(applied, { palette: plain });
  expect(text.match(/(?<=^. )\d/gmu)).toEqual(['0', '1', '2', '3', '4']);
  expect(text).toContain('Apply: 2 applied, 1 unchanged, 1 stale, 1 failed.');
  const { title, blocks } = outcomesPage(planOf(), applied);
  expect(title?.words).toBe('1 failed, 1 stale, 2 applied, 1 unchanged');
  const rows = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []));
  const names = rows.map(({ cells: [name] }) => name);
  const named = ['2', '1', '0', '4', '3'].map((text) => [{ text, as: 'contract' }]);
  expect(names).toEqual(named);
  const merge = { into: 'prod', hasFailed: true };
  expect(outcomesPage(planOf(), applied, { merge }).title?.words).toBe('❌ Applied 3 of 5 changes');
});

test('blocks are plain JSON, and hold texts unchanged', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const plan = planSaying(() => text, 2);
      const page = planPage(plan);
      expect(JSON.parse(JSON.stringify(page))).toEqual(page);
      const [contract] = describePlan(plan).contracts;
      expect(contract?.label).toBe(text);
      expect(contract?.problems[0]?.message).toBe(text);
    }),
  );
});

test('no medium sorts, groups or judges', () => {
  const media = ['text', 'text-contract', 'markdown', 'markdown-text', 'html', 'markup', 'formats'];
  const files = media.map((name) => join(root, 'src', 'report', `${name}.ts`));
  const deciding = files.filter((file) =>
    /toSorted|\.sort\(|entityStatus|(?<!form-)\baction\b(?!\/)|\bimpact\b|groupBy/u.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(deciding).toEqual([]);
});
