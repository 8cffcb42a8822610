import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describing, openWorld } from './review-world.ts';
import { root } from '../support/root.ts';

const file = join(root, 'docs', 'github.md');
const block = /(<!-- refused -->\n````markdown\n)([\s\S]*?)(\n````\n<!-- \/refused -->)/u;

/** The hash depends on ids, which are others each time. */
const comparable = (text: string) =>
  text
    .replaceAll(/sha256:[0-9a-f]{64}/gu, `sha256:${'0'.repeat(64)}`)
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/gu, '2026-11-22 08:00 UTC')
    .replaceAll(/&#(\d+);/gu, (_, code: string) => String.fromCodePoint(Number(code)));

test("the page about GitHub shows the comment's real line for a change that is not reviewed", async () => {
  const world = await openWorld();
  world.openPull(7, { ...describing('orders', 'By 7.'), ...describing('carts', 'By 7.') });
  await world.plan(7);
  await world.edit('carts', { description: 'By hand.' });
  world.merge(7);
  await world.apply();
  const [, notes = ''] =
    /\n\n(## contract-sync: ❌ [\s\S]*?)\n\n<details>/u.exec(world.bodyOf(7)) ?? [];
  const page = readFileSync(file, 'utf8');
  const real = page.replace(block, (_, before: string, _old: string, after: string) =>
    [before, comparable(notes), after].join(''),
  );
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, real);
  expect(page).toBe(real);
});
