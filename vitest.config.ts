import { delimiter, join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Where a plan's files are part of this repository, what git knows of them depends on the clone.
const outsideGit = ['examples', join('test', 'scenarios')].map((folder) =>
  join(import.meta.dirname, folder),
);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/bundles.ts'],
    testTimeout: 60_000,
    maxWorkers: 2,
    env: { GIT_CEILING_DIRECTORIES: outsideGit.join(delimiter) },
    isolate: false,
  },
});
