import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backOff, parseRetryAfter, type Patience, pauses, retry } from '../../src/http/send.ts';

describe('Retry-After', () => {
  const now = Date.parse('2026-10-21T07:28:00Z');
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30_000],
    ['Wednesday, 21-Oct-26 07:28:30 GMT', 30_000],
    ['Wed Oct 21 07:28:30 2026 GMT', 30_000],
    ['Wed, 21 Oct 2026 07:00:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Monday', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});

test('a pause is anywhere below a bound that doubles and is capped, on top of the Retry-After', () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), chance, fc.nat(), (attempts, random, asked) => {
      const pause = backOff(attempts, () => random, asked);
      expect(pause).toBeGreaterThanOrEqual(asked);
      const ceiling = Math.min(pauses.longest, pauses.base * 2 ** (attempts - 1));
      expect(pause).toBeLessThanOrEqual(asked + ceiling);
    }),
  );
});

describe('an attempt is made again', () => {
  type Fault = { message: string; transient: boolean; retryAfterMs?: number };

  /** Fails as told, then succeeds. */
  async function attemptAfter(faults: readonly Fault[], patience?: Patience, chance = 0.5) {
    const waits: number[] = [];
    const lines: string[] = [];
    let time = 0;
    const sleep = async (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      time += milliseconds;
    };
    let attempts = 0;
    const attempt = async () => {
      const fault = faults[attempts++];
      return fault ? { fault } : { value: 'done' };
    };
    const effects = { sleep, random: () => chance, now: () => time };
    const result = await retry(attempt, effects, (line) => lines.push(line), patience);
    return { result, waits, lines, attempts };
  }

  const busy = { message: 'Too busy.', transient: true };

  test('after longer and longer pauses, each of them logged', async () => {
    const { result, waits, lines } = await attemptAfter([busy, { ...busy, retryAfterMs: 7000 }]);
    expect(result).toEqual({ value: 'done' });
    expect(waits).toEqual([250, 7500]);
    expect(lines).toEqual([
      'Too busy. Trying again in 0.3 s (2 of 4).',
      'Too busy. Trying again in 7.5 s (3 of 4).',
    ]);
  });

  test('at once, where no time is left to name', async () => {
    const { lines } = await attemptAfter([busy], 'short', 0.0001);
    expect(lines).toEqual(['Too busy. Trying again now (2 of 4).']);
  });

  test('three times at most: then the last fault stands', async () => {
    const { result, attempts } = await attemptAfter([busy, busy, busy, busy]);
    expect(result).toEqual({ fault: busy });
    expect(attempts).toBe(4);
  });

  test.each<[string, Fault]>([
    ['the fault is a lasting one', { ...busy, transient: false }],
    ['the server asks for too long a pause', { ...busy, retryAfterMs: 30_001 }],
  ])('never where %s', async (_, fault) => {
    const { result, waits } = await attemptAfter([fault]);
    expect(result).toEqual({ fault });
    expect(waits).toEqual([]);
  });

  test('for a minute with long patience, and soon after the server is back', async () => {
    const down = Array.from({ length: 100 }, () => busy);
    const { waits, lines } = await attemptAfter(down, 'long');
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    expect(total).toBeGreaterThanOrEqual(60_000);
    expect(total).toBeLessThan(64_000);
    expect(Math.max(...waits)).toBe(2000);
    expect(lines[0]).toBe('Too busy. Trying again in 0.3 s (for up to 60 s).');
  });

  test('never where one attempt is all there is time for', async () => {
    const { result, waits } = await attemptAfter([busy], 'once');
    expect(result).toEqual({ fault: busy });
    expect(waits).toEqual([]);
  });
});
