import { count } from '../core/text.ts';
import { eraseLine, reporter, type Terminal } from './terminal.ts';

export type Progress = {
  readonly advance: (done: number, total?: number) => void;
  readonly note: (lines: readonly string[]) => void;
  readonly end: () => void;
};

export type Pacing = {
  readonly now: () => number;
  /** Calls repeatedly until the result is called. */
  readonly every: (milliseconds: number, call: () => void) => () => void;
  /** Epoch milliseconds until which the catalog has asked for a pause. */
  readonly resumesAt: () => number;
};

const systemPacing: Pacing = {
  now: Date.now,
  every: (milliseconds, call) => {
    // A display keeps no process alive.
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
  { report, live, width }: Pick<Terminal, 'report' | 'live' | 'width'>,
  pacing: Partial<Pacing> = {},
): Progress {
  const { now, every, resumesAt } = { ...systemPacing, ...pacing };
  const interval = live ? redrawEvery : logEvery;
  const started = now();
  let shownAt = live ? -Infinity : started;
  let state: State = {};
  let drawn = false;
  const draw = (): void => {
    shownAt = now();
    const line = `${activity}: ${describeState(state, shownAt - started, live)}${describePause(resumesAt() - shownAt)}`;
    // A line that wraps could not be erased.
    report(live ? `${eraseLine}${line.slice(0, width() - 1)}` : `${line}\n`);
    drawn = live;
  };
  const drawInTime = (): void => {
    if (now() - shownAt >= interval) draw();
  };
  const stop = every(interval, drawInTime);
  return {
    advance: (done, total) => {
      state = { done, total };
      drawInTime();
    },
    note: (lines) => {
      if (!live || lines.length === 0) return;
      report(`${eraseLine}${lines.map((line) => `${line}\n`).join('')}`);
      draw();
    },
    end: () => {
      stop();
      if (drawn) report(eraseLine);
    },
  };
}

type Shown = {
  readonly activity: string;
  readonly interrupted: string;
  readonly quiet?: boolean;
};

export async function showProgress<Result>(
  { activity: first, interrupted, quiet = false }: Shown,
  terminal: Terminal,
  work: (advance: Progress['advance'], next: (activity: string) => void) => Promise<Result>,
  pacing: Partial<Pacing> = {},
): Promise<Result> {
  const release = terminal.endWith(() => reporter(terminal)(interrupted));
  const start = (activity: string) =>
    quiet ? undefined : startProgress(activity, terminal, pacing);
  let progress = start(first);
  const next = (activity: string): void => {
    progress?.end();
    progress = start(activity);
  };
  try {
    return await work((done, total) => progress?.advance(done, total), next);
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
  const perSecond = milliseconds > 0 ? (done * 1000) / milliseconds : 0;
  const rate = perSecond >= 1 ? `, ${Math.round(perSecond)} a second` : '';
  if (total === undefined || total < done) return `${count(done, 'contract', 'contracts')}${rate}`;
  const left = perSecond > 0 ? Math.ceil((total - done) / perSecond) : undefined;
  const estimate = left === undefined || left === 0 ? '' : `, about ${left} s left`;
  return `${done} of ${count(total, 'contract', 'contracts')}${rate}${estimate}`;
}

function describePause(milliseconds: number): string {
  return milliseconds > 0 ? `, throttled for ${Math.ceil(milliseconds / 1000)} s` : '';
}
