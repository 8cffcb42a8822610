import { createInterface } from 'node:readline';

/** The part of the process through which somebody is asked. */
export type Dialogue = {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly pid: number;
  readonly kill: (this: void, pid: number, signal: NodeJS.Signals) => unknown;
};

/**
 * Asks on standard error, so that standard output stays the result. The end of input is an empty
 * answer; Ctrl-C does what it does everywhere else.
 */
export async function ask(
  question: string,
  { stdin, stderr, pid, kill }: Dialogue = process,
): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  lines.once('line', resolve);
  lines.once('close', () => resolve(''));
  // A terminal that is read line by line gives Ctrl-C as a key and raises no signal.
  lines.once('SIGINT', () => {
    lines.close();
    kill(pid, 'SIGINT');
  });
  lines.setPrompt(question);
  lines.prompt();
  try {
    return await answer;
  } finally {
    lines.close();
  }
}
