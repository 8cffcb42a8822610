import { describe, expect, test } from 'vitest';
import { resolveFileSettings } from '../../src/config/settings.ts';
import type { JsonArray, JsonObject } from '../../src/core/json.ts';
import { judgeExceptions } from '../../src/plan/judge.ts';
import { defaultRules, type Rules } from '../../src/plan/rules.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { plain } from '../../src/report/blocks.ts';
import { renderPlanText } from '../../src/report/plan.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';
import { makeFolder } from '../support/workspace.ts';

const entry = (members: string, reason = 'agreed on it'): string =>
  `{ contract: "shop.**", reason: ${reason}, ${members} }`;

function rulesOf(entries: readonly string[], more = ''): Rules {
  const config = `allow: [${entries.join(', ')}]\n${more}`;
  const folder = makeFolder({ 'contract-sync.yaml': config });
  const { exceptions, exceptionsFor } = resolveFileSettings({}, {}, folder, '2026-06-01').rules;
  return { ...defaultRules, exceptions, exceptionsFor };
}

const column = (name: string, more: JsonObject = {}) => ({ name, dataType: 'INT', ...more });
const id = column('id', { constraint: 'PRIMARY_KEY' });
const fax = column('fax');
const dotted = column('a.b');
const address = (...children: JsonArray) => column('address', { dataType: 'STRUCT', children });
const live = {
  entityStatus: 'Active',
  schema: [id, fax, dotted, address(column('street'), column('zip'))],
  sla: { maxLatency: '10%', retention: 30 },
};

describe('an exception', () => {
  test.for<{ is: string; file: JsonObject; entries: string[]; blocked: string[] }>([
    {
      is: 'of one column lets no other one go',
      file: { schema: live.schema.slice(2) },
      entries: ['rule: column-removed, place: schema.fax'],
      blocked: ['column-removed schema.id'],
    },
    {
      is: 'without a place lets all go',
      file: { schema: live.schema.slice(2) },
      entries: ['rule: column-removed'],
      blocked: [],
    },
    {
      is: 'names a column within another, and one with a dot',
      file: { schema: [id, fax, address(column('zip'))] },
      entries: [
        'rule: column-removed, place: schema.address.street',
        `rule: column-removed, place: 'schema."a.b"'`,
      ],
      blocked: [],
    },
    {
      is: 'names a promise of the SLA',
      file: { sla: { maxLatency: '20%', retention: 20 } },
      entries: ['rule: sla-worsened, place: sla.maxLatency'],
      blocked: ['sla-worsened sla.retention'],
    },
    {
      is: 'of one rule allows no other at its place',
      file: { schema: [column('id', { dataType: 'TEXT' }), ...live.schema.slice(1)] },
      entries: ['rule: unique-dropped, place: schema.id'],
      blocked: ['required-dropped schema.id', 'type-changed schema.id'],
    },
  ])('$is', ({ file, entries, blocked }) => {
    const rules = rulesOf(entries.map((each) => entry(each)));
    const { problems } = planUpdate(liveOf(live), desiredOf(file), rules);
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, place }) => `${code} ${place}`).toSorted()).toEqual(blocked);
  });
});

const ofFax = 'rule: column-removed, place: schema.fax';
const gone = { schema: [id] };
const there = { schema: [id, fax] };

describe('a warning says that an exception', () => {
  test.for<{ is: string; entries: string[]; live: JsonObject; file: JsonObject; says: string[] }>([
    {
      is: 'is used up',
      entries: [entry(ofFax)],
      live: gone,
      file: gone,
      says: [
        'exception-unused: The exception for column-removed of schema.fax (agreed on it) is used up: neither the file nor the catalog has that place any more. Remove it from `allow`.',
      ],
    },
    {
      is: 'has a place that is misspelt',
      entries: [entry('rule: column-removed, place: schema.adress.zip')],
      live,
      file: live,
      says: [
        'exception-unused: The exception for column-removed of schema.adress.zip (agreed on it) allows nothing: neither the file nor the catalog has that place. Did you mean "schema.address.zip"? If not, it is used up: remove it from `allow`.',
      ],
    },
    {
      is: 'has not the place of a change that its rule blocks',
      entries: [entry('rule: column-removed, place: schema.telefax')],
      live: there,
      file: gone,
      says: [
        'exception-unused: The exception for column-removed of schema.telefax (agreed on it) allows nothing: neither the file nor the catalog has that place. Did you mean "schema.fax"? If not, it is used up: remove it from `allow`.',
      ],
    },
    {
      is: '(not: its change has yet to be written)',
      entries: [entry(ofFax)],
      live: there,
      file: there,
      says: [],
    },
    {
      is: '(not: its change has yet to land)',
      entries: [entry(ofFax)],
      live: there,
      file: gone,
      says: [],
    },
    {
      is: '(not: the file brings the place)',
      entries: [entry(ofFax)],
      live: gone,
      file: there,
      says: [],
    },
    {
      is: 'has ended',
      entries: [entry(`${ofFax}, until: 2026-05-31`)],
      live: there,
      file: there,
      says: [
        'exception-unused: The exception for column-removed of schema.fax (agreed on it) ended on 2026-05-31: it allows nothing any more. Remove it from `allow`, or agree on a later day and set `until`.',
      ],
    },
    {
      is: 'has no place',
      entries: [entry('rule: sla-worsened'), entry('rule: transition-blocked')],
      live: there,
      file: there,
      says: [
        'exception-wide: The exception for sla-worsened (agreed on it) has no `place`, so it allows this anywhere in the contract. Name the place that was agreed on, such as `place: sla.maxLatency`.',
      ],
    },
    {
      is: 'of a whole schema is used up',
      entries: [entry('rule: contract-emptied')],
      live: { schema: [] },
      file: { schema: [] },
      says: [
        'exception-unused: The exception for contract-emptied (agreed on it) is used up: neither the file nor the catalog has that place any more. Remove it from `allow`.',
      ],
    },
  ])('$is', ({ entries, live: fields, file, says }) => {
    const pair = { live: liveOf(fields), desired: desiredOf(file) };
    const rules = rulesOf(entries);
    const found = judgeExceptions(rules, [pair], [planUpdate(pair.live, pair.desired, rules)]);
    expect(found.map(({ code, message, hint }) => `${code}: ${message} ${hint}`)).toEqual(says);
  });

  test('is not used up while another contract that it matches has the place, or has no file', () => {
    const rules = rulesOf([entry(ofFax)]);
    const one = { live: liveOf(gone), desired: desiredOf(gone) };
    const other = { live: liveOf(there), desired: desiredOf(there) };
    const stray = { live: liveOf() };
    expect(judgeExceptions(rules, [one])).toHaveLength(1);
    for (const more of [other, stray]) expect(judgeExceptions(rules, [one, more])).toEqual([]);
    expect(judgeExceptions(rules, [])).toEqual([]);
  });

  test('is not used up where other environments have it too, but ends in all of them', () => {
    const ended = entry(`${ofFax}, until: 2026-05-31`, 'agreed once');
    const rules = rulesOf([entry(ofFax), ended], 'environments: { dev: {}, prod: {} }');
    const pairs = [{ live: liveOf(gone), desired: desiredOf(gone) }];
    expect(judgeExceptions(rules, pairs)).toMatchObject([
      { code: 'exception-unused', source: { file: 'contract-sync.yaml', line: 1, column: 97 } },
    ]);
  });

  test('has ended comes once, though it covers two changes', () => {
    const rules = rulesOf([entry('rule: column-removed, until: 2026-05-31')]);
    const { problems } = planUpdate(liveOf(live), desiredOf({ schema: [id] }), rules);
    expect(problems.filter(({ code }) => code === 'exception-expired')).toHaveLength(1);
  });

  test('has ended is not reported beside the change that it blocks', () => {
    const rules = rulesOf([entry(`${ofFax}, until: 2026-05-31`)]);
    const desired = desiredOf({ schema: [id, dotted] });
    const pair = { live: liveOf({ ...live, schema: [id, fax, dotted] }), desired };
    const plan = planUpdate(pair.live, desired, rules);
    expect(plan.problems.map(({ code }) => code)).toEqual(['column-removed', 'exception-expired']);
    const whole = makePlan('https://catalog.example.com', [plan], []);
    const text = renderPlanText(whole, { palette: plain, detail: 'totals' });
    expect(text).toContain('ended on 2026-05-31. [exception-expired] shop.sales.orders\n');
    expect(judgeExceptions(rules, [pair], [plan])).toEqual([]);
    // A problem at the same line and column of a contract file is not about it.
    const problems = plan.problems.map(({ source, ...problem }) => ({
      ...problem,
      ...(source && { source: { ...source, file: 'orders.yaml' } }),
    }));
    expect(judgeExceptions(rules, [pair], [{ ...plan, problems }])).toHaveLength(1);
  });
});
