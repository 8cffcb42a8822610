import type { Savings } from './align.ts';

/** One operation outweighs all the bytes that a patch can have. */
const operation = 2 ** 32;

/** Against a move, or against a remove and an add. */
export function savingsAgainstMoves(): Savings {
  return { keep: () => operation, replace: () => operation };
}

export function savingsInPlace(): Savings {
  return { keep: () => 2 * operation, replace: () => operation };
}
