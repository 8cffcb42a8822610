import { delimiter, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { Progress } from './test/support/progress.ts';

// Where a plan's files are part of this repository, what git knows of them depends on the clone.
const outsideGit = ['examples', join('test', 'scenarios')].map((folder) =>
  join(import.meta.dirname, folder),
);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A green run of 7,000 tests fits on a screen; of a red one each failure is shown whole.
    reporters: [
      'minimal',
      new Progress(),
      ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : []),
    ],
    silent: 'passed-only',
    globalSetup: ['test/support/memory.ts', 'test/support/bundles.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    env: {
      GIT_CEILING_DIRECTORIES: outsideGit.join(delimiter),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: join(import.meta.dirname, 'test', 'gitconfig'),
    },
    sequence: { sequencer: LongestFirst },
    isolate: false,
  },
});
