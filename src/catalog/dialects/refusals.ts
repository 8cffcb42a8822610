import type { Dialect } from './dialect.ts';

/** The interface's errors (§7): what answers with one of these has done nothing. */
const certain: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** The interface has 400 for it (§7), RFC 5789 §2.2 has 422. */
const ofTests: ReadonlySet<number> = new Set([400, 422]);

/** How the interface refuses a patch. 409 and 412 tell nothing of a `test`: a lock gives them too. */
export const refusals: Pick<
  Dialect,
  'isRefusal' | 'isRefusedTest' | 'isRefusedGuard' | 'knowsTests' | 'explain'
> = {
  isRefusal: ({ status = 0 }) => certain.has(status),
  isRefusedTest: ({ status = 0 }) => ofTests.has(status),
  isRefusedGuard: ({ status = 0 }) => ofTests.has(status),
  knowsTests: false,
  explain: () => undefined,
};
