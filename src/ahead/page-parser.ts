import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { readPage, type ServerPage } from '../catalog/answers.ts';
import type { Content } from '../http/body.ts';
import type { Attempt, Fault } from '../catalog/request.ts';
import { completePage, createHeadReader, type ReadHeads, type Wanted } from './heads.ts';
import type { PageReply } from './pages-worker.ts';
import { startThread, threadProgram } from './thread.ts';

/** Parses the pages of a list, one after the other. */
export type PageParser = {
  /** Takes the chunks along: the caller has them no more. */
  readonly parse: (content: Content) => Promise<Attempt<ServerPage>>;
  /** So many contracts are still to come. */
  readonly expect: (contracts: number) => void;
  /** Whether pages are parsed beside this thread. */
  readonly isBeside: () => boolean;
  readonly close: () => void;
};

/** Contracts: to take excerpts before that is compiled costs as much as parsing some thousands. */
const worthHeads = 3000;
/** To start a thread does too. */
const worthAThread = 10_000;

/**
 * Where a list is long, of contracts that are not wanted whole only the head is read: of a very long
 * one on a thread of its own, or here where none can be had, or it has died.
 */
export function createPageParser(wanted: Wanted, program = usefulProgram()): PageParser {
  let thread: PageThread | undefined;
  let readHeads: ReadHeads | undefined;
  const living = (): PageThread | undefined => (thread?.hasEnded() ? undefined : thread);
  return {
    parse: (content) => living()?.parse(content) ?? parseHere(content, readHeads),
    expect: (contracts) => {
      if (contracts >= worthHeads) readHeads ??= createHeadReader(wanted);
      if (contracts >= worthAThread && program !== undefined)
        thread ??= startPageThread(program, wanted);
    },
    isBeside: () => living() !== undefined,
    close: () => thread?.close(),
  };
}

function usefulProgram(): string | undefined {
  return availableParallelism() > 1 ? threadProgram('pages-worker') : undefined;
}

/** Of the event loop, until `fetch` has written a request: measured, and only speed relies on it. */
const turnsToSend = 2;

/** Parsing blocks the thread: the request for the next page goes out first. */
async function parseHere(content: Content, readHeads?: ReadHeads): Promise<Attempt<ServerPage>> {
  for (let turn = 0; turn < turnsToSend; turn += 1) await setImmediate();
  if (!readHeads) return readPage(content);
  const page = readHeads(content);
  return 'fault' in page ? page : { value: completePage(page.value) };
}

/** A thread that parses pages: what parsing leaves behind is not in the way of what a plan keeps. */
type PageThread = Pick<PageParser, 'parse' | 'close'> & { readonly hasEnded: () => boolean };

/** Undefined without threads. */
function startPageThread(program: string, wanted: Wanted): PageThread | undefined {
  const worker = startThread(program, { workerData: wanted, resourceLimits });
  if (!worker) return undefined;
  const { ask, ...port } = openPort(worker);
  return {
    ...port,
    parse: async ({ chunks, type }) => {
      const memory = new Set(chunks.filter(ownsItsMemory).map(({ buffer }) => buffer));
      const reply = await ask({ chunks, type }, [...memory]);
      return 'fault' in reply ? reply : { value: completePage(JSON.parse(reply.page)) };
    },
  };
}

/** Megabytes: the space for new objects has what a page takes, and does not grow by its garbage. */
const resourceLimits = { maxYoungGenerationSizeMb: 48 };

/** A piece of a larger buffer is copied: others may read the rest of it. */
function ownsItsMemory({ byteLength, buffer }: Uint8Array): boolean {
  return byteLength === buffer.byteLength;
}

type Port = Pick<PageThread, 'hasEnded' | 'close'> & {
  readonly ask: (content: Content, transfer: readonly ArrayBuffer[]) => Promise<PageReply>;
};

/** Replies come in the order of what was asked. */
function openPort(worker: Worker): Port {
  const waiting: ((reply: PageReply) => void)[] = [];
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
    for (const take of waiting.splice(0)) take({ fault: ended });
  };
  worker.on('message', (reply: PageReply) => {
    waiting.shift()?.(reply);
    if (waiting.length === 0) worker.unref();
  });
  worker.on('error', end);
  worker.on('exit', end);
  worker.unref();
  return {
    hasEnded: () => hasEnded,
    ask: (content, transfer) => {
      if (hasEnded) return Promise.resolve({ fault: ended });
      worker.postMessage(content, transfer);
      // It keeps the process for as long as it owes a reply, and no longer.
      worker.ref();
      return new Promise((resolve) => waiting.push(resolve));
    },
    close: () => void worker.terminate(),
  };
}

/** The bytes are gone with it: the page is asked for again. */
const ended: Fault = {
  code: 'malformed-answer',
  message: 'The thread that parsed the answer ended over it.',
  transient: true,
  mayHaveLanded: false,
};
