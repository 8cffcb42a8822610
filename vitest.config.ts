import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/bundles.ts'],
    testTimeout: 60_000,
    maxWorkers: 2,
    isolate: false,
  },
});
