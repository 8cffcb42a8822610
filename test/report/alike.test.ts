import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../src/core/diagnostic.ts';
import { planMissing } from '../../src/plan/contract-plan.ts';
import type { ContractPlan, LiveBlame, UpdatePlan } from '../../src/plan/plan.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { type ContractReport, type Gathering, plain } from '../../src/report/blocks.ts';
import { describeContracts, gatherAlike } from '../../src/report/contract.ts';
import { renderHtml } from '../../src/report/html.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { planPage, renderPlanText } from '../../src/report/plan.ts';
import { foldAlike } from '../../src/report/problems.ts';
import { update } from './plans.ts';
import { lenientRules } from '../support/rules.ts';

type Seed = {
  readonly after?: string;
  readonly code?: string;
  readonly severity?: Problem['severity'];
  readonly user?: string;
  readonly liveVersion?: string;
  readonly action?: UpdatePlan['action'];
};

function updateOf(name: string, seed: Seed = {}): UpdatePlan {
  const { after, code, severity = 'warning', user, liveVersion = '0.1', action = 'update' } = seed;
  const blame: LiveBlame | undefined = user === undefined ? undefined : { kind: 'set', user };
  const source = { file: `contracts/${name}.yaml`, line: 30, column: 3 };
  const hint = `Add - { contract: shop.${name}, rule: odd }`;
  const { changes, ...own } = update(name, after === undefined ? {} : { after });
  return {
    ...own,
    action,
    liveVersion,
    predictedVersions: [`${liveVersion}1`],
    changes: changes.map((change) => ({ ...change, ...(blame && { blame }) })),
    problems: code === undefined ? [] : [{ code, severity, message: 'It is odd.', hint, source }],
  };
}

function planOf(contracts: readonly ContractPlan[]) {
  return makePlan('https://catalog.example.com/api', contracts, []);
}

function gather(contracts: readonly ContractPlan[]): Gathering[] {
  return gatherAlike(describeContracts(planOf(contracts).contracts));
}

function namesOf(gatherings: readonly Gathering[]): string[][] {
  return gatherings.map(({ members }) => members.map(({ label }) => label));
}

const three = ['a', 'b', 'c'] as const;

describe('contracts that change alike', () => {
  test('are gathered from three on', () => {
    expect(namesOf(gather(three.map((name) => updateOf(name))))).toEqual([
      ['shop.a', 'shop.b', 'shop.c'],
    ]);
    expect(gather([updateOf('a'), updateOf('b')])).toHaveLength(2);
  });

  test.for<[string, Seed, Seed]>([
    ['another value', {}, { after: 'Other.' }],
    ['a warning', {}, { code: 'odd' }],
    ['an error', {}, { code: 'odd', severity: 'error' }],
    ['another verdict', {}, { action: 'blocked' }],
  ])('stand apart from one with %s', ([, seed, other]) => {
    const alike = three.map((name) => updateOf(name, seed));
    expect(namesOf(gather([...alike, updateOf('b2', other)]))).toEqual([
      ['shop.a', 'shop.b', 'shop.c'],
      ['shop.b2'],
    ]);
  });

  test.for(['error', 'warning'] as const)(
    'stand apart where each has its own %s, with the place and the snippet to paste',
    (severity) => {
      const contracts = three.map((name) => updateOf(name, { code: 'odd', severity }));
      const text = renderPlanText(planOf(contracts), { palette: plain, detail: 'changes' });
      for (const name of three) {
        expect(text).toContain(`  contracts/${name}.yaml:30:3: ${severity}: It is odd. [odd]
    Add - { contract: shop.${name}, rule: odd }
`);
      }
    },
  );

  test('name each contract with the line of its change, and say which facts differ', () => {
    const versions = ['0.1', '0.1', '0.3'];
    const users = ['mira', 'ada', 'mira'];
    const contracts = three.map((name, index) =>
      updateOf(name, {
        liveVersion: versions[index] ?? '',
        user: users[index] ?? '',
      }),
    );
    const text = renderPlanText(planOf([...contracts, updateOf('d', { after: 'Other.' })]), {
      palette: plain,
      detail: 'changes',
      more: '--all',
    });
    expect(text).toContain(`\
~ 3 contracts  the same in each (--all shows each):
    shop.a  version 0.1 → 0.11 (expected)  contracts/a.yaml:7
    shop.b  version 0.1 → 0.11 (expected)  contracts/b.yaml:7
    shop.c  version 0.3 → 0.31 (expected)  contracts/c.yaml:7
  ~ description  Old. → New.
      who set it, and when, differs by contract

~ shop.d  contracts/d.yaml:2
`);
  });

  test('in columns of other indices have the column without an index', () => {
    const contracts = three.map((name, index) => {
      const { changes, ...own } = updateOf(name);
      const label = `schema[${index} fax].dataType`;
      return { ...own, changes: changes.map((change) => ({ ...change, label })) };
    });
    const text = renderPlanText(planOf(contracts), { palette: plain, detail: 'changes' });
    expect(text).toContain('\n  ~ schema[fax].dataType  Old. → New.\n');
    expect(text.match(/dataType/gu)).toHaveLength(1);
  });

  test('name an author that all share', () => {
    const text = renderPlanText(planOf(three.map((name) => updateOf(name, { user: 'mira' }))), {
      palette: plain,
      detail: 'changes',
      more: '--all',
    });
    expect(text).toContain('  ~ description  Old. → New.\n      set by mira\n');
  });

  test('are counted behind a screenful, and with --all each stands apart', () => {
    const plan = planOf(
      Array.from({ length: 23 }, (_, number) => updateOf(String(number).padStart(2, '0'))),
    );
    const brief = renderPlanText(plan, { palette: plain, detail: 'changes' });
    expect(brief).toContain('    … and 3 more: shop.20, shop.21, shop.22\n');
    const screen = renderPlanText(plan, { palette: plain, detail: 'changes', width: 80 });
    expect(screen).toContain('    … and 3 more\n');
    const all = renderPlanText(plan, { palette: plain, detail: 'all' });
    expect(all.match(/^~ shop\.\d\d /gmu)).toHaveLength(23);
  });
});

const seeds = fc.record(
  {
    after: fc.constantFrom('New.', 'Newer.'),
    code: fc.constantFrom('odd', 'even'),
    severity: fc.constantFrom('error', 'warning'),
    user: fc.constantFrom('mira', 'ada'),
    liveVersion: fc.constantFrom('0.1', '0.2'),
    action: fc.constantFrom('update', 'blocked'),
  },
  { requiredKeys: [] },
);

function findings({ verdict, changes, problems }: ContractReport) {
  return {
    verdict,
    changes: changes.map(({ label, before, after }) => ({ label, before, after })),
    problems: problems.map(({ code, severity, message }) => ({ code, severity, message })),
  };
}

test('every contract of a plan is in one group, whose common part holds for each member', () => {
  fc.assert(
    fc.property(fc.array(seeds, { maxLength: 20 }), (chosen) => {
      const contracts = chosen.map((seed, index) => updateOf(`t${index}`, seed));
      const gatherings = gather(contracts);
      expect(namesOf(gatherings).flat().toSorted()).toEqual(
        contracts.map(({ fullyQualifiedName = '' }) => fullyQualifiedName).toSorted(),
      );
      for (const { shown, members } of gatherings) {
        expect(members).not.toHaveLength(2);
        for (const member of members) expect(findings(member)).toEqual(findings(shown));
      }
    }),
  );
});

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

test('one problem of several contracts is printed once in each medium', () => {
  const plan = planOfMissing(4);
  const page = planPage(plan);
  const texts = [
    renderPlanText(plan, { palette: plain, detail: 'changes' }),
    renderMarkdown(page, { budget: 60_000 }),
    renderHtml(page).split('<h2>')[0] ?? '',
  ];
  for (const text of texts) {
    expect(text.match(/4 contracts(?::|&#58;) The catalog has no such contract\./gu)).toHaveLength(
      1,
    );
    expect(text.split(hint)).toHaveLength(2);
  }
});

test('a list that is cut off has the hint that all share', () => {
  const problems = Array.from({ length: 101 }, (_, index) => ({
    code: 'odd',
    severity: 'error' as const,
    message: `It is odd (${index}).`,
    hint,
  }));
  const plan = makePlan('https://catalog.example.com/api', [], problems);
  const markdown = renderMarkdown(planPage(plan), { budget: 60_000 });
  expect(markdown).toContain('… and 2 more');
  expect(markdown.split(hint)).toHaveLength(2);
});

test.for([
  { contracts: ['a', 'b', 'c'], folded: ['3 contracts: It is odd.'] },
  { contracts: ['a', 'a', 'a'], folded: ['It is odd.', 'It is odd.', 'It is odd.'] },
])('a problem of $contracts is counted by contracts', ({ contracts, folded }) => {
  const problems = contracts.map((contract) => {
    return { code: 'odd', severity: 'error', message: 'It is odd.', contract } as const;
  });
  expect(foldAlike(problems).map(({ message }) => message)).toEqual(folded);
});
