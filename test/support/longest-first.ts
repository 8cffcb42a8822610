import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** In a fresh clone nothing tells how long a file takes but its name: no worker is left alone with it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is no method of an array.
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return moduleId.endsWith('.long.test.ts');
}
