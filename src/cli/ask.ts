import { createInterface } from 'node:readline';

export type Dialogue = {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
};

/**
 * Asks on standard error, so that standard output stays the result. The end of input is an empty
 * answer; Ctrl-C does what it does everywhere else, after these words.
 */
export async function ask(
  question: string,
  interrupted: string,
  { stdin, stderr }: Dialogue = process,
  interrupt: () => void = interruptProcess,
): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  const leave = () => {
    stderr.write('\n');
    resolve('');
  };
  lines.once('close', leave);
  lines.once('line', (text) => {
    lines.off('close', leave);
    resolve(text);
  });
  // A terminal that is read line by line gives Ctrl-C as a key and raises no signal.
  lines.once('SIGINT', () => {
    lines.close();
    stderr.write(`${interrupted}\n`);
    interrupt();
  });
  lines.setPrompt(question);
  lines.prompt();
  try {
    return await answer;
  } finally {
    lines.close();
  }
}

function interruptProcess(): void {
  process.kill(process.pid, 'SIGINT');
}
