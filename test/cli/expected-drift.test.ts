import { describe, expect, test } from 'vitest';
import {
  openPast,
  ordersFile,
  type Past,
  type PastDialect,
  pastDialects,
} from '../support/past.ts';

/** A description that was applied, and set back in the catalog by somebody. */
async function openUndone(dialect: PastDialect): Promise<Past> {
  const past = await openPast(dialect);
  past.commit({ 'contracts/orders.yaml': ordersFile(past.name, 'description: Old.') });
  await past.run('apply', '--yes');
  past.pass(60);
  past.commit({ 'contracts/orders.yaml': ordersFile(past.name, 'description: One line.') });
  past.pass(60);
  expect((await past.run('apply', '--yes')).code).toBe(0);
  past.pass(60);
  await past.edit('mira', { description: 'Old.' });
  past.pass(60);
  return past;
}

const base = ['--base', 'main'] as const;

async function hashOf(past: Past, ...flags: readonly string[]): Promise<string> {
  const { stdout } = await past.run('plan', ...base, ...flags);
  expect(stdout).toContain('1 to update');
  return /sha256:[0-9a-f]{64}/u.exec(stdout)?.[0] ?? '';
}

describe.each(pastDialects)('a reviewed hash in the dialect %s', (dialect) => {
  test('has not landed where the value is again as it was before the change', async () => {
    const past = await openUndone(dialect);
    const hash = await hashOf(past, '--drift', 'overwrite');
    const expected = [...base, '--drift', 'leave', '--expect-hash', hash] as const;
    const planned = await past.run('plan', ...expected);
    expect(planned.code).toBe(1);
    const applied = await past.run('apply', '--yes', ...expected);
    expect(applied.code).toBe(1);
    expect(applied.stdout).toContain('[plan-changed]');
    expect(applied.stdout).toContain('`drift: leave` leaves edits of the catalog');
    expect(applied.stdout).not.toContain('landed');
    expect(await past.live()).toMatchObject({ description: 'Old.' });
    const meant = [...base, '--drift', 'overwrite', '--expect-hash', hash] as const;
    expect((await past.run('apply', '--yes', ...meant)).code).toBe(0);
    expect(await past.live()).toMatchObject({ description: 'One line.' });
  });

  test('has landed where the value was changed to another one since', async () => {
    const past = await openUndone(dialect);
    const hash = await hashOf(past, '--drift', 'overwrite');
    await past.run('apply', '--yes', ...base, '--drift', 'overwrite', '--expect-hash', hash);
    past.pass(60);
    await past.edit('mira', { description: 'By hand.' });
    const again = [...base, '--drift', 'leave', '--expect-hash', hash] as const;
    const applied = await past.run('apply', '--yes', ...again);
    expect(applied.code).toBe(0);
    expect(applied.stdout).toContain('landed, and was changed again since');
  });
});
