import { setTimeout as sleep } from 'node:timers/promises';
import { getInput, info, setOutput, setSecret, summary } from '@actions/core';
import { completeEffects } from '../auth/token.ts';
import { githubIdToken } from '../auth/source.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Effects } from '../core/effects.ts';
import type { Redactor } from '../core/redact.ts';
import { programFetch, useEnvironmentProxy } from '../http/fetch.ts';
import { annotationLine, commandLine, logLines } from '../report/github.ts';

export type Runner = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Trimmed; empty where it is not given. */
  readonly input: (name: string) => string;
  /** One line, in which the runner looks for commands. */
  readonly print: (line: string) => void;
  /** A text of one line, which the log then shows as `***`. */
  readonly mask: (secret: string) => void;
  readonly setOutput: (name: string, value: string | number | boolean) => void;
  readonly addSummary: (markdown: string) => Promise<void>;
  /** GitHub's ID token for an audience; absent in a job without the permission for it. */
  readonly idToken?: (audience: string) => Promise<string>;
  readonly fetch: Effects['fetch'];
  /** Sends requests by the environment's proxy; call it before the first one. */
  readonly useProxy: () => void;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly interruption: () => AbortSignal;
};

export function systemRunner(): Runner {
  const fetch = programFetch(process.env);
  const idToken = githubIdToken(process.env, completeEffects({ fetch }));
  return {
    environment: process.env,
    input: getInput,
    print: info,
    mask: setSecret,
    setOutput,
    addSummary: async (markdown) => {
      // The toolkit throws without a summary file, which a step can do without.
      if (process.env['GITHUB_STEP_SUMMARY']) await summary.addRaw(markdown, true).write();
    },
    ...(idToken && { idToken }),
    fetch,
    useProxy: () => useEnvironmentProxy(process.env),
    sleep: async (milliseconds) => sleep(milliseconds),
    interruption: () => {
      const controller = new AbortController();
      // A cancelled step gets SIGINT, 7.5 seconds later SIGTERM, and is killed after another 2.5. A
      // repeated signal must not end the process before the outcomes are reported.
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => controller.abort());
      return controller.signal;
    },
  };
}

/**
 * Text in it is never a command, and shows no secret. The toolkit's `error` and `group` escape only
 * what would end a command: control and invisible characters would come through, and annotations of
 * any length.
 */
export type Log = {
  readonly text: (text: string) => void;
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
