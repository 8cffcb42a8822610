import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { contractProblems } from '../../src/plan/plan.ts';
import { byHand, entity, file, openOrders, pauses, run } from './edits.ts';
import { resultsOf, type World } from './world.ts';

const step = fc.record({
  content: file,
  edits: fc.subarray([...byHand], { maxLength: 4 }),
  editor: fc.constantFrom('admin', 'ada'),
  pause: fc.constantFrom(...pauses),
});

test.prop([fc.array(step, { minLength: 2, maxLength: 5 })], { numRuns: 40 })(
  'whatever is edited is stored, with nothing left to plan, or a problem of the plan',
  async (steps) => {
    const world = await openOrders();
    for (const { content, pause, edits, editor } of steps) {
      for (const edit of edits) await editByHand(world, edit, editor);
      world.pass(pause);
      await expectStoredOrTold(world, content);
    }
  },
  300_000,
);

async function editByHand(world: World, edit: JsonObject, editor: string): Promise<void> {
  const { body } = await world.ask('GET', '/dataContracts');
  for (const { id } of body.data) {
    await world.ask('PATCH', `/dataContracts/${id}`, { body: [edit] }, editor);
  }
}

async function expectStoredOrTold(world: World, content: JsonObject): Promise<void> {
  const texts = [JSON.stringify({ name: 'orders', entity, ...content })];
  const plan = await world.plan(texts, run);
  const problems = [...plan.diagnostics, ...plan.contracts.flatMap(contractProblems)];
  if (problems.some(({ severity }) => severity === 'error')) return;
  // Only a reviewer can make the move, and the plan has said so.
  const isReviewed = problems.some(({ code }) => code === 'needs-reviewer');
  world.requests();
  const results = resultsOf(await world.apply(plan, run));
  if (isReviewed && results[0] === 'failed: needs-reviewer') return;
  if (plan.summary.unchanged === 1) return;
  expect(results).toEqual(['applied']);
  const kind = plan.summary.create === 1 ? 'POST' : 'PATCH';
  // Where an edit may have joined the version, the contract is read before the patch too.
  const requests = world.requests().map((request) => request.split(' ')[0]);
  const wasRead = kind === 'PATCH' && requests[0] === 'GET';
  expect(requests).toEqual([...(wasRead ? ['GET'] : []), kind, 'GET']);
  const next = await world.plan(texts, run);
  expect({ diagnostics: next.diagnostics, contracts: next.contracts }).toMatchObject({
    diagnostics: [],
    contracts: [{ action: 'unchanged' }],
  });
}
