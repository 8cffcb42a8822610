import { expect, onTestFinished, test } from 'vitest';
import { atomically, openDatabase, signingSecret } from '../../src/sandbox/database.ts';

function openTemporary() {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  return database;
}

test('work that fails half-way is not stored, and leaves the database usable', () => {
  const database = openTemporary();
  const add = database.prepare("INSERT INTO snapshots VALUES (?, '0.1', '{}')");
  const fail = () =>
    atomically(database, () => {
      add.run('first');
      throw new Error('stopped');
    });
  expect(fail).toThrow('stopped');
  expect(atomically(database, () => add.run('second').changes)).toBe(1);
  expect(database.prepare('SELECT contract FROM snapshots').all()).toEqual([
    { contract: 'second' },
  ]);
});

test('each database signs with a secret of its own', () => {
  const [one, two] = [signingSecret(openTemporary()), signingSecret(openTemporary())];
  expect(one).toHaveLength(32);
  expect(one).not.toEqual(two);
});
