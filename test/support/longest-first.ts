import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * In a fresh clone nothing tells how long a file takes but its name and size: no worker is left alone
 * with a long one. Those that start many programs come before the others, since a process whose memory
 * has grown takes long to start another.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is no method of an array.
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const first = [/\.long\.test\.ts$/u, /\/test\/action\//u, /\/test\/cli\//u];
  const rank = first.findIndex((name) => name.test(moduleId));
  return rank < 0 ? first.length : rank;
}
