import { setTimeout as sleep } from 'node:timers/promises';
import { getInput, info, setOutput, setSecret, summary } from '@actions/core';
import { completeEffects } from '../auth/token.ts';
import { githubIdToken } from '../auth/source.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Redactor } from '../core/redact.ts';
import { programFetch, useEnvironmentProxy } from '../http/fetch.ts';
import { annotationLine, commandLine, logLines } from '../report/formats.ts';

export type Runner = Readonly<ReturnType<typeof systemRunner>>;

export function systemRunner() {
  const { env } = process;
  const fetch = programFetch(env);
  return {
    environment: env,
    /** Trimmed; empty where it is not given. */
    input: (name: string) => getInput(name),
    /** One line, in which the runner looks for commands. */
    print: info,
    /** A text of one line, which the log then shows as `***`. */
    mask: setSecret,
    setOutput: (name: string, value: string | number | boolean) => setOutput(name, value),
    addSummary: async (markdown: string) => {
      // The toolkit throws without a summary file, which a step can do without.
      if (env['GITHUB_STEP_SUMMARY']) await summary.addRaw(markdown, true).write();
    },
    /** GitHub's ID token for an audience; absent in a job without the permission for it. */
    idToken: githubIdToken(env, completeEffects({ fetch })),
    fetch,
    /** Sends requests by the environment's proxy; call it before the first one. */
    useProxy: () => useEnvironmentProxy(env),
    sleep: async (milliseconds: number) => sleep(milliseconds),
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
 * A log whose text is never a command and shows no secret. The toolkit's `error` and `group` escape only
 * what would end a command: control and invisible characters would come through, and annotations of
 * any length.
 */
export function createLog({ print }: Pick<Runner, 'print'>, { redact }: Redactor) {
  const text = (lines: string) => {
    for (const line of logLines(redact(lines))) print(line);
  };
  return {
    text,
    group: (title: string, lines: string) => {
      print(commandLine({ name: 'group', message: title }));
      text(lines.trimEnd());
      print(commandLine({ name: 'endgroup' }));
    },
    annotate: (diagnostic: Diagnostic) => print(redact(annotationLine(diagnostic))),
  };
}
