import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { isWhole } from '../contract/live.ts';
import { readPage, type ListedPage } from './answers.ts';
import type { Attempt } from './request.ts';
import { pageProgram, startPageThread, type PageThread } from './page-thread.ts';
import type { Content } from '../http/body.ts';
import type { Sieve } from './sieve.ts';
import { createSifter, type Sifter } from './sift.ts';

/** Parses the pages of a list. */
export type PageReader = {
  readonly read: (content: Content) => Promise<Attempt<ListedPage>>;
  /** So many contracts are still to come. */
  readonly expect: (contracts: number) => void;
  /** How many pages to ask for before the one at hand is done with. */
  readonly ahead: () => number;
  readonly close: () => void;
};

/** Gives all contracts whole. */
export const wholePages: PageReader = {
  read: (content) => readHere(content),
  expect: () => undefined,
  ahead: () => 1,
  close: () => undefined,
};

/** To start a thread, and to skim before that is compiled, costs as much as parsing some thousands. */
const longList = 10_000;

/** In heads: what may wait for the files to be read. A whole contract weighs as much as so many. */
const mostWaiting = 100_000;
const weightOfWhole = 20;

/**
 * Where a list is long, the contracts that do not pass the sieve come without their documents: read
 * on a thread of its own, or here where none can be had, or it has died.
 */
export function siftPages(sieve: Sieve, program = usefulProgram()): PageReader {
  let thread: PageThread | undefined;
  let sift: Sifter | undefined;
  let ahead = 2;
  const living = (): PageThread | undefined => (thread?.hasEnded() ? undefined : thread);
  return {
    read: async (content) => {
      const page = await (living()?.read(content) ?? readHere(content, sift));
      if (living() && 'value' in page) ahead = pagesAhead(page.value);
      return page;
    },
    expect: (contracts) => {
      if (sift || contracts < longList) return;
      sift = createSifter(sieve);
      if (program !== undefined) thread = startPageThread(program, sieve);
    },
    ahead: () => (living() ? ahead : 1),
    close: () => thread?.close(),
  };
}

/** Pages like this one. */
function pagesAhead({ contracts }: ListedPage): number {
  const whole = contracts.filter(isWhole).length;
  const weight = contracts.length + weightOfWhole * whole;
  return Math.max(1, Math.floor(mostWaiting / weight));
}

function usefulProgram(): string | undefined {
  return availableParallelism() > 1 ? pageProgram : undefined;
}

/** Of the event loop, until `fetch` has written a request: measured, and only speed relies on it. */
const turnsToSend = 2;

/** Parsing blocks the thread: the request for the next page goes out first. */
async function readHere(content: Content, read: Sifter = readPage): Promise<Attempt<ListedPage>> {
  for (let turn = 0; turn < turnsToSend; turn += 1) await setImmediate();
  return read(content);
}
