import type { Sample } from '../catalog/probe.ts';
import type { Check } from './examination.ts';

const subject = 'clock';

/** Servers commonly bear so much when they check a token's times; in milliseconds. */
const bearable = 30_000;

/** Whether this machine and the catalog agree on the time: tokens begin and end by it. */
export function checkClock({ clockAhead }: Sample): Check {
  if (clockAhead === undefined) {
    return { subject, verdict: 'warning', message: 'the catalog does not tell its time' };
  }
  const seconds = Math.round(Math.abs(clockAhead) / 1000);
  if (Math.abs(clockAhead) <= bearable) {
    const message = `agrees with the catalog's within ${Math.max(1, seconds)} s`;
    return { subject, verdict: 'good', message };
  }
  return {
    subject,
    verdict: 'warning',
    message: `the catalog's is ${seconds} s ${clockAhead > 0 ? 'ahead of' : 'behind'} this machine's`,
    hint: 'Set the one that is wrong: tokens are taken for expired, or for not yet valid, by it.',
  };
}
