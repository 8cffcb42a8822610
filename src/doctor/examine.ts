/** One question after the other to a catalog, each answered by a check. Sends GET and nothing else. */

import type { TokenDescription } from '../auth/source.ts';
import { ApiError } from '../catalog/api-error.ts';
import type { DialectSetting } from '../catalog/dialects/choose.ts';
import type { Sampler, Sample } from '../catalog/sample.ts';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import {
  type Check,
  checkClock,
  checkDialect,
  checkPageSize,
  checkProxy,
  checkToken,
  type Subject,
  wantedPageSize,
} from './checks.ts';

/** Who is examined; whatever of it cannot be had throws when it is asked for. */
export type Patient = {
  readonly catalogUrl: string;
  readonly dialect: DialectSetting;
  readonly pageSize: number | 'auto';
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly describeToken: () => Promise<TokenDescription>;
  readonly sampler: Sampler;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The checks as they come, up to the first that is bad: the next would rest on it. */
export async function* examine(open: () => Patient): AsyncGenerator<Check> {
  let subject: Subject = 'catalog';
  try {
    const patient = open();
    const { catalogUrl, environment, sampler } = patient;
    yield { subject, verdict: 'good', message: catalogUrl };
    subject = 'proxy';
    yield checkProxy(environment);
    subject = 'token';
    yield checkToken(await patient.describeToken(), patient.now());
    subject = 'list';
    const sample = await sampler.list(1);
    yield checkList(sample);
    yield checkClock(sample);
    subject = 'page size';
    const limit = wantedPageSize(patient.pageSize);
    yield checkPageSize(limit, await pageOrRefusal(sampler, limit));
    subject = 'dialect';
    yield checkDialect(patient.dialect, sample, await releaseOf(sampler));
  } catch (error) {
    yield* failures(subject, error);
  }
}

function checkList({ total }: Sample): Check {
  const count = total === undefined ? 'and the catalog does not say how many there are' : total;
  return { subject: 'list', verdict: 'good', message: `contracts may be listed: ${count}` };
}

/** A size may be refused where the list as such is not. */
async function pageOrRefusal(sampler: Sampler, limit: number): Promise<Sample | undefined> {
  try {
    return await sampler.list(limit);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return undefined;
    throw error;
  }
}

/** Not part of the interface: that it is not told is no fault. */
async function releaseOf(sampler: Sampler): Promise<string | undefined> {
  try {
    return await sampler.release();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function failures(subject: Subject, error: unknown): Check[] {
  if (!(error instanceof SyncError)) throw error;
  return toDiagnostics(error).map(({ message, hint, source }) => ({
    subject,
    verdict: 'bad',
    message: source ? `${source.file}:${source.line}:${source.column}: ${message}` : message,
    ...(hint !== undefined && { hint }),
  }));
}
