/** What later releases do otherwise, by their changelog, against the sandbox at each. */

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { updates } from '../../src/plan/plan.ts';
import { parseVersions } from '../../src/history/version.ts';
import { lenientRules } from '../support/rules.ts';
import { idOf, makeContract } from '../sandbox/openmetadata/served.ts';
import { openWorld, problemsOf, resultsOf } from './world.ts';

const head = 'fullyQualifiedName: shop.sales.web.orders.dataContract_orders\n';
const file = (content: string) => `${head}${content}\n`;

const all = ['1.12', '1.13', '2.0', '2.1'] as const;
const later = ['1.13', '2.0', '2.1'] as const;

async function open(release: string, content: JsonObject = { description: 'Old.' }) {
  const world = await openWorld({ release });
  return { world, contract: await makeContract(world, content) };
}

/** The patches of an apply, with the tag and the answer's status of each. */
function watchPatches() {
  const sent: { readonly tag: string | null; readonly body: string }[] = [];
  const watched: typeof fetch = async (input, init) => {
    if (init?.method === 'PATCH') {
      sent.push({
        tag: new Headers(init.headers).get('if-match'),
        body: typeof init.body === 'string' ? init.body : '',
      });
    }
    return fetch(input, init);
  };
  return {
    sent,
    connection: { effects: { sleep: () => Promise.resolve(), random: () => 0, fetch: watched } },
  };
}

describe('the status Archived', () => {
  test.each(later)('is written in %s', async (release) => {
    const { world, contract } = await open(release, { entityStatus: 'Deprecated' });
    const plan = await world.plan([file('entityStatus: Archived')], { asks: true });
    expect(resultsOf(await world.apply(plan))).toEqual(['applied']);
    expect(await contract.read()).toMatchObject({ entityStatus: 'Archived' });
  });

  test('is reported as missing in 1.12, and refused there if the release is unknown', async () => {
    const { world } = await open('1.12', { entityStatus: 'Deprecated' });
    const text = file('entityStatus: Archived');
    const plan = await world.plan([text], { asks: true });
    expect(problemsOf(plan)).toMatchObject([
      { code: 'unknown-status', message: expect.stringContaining('1.12.6 has no status') },
    ]);
    expect(plan.summary.blocked).toBe(1);
    expect(resultsOf(await world.apply(await world.plan([text])))).toEqual([
      'failed: value-refused',
    ]);
  });
});

describe('a refusal is known by its words', () => {
  test.each(all)('of a guard in %s: stale', async (release) => {
    const { world, contract } = await open(release);
    world.pass(700_000);
    const plan = await world.plan([file('description: New.')]);
    await contract.patch([{ op: 'add', path: '/description', value: 'By hand.' }], 'admin');
    expect(resultsOf(await world.apply(plan))).toEqual(['stale: contract-moved']);
    expect(await contract.read()).toMatchObject({ description: 'By hand.' });
  });

  test.each(later)('of a word in %s: it names those that it knows', async (release) => {
    const { world } = await open(release);
    const lifecycle = {
      statuses: ['Unprocessed', 'Live'],
      transitions: [{ from: 'Unprocessed', to: 'Live' }],
    };
    const rules = { lifecycle };
    const plan = await world.plan([file('entityStatus: Live')], { rules });
    const { outcomes } = await world.apply(plan, { rules });
    expect(outcomes).toMatchObject([
      {
        result: 'failed',
        error: { code: 'value-refused', message: expect.stringContaining('Approved') },
      },
    ]);
  });
});

describe('a tag is sent as the answer gave it', () => {
  test.for([
    ['1.13', 'description: New.', /^W\/"0\.2(?:--gzip)?"$/u],
    ['1.13', 'sla: { columnName: id }', /^W\/"0\.2(?:--gzip)?"$/u],
    ['2.0', 'sla: { columnName: id }', /^"[\da-f]{16}(?:--gzip)?"$/u],
  ] as const)('in %s with %s', async ([release, content, form]) => {
    const { world, contract } = await open(release);
    await contract.patch([{ op: 'add', path: '/displayName', value: 'Orders' }]);
    const { headers } = await world.ask('GET', contract.path);
    const { sent, connection } = watchPatches();
    const plan = await world.plan([file(content)], { asks: true });
    expect(resultsOf(await world.apply(plan, { connection }))).toEqual(['applied']);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.tag).toMatch(form);
    expect(sent[0]?.tag?.replace('--gzip"', '"')).toBe(headers['etag']?.replace('--gzip"', '"'));
    expect((await world.plan([file(content)])).summary.unchanged).toBe(1);
  });

  // nginx weakens a tag, Apache gives it an ending (RFC 9110 §8.8.1).
  test.each([
    ['weakens', (tag: string) => `W/${tag}`],
    ['ends', (tag: string) => tag.replace(/"$/u, '-gzip"')],
  ])('but where a gateway that zips answers %s it, as 1.12 made it', async (_, change) => {
    const { world, contract } = await open('1.12');
    await contract.patch([{ op: 'add', path: '/displayName', value: 'Orders' }]);
    const { sent, connection } = watchPatches();
    const { fetch } = connection.effects;
    const zipping: typeof fetch = async (...given) => {
      const { status, headers, body } = await fetch(...given);
      const tag = headers.get('etag')?.replace('--gzip"', '"');
      const zipped = new Headers(headers);
      zipped.delete('content-encoding');
      if (tag !== undefined) zipped.set('etag', change(tag));
      return new Response(body, { status, headers: zipped });
    };
    const effects = { ...connection.effects, fetch: zipping };
    const plan = await world.plan([file('description: New.')]);
    const outcomes = await world.apply(plan, { connection: { effects } });
    expect(resultsOf(outcomes)).toEqual(['applied']);
    expect(sent.map(({ tag }) => tag)).toEqual([expect.stringMatching(/^"[\da-f]{16}"$/u)]);
  });

  test('but not with a section alone in 1.12; no release needs a carrier for it', async () => {
    for (const release of all) {
      const { world } = await open(release);
      const { sent, connection } = watchPatches();
      const plan = await world.plan([file('sla: { columnName: id }')], { asks: true });
      expect(updates(plan)[0]?.changes.map(({ place }) => place)).toEqual(['/sla']);
      expect(resultsOf(await world.apply(plan, { connection }))).toEqual(['applied']);
      expect(sent.map(({ tag }) => tag !== null)).toEqual([release !== '1.12']);
    }
  });

  test.each(later)(
    'where the release of %s is unknown, once a computed one was refused',
    async (release) => {
      const { world, contract } = await open(release);
      world.pass(700_000);
      const { sent, connection } = watchPatches();
      const { headers } = await world.ask('GET', contract.path);
      const plan = await world.plan([file('description: New.')]);
      expect(plan.dialect?.release).toBeUndefined();
      expect(resultsOf(await world.apply(plan, { connection }))).toEqual(['applied']);
      expect(sent.map(({ tag }) => tag?.replace('--gzip"', '"'))).toEqual([
        expect.stringMatching(/^"[\da-f]{16}"$/u),
        headers['etag']?.replace('--gzip"', '"'),
      ]);
    },
  );
});

test.each(all)('a name that 2.0 takes and later refuses fails its change: %s', async (release) => {
  const { world } = await open(release, { name: 'a>b', description: 'Old.' });
  const text =
    'name: a>b\nentity: { type: table, fullyQualifiedName: shop.sales.web.orders }\ndescription: New.\n';
  const expected = release >= '2.0' ? 'failed: change-refused' : 'applied';
  expect(resultsOf(await world.apply(await world.plan([text])))).toEqual([expected]);
});

describe('a workflow of 2.0 that moves the status right after a write', () => {
  const reviewers = 'reviewers: [{ type: user, name: ada }]';

  test.each(['Draft', 'Rejected'])('fails no update of a contract that was %s', async (before) => {
    const { world, contract } = await open('2.0', { entityStatus: before });
    const plan = await world.plan([file(`entityStatus: Draft\n${reviewers}`)]);
    const { outcomes } = await world.apply(plan);
    expect(outcomes).toMatchObject([
      {
        result: 'applied',
        note: 'Changed after: governance-bot moved the status from Draft to In Review right after the write.',
      },
    ]);
    expect(await contract.read()).toMatchObject({ entityStatus: 'In Review' });
  });

  test('a creation has the same note', async () => {
    const world = await openWorld({ release: '2.0' });
    const text = `name: orders\nentity: { type: table, fullyQualifiedName: shop.sales.web.orders }\nentityStatus: Draft\n${reviewers}\n`;
    const plan = await world.plan([text], { rules: { create: true } });
    const { outcomes } = await world.apply(plan, { rules: { create: true } });
    expect(outcomes).toMatchObject([
      { result: 'applied', note: expect.stringContaining('governance-bot moved the status') },
    ]);
  });
});

async function openReviewed() {
  const world = await openWorld({ release: '2.1' });
  const id = await idOf(world, 'users', 'ada');
  const reviewers = [{ id, type: 'user' }];
  const contract = await makeContract(world, { description: 'Old.', reviewers });
  return { world, contract };
}

describe('a contract whose status a workflow of 2.1 owns', () => {
  const sent = file('entityStatus: Deprecated\ndescription: New.');

  test('gets the other fields, and its outcome names the workflow', async () => {
    const { world, contract } = await openReviewed();
    const plan = await world.plan([sent]);
    const { outcomes } = await world.apply(plan, { user: 'ingestion-bot' });
    expect(outcomes).toMatchObject([
      {
        result: 'landed-in-part',
        changed: { before: { description: 'Old.' }, after: { description: 'New.' } },
        error: {
          code: 'status-owned',
          message:
            "The catalog keeps the status to a workflow of its own: The workflow 'DataContractApproval' owns the field entityStatus. The rest of the change was sent without it.",
        },
      },
    ]);
    expect(await contract.read()).toMatchObject({
      description: 'New.',
      entityStatus: 'Unprocessed',
    });
  });

  const owned =
    "The catalog keeps the status to a workflow of its own: The workflow 'DataContractApproval' owns the field entityStatus.";
  const hint =
    'Leave `entityStatus` out of the file, and make the move in the catalog, as the workflow asks.';

  test.each<[rest: string, reply: () => Response, result: string, message: string, hint: string]>([
    [
      'is refused too',
      () => Response.json({ code: 400, message: 'Unknown custom field region' }, { status: 400 }),
      'failed: change-refused',
      `${owned} The rest of the change hasn't landed either: The catalog refuses the change: Unknown custom field region`,
      `Correct the file. ${hint}`,
    ],
    [
      'waits for an approval',
      () => Response.json({ id: 'task-1' }, { status: 202 }),
      'held: held',
      `${owned} The rest of the change waits in the catalog: The catalog holds the change until somebody approves it.`,
      `Have it approved in the catalog, or withdrawn there; then plan again. ${hint}`,
    ],
    [
      'is lost on its way',
      () => new Response('', { status: 502 }),
      'unverified: outcome-unknown',
      `${owned} It isn't known whether the rest of the change has landed: The change has not landed so far, but still may.`,
      hint,
    ],
  ])('whose other fields are sent without it, which %s', async (...row) => {
    const [, reply, result, message, advice] = row;
    const { world, contract } = await openReviewed();
    const replying: typeof fetch = async (input, init = {}) => {
      if (init.method !== 'PATCH') return fetch(input, init);
      const isWhole = typeof init.body === 'string' && init.body.includes('Deprecated');
      return isWhole ? fetch(input, init) : reply();
    };
    const effects = { sleep: () => Promise.resolve(), random: () => 0, fetch: replying };
    const { outcomes } = await world.apply(await world.plan([sent]), {
      user: 'ingestion-bot',
      connection: { effects },
    });
    const [{ result: is, error } = {}] = outcomes;
    expect(`${is}: ${error?.code}`).toBe(result);
    expect(error?.message).toContain(message);
    expect(error?.hint).toContain(advice);
    expect(await contract.read()).toMatchObject({ description: 'Old.' });
  });

  test('holds the edit of a person until a reviewer approves it', async () => {
    const { world, contract } = await openReviewed();
    const plan = await world.plan([file('description: New.')]);
    expect(resultsOf(await world.apply(plan))).toEqual(['held: held']);
    expect(await contract.read()).toMatchObject({ description: 'Old.' });
  });
});

test('members of sections that only 2.0 knows stay in every rewrite', async () => {
  const rules = [
    { name: 'r1', description: 'One.', rule: '{"!":[1]}', arguments: { limit: 3 } },
    { name: 'r2', description: 'Two.', rule: '{"!":[2]}' },
  ];
  const schema = [
    { name: 'id', dataType: 'BIGINT', odcsElementExtensions: { unit: 'none' } },
    { name: 'amount', dataType: 'DECIMAL' },
  ];
  const { world, contract } = await open('2.0', { semantics: rules, schema });
  const before = await contract.read();
  const text = file(`schema:
  - { name: amount, dataType: DECIMAL, description: How much. }
  - { name: id, dataType: INT }
semantics:
  - { name: r2, description: Two., rule: '{"!":[2]}' }
  - { name: r1, description: Changed., rule: '{"!":[1]}' }
  - { name: r3, description: Three., rule: '{"!":[3]}' }`);
  expect(resultsOf(await world.apply(await world.plan([text])))).toEqual(['applied']);
  const after = await contract.read();
  const [r1, r2] = before.semantics;
  expect(after.semantics).toMatchObject([
    { name: 'r2', id: r2.id },
    { name: 'r1', id: r1.id, arguments: { limit: 3 }, description: 'Changed.' },
    { name: 'r3', id: expect.any(String) },
  ]);
  expect(after.schema).toMatchObject([
    { name: 'amount' },
    { name: 'id', dataType: 'INT', odcsElementExtensions: { unit: 'none' } },
  ]);
  expect((await world.plan([text])).summary).toMatchObject({ unchanged: 1, update: 0 });
});

test('an edit that waits for an approval is held: it is sent once, and read once afterwards', async () => {
  const { world, contract } = await open('2.0');
  const methods: (string | undefined)[] = [];
  const holding: typeof fetch = async (input, init) => {
    methods.push(init?.method);
    if (init?.method !== 'PATCH') return fetch(input, init);
    return Response.json({ id: 'task-1' }, { status: 202 });
  };
  const effects = { sleep: () => Promise.resolve(), random: () => 0, fetch: holding };
  const plan = await world.plan([file('description: New.')]);
  const { outcomes, summary } = await world.apply(plan, { connection: { effects } });
  expect(outcomes).toMatchObject([{ result: 'held', error: { code: 'held' } }]);
  expect(summary.held).toBe(1);
  expect(methods.filter((method) => method === 'PATCH')).toHaveLength(1);
  expect(methods.slice(methods.indexOf('PATCH'))).toEqual(['PATCH', 'GET']);
  expect(await contract.read()).toMatchObject({ description: 'Old.' });
});

test.each(all)('who acts for somebody is named with him: %s', async (release) => {
  const { world, contract } = await open(release);
  const asAda = { headers: { 'x-impersonate-user': 'ada' } };
  const body = [{ op: 'add', path: '/description', value: 'By hand.' }];
  await world.ask('PATCH', contract.path, { body, ...asAda }, 'ingestion-bot');
  const [latest] = parseVersions(await contract.versions(), lenientRules);
  expect(latest?.user).toBe('ingestion-bot as ada');
});
