import type { TokenDescription } from '../auth/describe.ts';
import type { Check } from './examination.ts';

const subject = 'token';

/** A token that ends sooner may not last for the next run; in milliseconds. */
const soon = 24 * 3_600_000;

/** Whose token it is, the way to it, and its end, which is yet to come. */
export function checkToken(description: TokenDescription, now: number): Check {
  const { subject: owner, method, reason, expiresAt } = description;
  const left = expiresAt === undefined ? undefined : expiresAt - now;
  const message = [
    owner === undefined ? 'of an unknown owner: it is opaque, or names none' : `of ${owner}`,
    `by ${method}, because ${reason}`,
    ending(expiresAt, now),
  ].join('; ');
  // A token that is asked for anew for each run may be short-lived.
  if (method !== 'static-token' || left === undefined || left > soon) {
    return { subject, verdict: 'good', message };
  }
  return {
    subject,
    verdict: 'warning',
    message,
    hint: 'Renew it: a run that lasts beyond its end fails.',
  };
}

function ending(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) return 'does not say when it expires';
  const at = new Date(expiresAt).toISOString().replace(/\.\d+Z$/u, 'Z');
  return `expires at ${at}, in ${duration(expiresAt - now)}`;
}

const units = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

function duration(milliseconds: number): string {
  const unit = units.find(([, length]) => milliseconds >= 2 * length);
  if (!unit) return `${Math.ceil(milliseconds / 1000)} seconds`;
  const [name, length] = unit;
  return `${Math.floor(milliseconds / length)} ${name}`;
}
