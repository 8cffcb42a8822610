/** One question after the other to a catalog, each answered by a check. Sends GET and nothing else. */

import type { TokenDescription } from '../auth/source.ts';
import { ApiError } from '../catalog/fault.ts';
import { type DialectSetting, kindOf } from '../catalog/products/products.ts';
import type { FirstPage, ServerReader } from '../catalog/client.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { SyncError, toDiagnostics } from '../core/errors.ts';
import {
  type CatalogSubject,
  type Check,
  checkCatalog,
  checkClock,
  checkDialect,
  checkList,
  checkPageSize,
  checkPermissions,
  checkProxy,
  checkSources,
  checkToken,
  type Subject,
  wantedPageSize,
} from './checks.ts';

/** What is examined; whatever of it cannot be had throws when it is asked for. */
export type DoctorInput = CatalogSubject & {
  /** What was given twice, of the catalog's URL and of the token. */
  readonly notices: Readonly<Record<'catalog' | 'token', readonly Diagnostic[]>>;
  readonly dialect: DialectSetting;
  readonly pageSize: number | 'auto';
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly describeToken: () => Promise<TokenDescription>;
  readonly server: ServerReader;
  readonly now: () => number;
};

/** The checks as they come, up to the first that is bad: the next would rest on it. */
export async function* examine(open: () => DoctorInput): AsyncGenerator<Check> {
  let subject: Subject = 'catalog';
  try {
    const input = open();
    const { environment, notices, server } = input;
    yield checkCatalog(input);
    yield* checkSources(subject, notices.catalog);
    subject = 'proxy';
    yield checkProxy(environment);
    subject = 'token';
    yield checkToken(await input.describeToken(), input.now());
    yield* checkSources(subject, notices.token);
    subject = 'list';
    const page = await server.firstPage(1);
    yield checkList(page);
    yield checkClock(page);
    subject = 'page size';
    const limit = wantedPageSize(input.pageSize);
    const large = await pageUnlessRefused(server, limit);
    yield checkPageSize(limit, large);
    subject = 'dialect';
    const { contracts } = large ?? page;
    const statuses = new Set(contracts.map(({ entityStatus }) => entityStatus));
    const kind = kindOf(input.dialect, statuses, await server.release());
    yield* checkDialect(kind);
    if (!kind.dialect.knowsTests) return;
    subject = 'permissions';
    const caller = await unlessRefused(server.caller);
    if (caller) yield checkPermissions(caller, kind.dialect);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const reasons = toDiagnostics(error).map((reason) =>
      // The owner of the token and its source have been shown.
      reason.code === 'unauthorized' ? { ...reason, hint: otherToken } : reason,
    );
    yield* failedChecks(subject, reasons);
  }
}

const otherToken =
  'It may have expired or belong to another catalog: renew it, or set another token.';

/** A size may be refused where the list as such is not. */
async function pageUnlessRefused(
  server: ServerReader,
  limit: number,
): Promise<FirstPage | undefined> {
  try {
    return await server.firstPage(limit);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return undefined;
    throw error;
  }
}

/** Not part of the interface: a server that keeps it to itself is not at fault. */
async function unlessRefused<Told>(ask: () => Promise<Told>): Promise<Told | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

export function failedChecks(subject: Subject, reasons: readonly Diagnostic[]): Check[] {
  return reasons.map(({ code, message, hint, source }) => ({
    subject,
    verdict: 'bad',
    // No file is read but the configuration.
    code: source ? 'invalid-config' : code,
    message: source ? `${source.file}:${source.line}:${source.column}: ${message}` : message,
    ...(hint !== undefined && { hint }),
  }));
}
