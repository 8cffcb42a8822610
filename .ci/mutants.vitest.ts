/** The tests of one room, for `mutants.ts`: without bundles and long proofs. */

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [`test/${process.env['MUTANTS_OF']}/**/*.test.ts`],
    exclude: ['**/*.long.test.ts'],
    setupFiles: ['.ci/mutants.setup.ts'],
    testTimeout: 60_000,
    isolate: false,
  },
});
