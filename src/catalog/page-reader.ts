import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { readPage, type ListedPage } from './answer.ts';
import type { Attempt } from './fault.ts';
import { pageProgram, startPageThread, type PageThread } from './page-thread.ts';
import type { Content } from './request.ts';
import type { Sieve } from './sieve.ts';

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
  read: readHere,
  expect: () => undefined,
  ahead: () => 1,
  close: () => undefined,
};

/** A thread costs as much as parsing a few thousand contracts. */
const contractsWorthAThread = 10_000;

/** Sifted, a page is a tenth of what it was: so many may wait for the files to be read. */
const sifted = 64;

/**
 * Parses on a thread of its own where a list is long; there the contracts that do not pass the
 * sieve lose their documents. Pages that come after the thread has died are parsed here.
 */
export function siftPages(sieve: Sieve, program = usefulProgram()): PageReader {
  let thread: PageThread | undefined;
  const living = (): PageThread | undefined => (thread?.hasEnded() ? undefined : thread);
  return {
    read: async (content) => living()?.read(content) ?? readHere(content),
    expect: (contracts) => {
      if (program !== undefined && contracts >= contractsWorthAThread)
        thread ??= startPageThread(program, sieve);
    },
    ahead: () => (living() ? sifted : 1),
    close: () => thread?.close(),
  };
}

function usefulProgram(): string | undefined {
  return availableParallelism() > 1 ? pageProgram : undefined;
}

/** Of the event loop, until `fetch` has written a request: measured, and only speed relies on it. */
const turnsToSend = 2;

/** Parsing blocks the thread: the request for the next page goes out first. */
async function readHere(content: Content): Promise<Attempt<ListedPage>> {
  for (let turn = 0; turn < turnsToSend; turn += 1) await setImmediate();
  return readPage(content);
}
