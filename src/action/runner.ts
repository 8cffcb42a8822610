import { setTimeout as sleep } from 'node:timers/promises';
import { getInput, info, setOutput, setSecret, summary } from '@actions/core';
import { completeEffects } from '../auth/token.ts';
import { githubIdToken } from '../auth/source.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Effects } from '../core/effects.ts';
import type { Redactor } from '../core/redact.ts';
import { programFetch, useEnvironmentProxy } from '../http/fetch.ts';
import { annotationLine, commandLine, logLines } from '../report/github.ts';

/** The world around a step, as the GitHub runner makes it. */
export type Runner = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** An input, trimmed; empty where it is not given. */
  readonly input: (name: string) => string;
  /** Writes one line of the log, in which the runner looks for commands. */
  readonly print: (line: string) => void;
  /** Has the log show `***` for a text of one line. */
  readonly mask: (secret: string) => void;
  readonly setOutput: (name: string, value: string | number | boolean) => void;
  /** Adds to the job's summary page. */
  readonly addSummary: (markdown: string) => Promise<void>;
  /** GitHub's ID token for an audience; absent in a job without the permission for it. */
  readonly idToken?: (audience: string) => Promise<string>;
  readonly fetch: Effects['fetch'];
  /** To be called before anything is fetched: sends requests by the environment's proxy. */
  readonly useProxy: () => void;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Aborts when the run is cancelled. */
  readonly interruption: () => AbortSignal;
};

/** The runner of this process, by GitHub's toolkit where that does the job. */
export function systemRunner(): Runner {
  const fetch = programFetch(process.env);
  const idToken = githubIdToken(process.env, completeEffects({ fetch }));
  return {
    environment: process.env,
    input: getInput,
    print: info,
    mask: setSecret,
    setOutput,
    addSummary,
    ...(idToken && { idToken }),
    fetch,
    useProxy: () => useEnvironmentProxy(process.env),
    sleep: async (milliseconds) => {
      await sleep(milliseconds);
    },
    interruption: () => {
      const controller = new AbortController();
      // A cancelled step gets SIGINT, 7.5 seconds later SIGTERM, and is killed after another 2.5.
      // However often one comes, what became of the changes is still to be told.
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => controller.abort());
      return controller.signal;
    },
  };
}

async function addSummary(markdown: string): Promise<void> {
  // The toolkit throws where there is no such page; a step can do without.
  if (process.env['GITHUB_STEP_SUMMARY']) await summary.addRaw(markdown, true).write();
}

/**
 * The log of a step. Text is never a command in it, and no secret is shown. The toolkit's `error`
 * and `group` escape what would end a command and no more: control and invisible characters would
 * come through, and annotations of any length.
 */
export type Log = {
  readonly text: (text: string) => void;
  /** Text that opens at a click. */
  readonly group: (title: string, text: string) => void;
  readonly annotate: (diagnostic: Diagnostic) => void;
};

export function createLog({ print }: Pick<Runner, 'print'>, { redact }: Redactor): Log {
  const text: Log['text'] = (lines) => {
    for (const line of logLines(redact(lines))) print(line);
  };
  return {
    text,
    group: (title, lines) => {
      print(commandLine({ name: 'group', message: title }));
      text(lines.trimEnd());
      print(commandLine({ name: 'endgroup' }));
    },
    annotate: (diagnostic) => print(redact(annotationLine(diagnostic))),
  };
}
