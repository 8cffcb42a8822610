import { defineConfig } from 'vitest/config';
import { generateAll } from './.ci/generate.ts';

// A schema may have been edited since the install.
generateAll();

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
