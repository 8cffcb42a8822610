import { setTimeout as sleep } from 'node:timers/promises';
import { prepareProcess } from '../prepare-process.ts';

/** The world around a step, as the GitHub runner makes it. */
export type Runner = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes one line of the log, in which the runner looks for commands. */
  readonly print: (line: string) => void;
  readonly fetch: typeof globalThis.fetch;
  /** To be called before anything is fetched: for the proxy of the environment, and for memory. */
  readonly prepareProcess: () => void;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Aborts when the run is cancelled. */
  readonly interruption: () => AbortSignal;
};

/** The runner of this process. */
export function systemRunner(): Runner {
  return {
    environment: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    fetch: async (input, init) => globalThis.fetch(input, init),
    prepareProcess: () => prepareProcess(process.env),
    sleep: async (milliseconds) => {
      await sleep(milliseconds);
    },
    interruption: () => {
      const controller = new AbortController();
      // A cancelled step gets SIGINT, 7.5 seconds later SIGTERM, and is killed after another 2.5.
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort());
      return controller.signal;
    },
  };
}
