import { count } from '../core/text.ts';
import { eraseLine, type Terminal } from './terminal.ts';

export type Progress = {
  /** `total` where it is known. */
  readonly advance: (done: number, total?: number) => void;
  readonly end: () => void;
};

/** Milliseconds between two states of a live line, and between two lines of a log. */
const redrawEvery = 100;
const logEvery = 5000;

/** A line on a terminal that keeps changing; elsewhere, a line every few seconds. */
export function startProgress(
  activity: string,
  { report, live }: Pick<Terminal, 'report' | 'live'>,
  now: () => number = Date.now,
): Progress {
  const started = now();
  let shownAt = live ? -Infinity : started;
  let drawn = false;
  return {
    advance: (done, total) => {
      const at = now();
      if (at - shownAt < (live ? redrawEvery : logEvery)) return;
      shownAt = at;
      const line = `${activity}: ${state(done, total, at - started)}`;
      report(live ? `${eraseLine}${line}` : `${line}\n`);
      drawn = live;
    },
    end: () => {
      if (drawn) report(eraseLine);
    },
  };
}

function state(done: number, total: number | undefined, milliseconds: number): string {
  const perSecond = milliseconds > 0 ? (done * 1000) / milliseconds : 0;
  const rate = perSecond >= 1 ? `, ${Math.round(perSecond)} a second` : '';
  if (total === undefined || total < done) return `${count(done, 'contract', 'contracts')}${rate}`;
  const left = perSecond > 0 ? Math.ceil((total - done) / perSecond) : undefined;
  const estimate = left === undefined || left === 0 ? '' : `, about ${left} s left`;
  return `${done} of ${count(total, 'contract', 'contracts')}${rate}${estimate}`;
}
