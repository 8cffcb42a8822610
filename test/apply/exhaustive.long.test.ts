import { afterAll, describe, expect, test } from 'vitest';
import { enumerate, works } from './enumeration.ts';
import { serverKinds } from './small-catalog.ts';

/** Sequences of three are 249,438 cases and take two minutes: `MOST_FAULTS=3`. */
const mostFaults = Number(process.env['MOST_FAULTS'] ?? 2);
let total = 0;

afterAll(() => console.log(`${total} cases`));

describe.for(serverKinds.flatMap((kind) => [1, 2].map((contracts) => ({ kind, contracts }))))(
  'on a server that $kind, of $contracts',
  ({ kind, contracts }) => {
    test.for(works)(
      'to $name lands once, overwrites no edit and is reported truly, whatever goes wrong',
      { timeout: 600_000 },
      async (work) => {
        const { cases, broken } = await enumerate({ work, kind, contracts }, mostFaults);
        console.log(`${kind}, ${work.name}, ${contracts}: ${cases} cases`);
        total += cases;
        expect(broken).toEqual([]);
      },
    );
  },
);
