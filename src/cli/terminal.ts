import process from 'node:process';
import { inspect, styleText } from 'node:util';
import { nameFrom } from '../config/file.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { createRedactor } from '../core/redact.ts';
import { count, sanitizeLine } from '../core/text.ts';
import { programFetch } from '../http/fetch.ts';
import {
  formats,
  jsonWithoutCommands,
  type Printable,
  withoutCommands,
} from '../report/formats.ts';
import { coloured, plain } from '../report/blocks.ts';
import { problemParagraphs, type TextOptions } from '../report/text-contract.ts';

/** Terraform's exit codes; a shell's 128 + SIGINT (2) and 128 + SIGTERM (15). */
export const exitCode = {
  done: 0,
  failed: 1,
  changes: 2,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export type Terminal = Readonly<ReturnType<typeof createTerminal>>;

/** Shows progress. */
export type Screen = {
  readonly report: (text: string) => void;
  readonly live: boolean;
  readonly layouts: { readonly write: Layout; readonly report: Layout };
};

type Layout = Pick<TextOptions, 'palette' | 'width'>;

type Form = 'text' | 'json' | 'commands';

type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY'> & { readonly columns?: number };

type Surroundings = Pick<NodeJS.Process, 'stdin' | 'env' | 'cwd'> & {
  readonly stdout: Output;
  readonly stderr: Output;
};

export function createTerminal(
  { colour }: { readonly colour: boolean },
  surroundings: Surroundings = process,
) {
  const { stdout, stderr, env } = surroundings;
  // `styleText` knows the stream's colours, NO_COLOR, FORCE_COLOR and NODE_DISABLE_COLORS.
  const layoutOf = (output: Output, stream: NodeJS.WriteStream): Layout => ({
    palette: colour && styleText('bold', 'x', { stream }) !== 'x' ? coloured : plain,
    get width() {
      // A terminal that does not know its width says 0; a file or a pipe has none.
      return output.isTTY ? output.columns || Infinity : undefined;
    },
  });
  const folder = workingFolder(surroundings);
  const redactor = createRedactor();
  const { redact } = redactor;
  const askRedacted = (question: string, interrupted: string) => ask(redact(question), interrupted);
  const shown = (text: string, form: Form): string => {
    if (!env['GITHUB_ACTIONS'] || form === 'commands') return text;
    return form === 'json' ? jsonWithoutCommands(text) : withoutCommands(text);
  };
  return {
    write: (text: string, form: Form = 'text'): void =>
      void stdout.write(shown(redact(text), form)),
    report: (text: string): void => void stderr.write(shown(redact(text), 'text')),
    // A dumb terminal would print the codes that move its cursor.
    live: stderr.isTTY && env['TERM'] !== 'dumb',
    /** Ctrl-C prints `interrupted`, and ends the process. Reading `stdin.isTTY` opens standard input. */
    ask: stderr.isTTY && surroundings.stdin.isTTY ? askRedacted : undefined,
    environment: env,
    /** Flags and messages name files from here; empty where it was deleted meanwhile. */
    folder,
    /** Paths of the configuration and names of contract files are relative to it. */
    root: folder,
    layouts: { write: layoutOf(stdout, process.stdout), report: layoutOf(stderr, process.stderr) },
    interruption: (): AbortSignal => {
      const controller = new AbortController();
      onInterruption((name) => controller.abort(name));
      return controller.signal;
    },
    endWith: (words: () => void): (() => void) => {
      const release = onInterruption((name) => {
        words();
        release();
        process.kill(process.pid, name);
      });
      return release;
    },
    redactor,
    fetch: programFetch(env),
  };
}

function workingFolder({ cwd }: Surroundings): string {
  try {
    return cwd();
  } catch {
    return '';
  }
}

const secretVariables = [
  'CONTRACT_SYNC_TOKEN',
  'CONTRACT_SYNC_CLIENT_SECRET',
  'CONTRACT_SYNC_PRIVATE_KEY',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
];

/** Also of variables of one environment, such as `CONTRACT_SYNC_TOKEN_PROD`. */
export function secretsIn({ environment }: { environment: NodeJS.ProcessEnv }): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) =>
    secretVariables.some((secret) => `${name}_`.startsWith(`${secret}_`)) ? [value] : [],
  );
}

function onInterruption(react: (name: NodeJS.Signals) => void): () => void {
  const release = (): void => {
    for (const signal of interruptions) process.off(signal, interrupt);
  };
  const interrupt = (name: NodeJS.Signals): void => {
    // First: after the release, a second signal ends the process, even in the middle of a word.
    react(name);
    release();
  };
  for (const signal of interruptions) process.on(signal, interrupt);
  return release;
}

const interruptions = ['SIGINT', 'SIGTERM'] as const;

export function reporter({ report, live }: Terminal): (line: string) => void {
  return (line) => report(`${live ? eraseLine : ''}${sanitizeLine(line)}\n`);
}

/** To the start of the line, and clear it (ECMA-48 §8.3.41, EL). */
const eraseLine = '\r\u001B[2K';

export function reportDiagnostics(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  const { report, layouts, folder, root } = terminal;
  const options = { ...layouts.report, nameOf: nameFrom(folder, root) };
  report(`${problemParagraphs(diagnostics, options).flat().join('\n')}\n`);
}

export function reportBug(error: unknown, { report }: Terminal): void {
  report(`This is a bug in contract-sync: please report it.\n${inspect(error)}\n`);
}

/**
 * A run must not end between two patches because its output is closed. A reader that left, such as
 * `head`, has what it wanted; any other failure to write fails the run when it is over.
 */
export function outliveOutput(terminal: Terminal): void {
  process.stderr.on('error', () => undefined);
  let reported = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (reported || error.code === 'EPIPE') return;
    reported = true;
    const lost: Diagnostic = {
      code: 'output-lost',
      severity: 'error',
      message: `Can't write to standard output: ${error.message}.`,
      hint: 'The command did its work. Running an apply again sends nothing twice.',
    };
    reportDiagnostics([lost], terminal);
    process.once('exit', () => {
      process.exitCode = exitCode.failed;
    });
  });
}

export type Progress = Readonly<ReturnType<typeof startProgress>>;

export type Pacing = {
  readonly now: () => number;
  readonly every: (milliseconds: number, call: () => void) => () => void;
  /** Epoch milliseconds until which the catalog has asked for a pause. */
  readonly resumesAt: () => number;
};

const systemPacing: Pacing = {
  now: Date.now,
  every: (milliseconds, call) => {
    // The timer of a display must not keep the process alive.
    const timer = setInterval(call, milliseconds).unref();
    return () => clearInterval(timer);
  },
  resumesAt: () => 0,
};

// Milliseconds between updates of a live line, and between lines of a log.
const redrawEvery = 100;
const logEvery = 5000;

export function startProgress(
  activity: string,
  { report, live, layouts }: Screen,
  pacing: Partial<Pacing> = {},
) {
  const { now, every, resumesAt } = { ...systemPacing, ...pacing };
  const interval = live ? redrawEvery : logEvery;
  const started = now();
  let shownAt = live ? -Infinity : started;
  let state: State = {};
  let drawn = false;
  const draw = (): void => {
    shownAt = now();
    const paused = resumesAt() - shownAt;
    const line = `${activity}: ${describeState(state, shownAt - started, live)}${paused > 0 ? `, throttled for ${Math.ceil(paused / 1000)} s` : ''}`;
    // A line that wraps could not be erased.
    report(
      live ? `${eraseLine}${line.slice(0, (layouts.report.width ?? Infinity) - 1)}` : `${line}\n`,
    );
    drawn = live;
  };
  const drawInTime = (): void => {
    if (now() - shownAt >= interval) draw();
  };
  const stop = every(interval, drawInTime);
  return {
    advance: (done: number, total?: number): void => {
      state = { done, total };
      drawInTime();
    },
    note: (lines: readonly string[]): void => {
      if (!live || lines.length === 0) return;
      report(`${eraseLine}${lines.map((line) => `${line}\n`).join('')}`);
      draw();
    },
    end: (): void => {
      stop();
      if (drawn) report(eraseLine);
    },
  };
}

export async function showProgress<Result>(
  shown: { readonly activity?: string; readonly interrupted: string; readonly quiet?: boolean },
  terminal: Terminal,
  work: (advance: Progress['advance']) => Promise<Result>,
  pacing: Partial<Pacing> = {},
): Promise<Result> {
  const { activity = 'Reading the catalog', interrupted, quiet = false } = shown;
  const release = terminal.endWith(() => reporter(terminal)(interrupted));
  const progress = quiet ? undefined : startProgress(activity, terminal, pacing);
  try {
    return await work((done, total) => progress?.advance(done, total));
  } finally {
    progress?.end();
    release();
  }
}

type State = { readonly done?: number; readonly total?: number | undefined };

function describeState({ done, total }: State, milliseconds: number, live: boolean): string {
  if (done === undefined) {
    const seconds = (milliseconds / 1000).toFixed(live ? 1 : 0);
    return `no answer yet, ${seconds} s`;
  }
  if (total === undefined || total < done) return count(done, 'contract', 'contracts');
  return `${done} of ${count(total, 'contract', 'contracts')}`;
}

type Console = { readonly stdin: NodeJS.ReadableStream; readonly stderr: NodeJS.WritableStream };

/** On standard error: standard output stays the result. The end of input is an empty answer. */
export async function ask(
  question: string,
  interrupted: string,
  { stdin, stderr }: Console = process,
  interrupt: () => void = () => process.kill(process.pid, 'SIGINT'),
): Promise<string> {
  const { createInterface } = process.getBuiltinModule('node:readline/promises');
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

export async function print(
  { format }: { readonly format: string },
  terminal: Terminal,
  result: Printable,
): Promise<void> {
  // `import` has formats of files instead.
  if (!isPrinted(format)) return;
  const { write, form } = formats[format];
  terminal.write(await write(result), form);
}

function isPrinted(format: string): format is keyof typeof formats {
  return Object.hasOwn(formats, format);
}
