import { createInterface } from 'node:readline/promises';

type Dialogue = {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
};

/** On standard error: standard output stays the result. The end of input is an empty answer. */
export async function ask(
  question: string,
  interrupted: string,
  { stdin, stderr }: Dialogue = process,
  interrupt: () => void = () => process.kill(process.pid, 'SIGINT'),
): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  const end = new AbortController();
  lines.once('close', () => end.abort());
  let words = '\n';
  // Read line by line, a terminal gives Ctrl-C as a key and raises no signal.
  lines.once('SIGINT', () => {
    words = '';
    lines.close();
    stderr.write(`\n${interrupted}\n`);
    interrupt();
  });
  try {
    return await lines.question(question, { signal: end.signal });
  } catch (error) {
    if (!end.signal.aborted) throw error;
    stderr.write(words);
    return '';
  } finally {
    lines.close();
  }
}
