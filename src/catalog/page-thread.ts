import type { Worker } from 'node:worker_threads';
import { startThread, threadProgram } from '../thread-program.ts';
import type { ListedPage } from './answers.ts';
import type { Attempt, Fault } from './request.ts';
import type { PageReply } from './page-worker.ts';
import type { Content } from '../http/body.ts';
import type { Sieve } from './sieve.ts';

/** A thread that parses pages: what parsing leaves behind is not in the way of what a plan keeps. */
export type PageThread = {
  readonly hasEnded: () => boolean;
  /** Takes the chunks along: the caller has them no more. */
  readonly read: (content: Content) => Promise<Attempt<ListedPage>>;
  readonly close: () => void;
};

/** The thread's program. */
export const pageProgram = threadProgram('page-worker', import.meta);

/** Contracts that do not pass the sieve come without their documents. Undefined without threads. */
export function startPageThread(program: string, sieve: Sieve): PageThread | undefined {
  const worker = startThread(program, sieve);
  if (!worker) return undefined;
  const port = openPort(worker);
  return {
    ...port,
    read: async ({ chunks, type }) => {
      const memory = new Set(chunks.filter(ownsItsMemory).map(({ buffer }) => buffer));
      const reply = await port.ask({ chunks, type }, [...memory]);
      return 'fault' in reply ? reply : { value: JSON.parse(reply.page) };
    },
  };
}

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
