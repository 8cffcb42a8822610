import process from 'node:process';
import { inspect, styleText } from 'node:util';
import { nameFrom } from '../config/root.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Fetch } from '../core/effects.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import { sanitizeLine } from '../core/text.ts';
import { programFetch } from '../http/fetch.ts';
import { jsonWithoutCommands, withoutCommands } from '../report/github.ts';
import { coloured, type Palette, plain } from '../report/palette.ts';
import { problemLines } from '../report/text-contract.ts';
import { ask } from './ask.ts';

/** Exit codes, as Terraform has them; a shell's 128 + SIGINT (2) and 128 + SIGTERM (15). */
export const exitCode = {
  done: 0,
  failed: 1,
  changes: 2,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The world around a command: where it writes, whom it can ask, what its environment says. */
export type Terminal = {
  /** Carries the result and nothing else. */
  readonly write: (text: string, form?: Form) => void;
  /** Progress, warnings and errors. */
  readonly report: (text: string) => void;
  /** Whether a line that was reported can be drawn again: standard error is a terminal. */
  readonly live: boolean;
  /** Whether somebody reads each channel on a screen as it is written. */
  readonly onScreen: { readonly write: boolean; readonly report: boolean };
  /** How many characters fit on a line that is reported, as of now. */
  readonly width: () => number;
  /** Undefined where nobody can be asked; Ctrl-C ends the process with the other words. */
  readonly ask: ((question: string, interrupted: string) => Promise<string>) | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the user stands: flags name files from here, and files are named from here to the user. */
  readonly folder: string;
  /** What paths of the configuration and names of contract files are relative to. */
  readonly root: string;
  /** For what is written and for what is reported: one of them may be a file. */
  readonly palettes: { readonly write: Palette; readonly report: Palette };
  /** Aborts at the first Ctrl-C or SIGTERM, its name the reason; a second ends the process at once. */
  readonly interruption: () => AbortSignal;
  /** Has Ctrl-C and SIGTERM end the process with these words, until the result is called. */
  readonly endWith: (words: () => void) => () => void;
  /** Stands before everything that is written, reported, asked or put into a file. */
  readonly redactor: Redactor;
  /** The network, as the environment has it. */
  readonly fetch: Fetch;
};

/** Workflow commands, unlike text, are meant to be obeyed by the log that they are written to. */
type Form = 'text' | 'json' | 'commands';

/** The part of the process that a terminal stands for. */
export type Surroundings = Pick<NodeJS.Process, 'stdin' | 'env' | 'cwd'> & {
  readonly stdout: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write' | 'isTTY'> & { readonly columns?: number };
};

export function createTerminal(
  { colour }: { readonly colour: boolean },
  surroundings: Surroundings = process,
): Terminal {
  const { stdout, stderr, env } = surroundings;
  const paletteOf = colour ? paletteFor : () => plain;
  const redactor = createRedactor();
  const { redact } = redactor;
  const askRedacted = (question: string, interrupted: string) => ask(redact(question), interrupted);
  const shown = env['GITHUB_ACTIONS'] ? harmless : (text: string): string => text;
  return {
    write: (text, form = 'text') => void stdout.write(shown(redact(text), form)),
    report: (text) => void stderr.write(shown(redact(text), 'text')),
    // A terminal that is dumb would print what is to move its cursor.
    live: stderr.isTTY && env['TERM'] !== 'dumb',
    onScreen: { write: stdout.isTTY, report: stderr.isTTY },
    // A terminal that does not know its width says 0.
    width: () => stderr.columns || Infinity,
    // To look at standard input opens it, so that is looked at last.
    ask: stderr.isTTY && surroundings.stdin.isTTY ? askRedacted : undefined,
    environment: env,
    folder: surroundings.cwd(),
    root: surroundings.cwd(),
    palettes: { write: paletteOf(process.stdout), report: paletteOf(process.stderr) },
    interruption: abortOnInterruption,
    endWith: endWithWords,
    redactor,
    fetch: programFetch(env),
  };
}

/** What GitHub's runner takes no command out of, but those of whoever asks for commands. */
function harmless(text: string, form: Form): string {
  switch (form) {
    case 'text':
      return withoutCommands(text);
    case 'json':
      return jsonWithoutCommands(text);
    case 'commands':
      return text;
  }
}

/** What the environment keeps secret is hidden from the start, whether a command uses it or not. */
export function hideSecrets({ environment, redactor }: Terminal): void {
  for (const name of secretVariables) redactor.hide(environment[name] ?? '');
}

const secretVariables = [
  'CONTRACT_SYNC_TOKEN',
  'CONTRACT_SYNC_CLIENT_SECRET',
  'CONTRACT_SYNC_PRIVATE_KEY',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
];

/** `styleText` knows the stream's colours, NO_COLOR, FORCE_COLOR and NODE_DISABLE_COLORS. */
function paletteFor(stream: NodeJS.WriteStream): Palette {
  return styleText('bold', 'x', { stream }) === 'x' ? plain : coloured;
}

function abortOnInterruption(): AbortSignal {
  const controller = new AbortController();
  onInterruption((name) => controller.abort(name));
  return controller.signal;
}

function endWithWords(words: () => void): () => void {
  const release = onInterruption((name) => {
    words();
    release();
    process.kill(process.pid, name);
  });
  return release;
}

/** Reacts to the first signal, until the result is called; the next does what it does by itself. */
function onInterruption(react: (name: NodeJS.Signals) => void): () => void {
  const release = (): void => {
    for (const signal of interruptions) process.off(signal, interrupt);
  };
  const interrupt = (name: NodeJS.Signals): void => {
    // First, for from the release on a second signal ends the process, even in the middle of a word.
    react(name);
    release();
  };
  for (const signal of interruptions) process.on(signal, interrupt);
  return release;
}

const interruptions = ['SIGINT', 'SIGTERM'] as const;

/** Lines on standard error; a progress that stands there makes way. */
export function reporter({ report, live }: Terminal): (line: string) => void {
  return (line) => report(`${live ? eraseLine : ''}${sanitizeLine(line)}\n`);
}

/** To the start of the line, and clear it (ECMA-48 §8.3.41, EL). */
export const eraseLine = '\r\u001B[2K';

export function reportDiagnostics(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  const { report, palettes, folder, root } = terminal;
  const options = { palette: palettes.report, nameOf: nameFrom(folder, root) };
  const lines = diagnostics.flatMap((diagnostic) => problemLines(diagnostic, options));
  report(`${lines.join('\n')}\n`);
}

/** What nobody expected: with all its causes, so that whoever reports it need not ask. */
export function reportBug(error: unknown, { report }: Terminal): void {
  report(`This is a bug in contract-sync: please report it.\n${inspect(error)}\n`);
}

/**
 * Lets a run outlive its output: between two patches it must not end because nobody reads on. A
 * reader that went (`| head`) has what it wanted; anything else fails the run when it is over.
 */
export function outliveOutput(terminal: Terminal): void {
  // Where standard error is gone too, nothing is left to do.
  process.stderr.on('error', () => undefined);
  let reported = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (reported || error.code === 'EPIPE') return;
    reported = true;
    reportDiagnostics([lostOutput(error)], terminal);
    process.once('exit', () => {
      process.exitCode = exitCode.failed;
    });
  });
}

function lostOutput({ message }: Error) {
  return {
    code: 'output-lost',
    severity: 'error',
    message: `Can't write to standard output: ${message}.`,
    hint: 'The command did its work. Running an apply again sends nothing twice.',
  } as const;
}
