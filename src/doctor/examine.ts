import type { TokenDescription } from '../auth/source.ts';
import { instant } from '../auth/token.ts';
import type { CatalogCaller } from '../catalog/catalog.ts';
import type { FirstPage, ServerReader } from '../catalog/client.ts';
import { ApiError } from '../catalog/fault.ts';
import {
  type CatalogKind,
  describeSparedBot,
  refuseContradiction,
  sparesBots,
  unlessFailed,
} from '../catalog/kind.ts';
import type { Product } from '../catalog/products/product.ts';
import {
  configuredProduct,
  dialectLines,
  type DialectSetting,
  productOf,
} from '../catalog/products/products.ts';
import { type Diagnostic, SyncError, toDiagnostics } from '../core/diagnostic.ts';
import { count } from '../core/text.ts';
import type { Validation } from '../files/files.ts';
import { proxiesOf } from '../http/fetch.ts';

type Subject =
  | 'configuration'
  | 'url'
  | 'proxy'
  | 'token'
  | 'list'
  | 'clock'
  | 'dialect'
  | 'release'
  | 'permissions'
  | 'files';

export type Check = {
  readonly subject: Subject;
  /** `bad`: no run can succeed, and what depends on it is not checked. */
  readonly verdict: 'good' | 'warning' | 'bad';
  readonly code?: string;
  readonly message: string;
  readonly hint?: string;
};

export type DoctorInput = {
  readonly catalogUrl: string;
  readonly catalogOrigin: string;
  readonly chosen?: { readonly name: string; readonly origin: string } | undefined;
  readonly notices: readonly Diagnostic[];
  readonly dialect: DialectSetting;
  /** `lifecycle.statuses` of the configuration. */
  readonly statuses?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly describeToken: () => Promise<TokenDescription>;
  readonly server: ServerReader;
  readonly validate: () => Promise<Validation>;
  readonly now: () => number;
};

export async function* examine(open: () => DoctorInput): AsyncGenerator<Check> {
  let subject: Subject = 'url';
  let rejected: string = rejectedToken.given;
  try {
    const input = open();
    const { environment, notices, server, chosen } = input;
    const choice = chosen ? `; environment ${chosen.name}, from ${chosen.origin}` : '';
    yield good('url', `${input.catalogUrl}, from ${input.catalogOrigin}${choice}`);
    yield* checkSources(subject, notices);
    subject = 'proxy';
    yield checkProxy(environment);
    subject = 'token';
    const token = await input.describeToken();
    if (token.method !== 'static-token') rejected = rejectedToken.issued;
    yield checkToken(token, input.now());
    subject = 'list';
    const asked = input.now();
    const page = await server.firstPage(samples);
    const seconds = (input.now() - asked) / 1000;
    const pace = seconds > 1 ? `, in ${seconds.toFixed(1)} s` : '';
    yield good('list', `can list contracts: ${page.total ?? 'the catalog gives no total'}${pace}`);
    yield checkClock(page);
    subject = 'dialect';
    const { product, release } = yield* checkKind(input, page);
    subject = 'permissions';
    // Not part of the interface: a server may refuse it.
    const caller = product.knowsTests && (await unlessFailed(server.caller));
    if (caller) yield checkPermissions(caller, sparesBots(product, release));
    subject = 'files';
    yield checkFiles(await input.validate());
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const reasons = toDiagnostics(error).map((reason) =>
      // The owner of the token and its source have been shown.
      error instanceof ApiError && error.denied === 'token'
        ? { ...reason, hint: rejected }
        : reason,
    );
    yield* failedChecks(subject, reasons);
  }
}

// Contracts whose statuses are looked at.
const samples = 10;

const rejectedToken = {
  given: 'It may have expired or belong to another catalog: renew it, or set another token.',
  issued:
    'It was issued for this run. Compare whom it is for and who issued it with what the catalog takes.',
} as const;

export function failedChecks(subject: Subject, reasons: readonly Diagnostic[]): Check[] {
  return reasons.map(({ code, message, hint, source }) => ({
    subject: source ? 'configuration' : subject,
    verdict: 'bad',
    // No file is read but the configuration.
    code: source ? 'invalid-config' : code,
    message: source ? `${source.file}:${source.line}:${source.column}: ${message}` : message,
    ...(hint !== undefined && { hint }),
  }));
}

export type Examination = Readonly<ReturnType<typeof makeExamination>>;

export function makeExamination(checks: readonly Check[]) {
  const errored = checks.some(({ verdict }) => verdict === 'bad');
  return { formatVersion: '1.0', errored, checks } as const;
}

function good(subject: Subject, message: string): Check {
  return { subject, verdict: 'good', message };
}

function warning(subject: Subject, message: string, hint: string): Check {
  return { subject, verdict: 'warning', message, hint };
}

function checkSources(subject: Subject, notices: readonly Diagnostic[]): Check[] {
  return notices.map(({ severity, message, hint }) => ({
    subject,
    verdict: severity === 'warning' ? 'warning' : 'good',
    message,
    ...(hint !== undefined && { hint }),
  }));
}

function checkProxy(environment: NodeJS.ProcessEnv): Check {
  const proxies = proxiesOf(environment);
  if (!proxies) return good('proxy', 'none');
  const { http_proxy: http, https_proxy: https, no_proxy: exempt } = proxies;
  const used = [http && `${shown(http)} for http`, https && `${shown(https)} for https`];
  const message = `${used.filter(Boolean).join(', ')}; none for ${exempt}`;
  if ('setGlobalProxyFromEnv' in process.getBuiltinModule('node:http'))
    return good('proxy', message);
  const hint = 'Use Node 24.14 or newer, or set NODE_USE_ENV_PROXY=1.';
  return warning('proxy', `${message}; this Node ignores them`, hint);
}

function shown(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.host}`;
}

// Milliseconds; a token that ends sooner may not last for the next run.
const soon = 24 * 3_600_000;

function checkToken(description: TokenDescription, now: number): Check {
  const { subject: owner, method, reason, clientId, issuedBy, audience, expiresAt } = description;
  const left = expiresAt === undefined ? undefined : expiresAt - now;
  const message = [
    owner === undefined ? 'owner unknown: the token is opaque or names none' : `owner ${owner}`,
    `method ${method}, because ${reason}`,
    clientId && `client ${clientId}`,
    issuedBy && `issued by ${issuedBy}`,
    audience && `for ${audience}`,
    // A token that is over by this machine's clock alone is judged by the catalog's answer.
    expiresAt === undefined ? "doesn't say when it expires" : `expires at ${instant(expiresAt)}`,
  ]
    .filter(Boolean)
    .join('; ');
  // A token made for each run may be short-lived.
  if (method !== 'static-token' || left === undefined || left > soon) return good('token', message);
  return warning('token', message, 'Renew it: a run that outlasts it fails.');
}

// Milliseconds of difference that servers commonly accept in a token's times.
const bearable = 30_000;

function checkClock({ clockAhead }: FirstPage): Check {
  if (clockAhead === undefined)
    return { subject: 'clock', verdict: 'warning', message: "the catalog doesn't send its time" };
  const seconds = Math.round(Math.abs(clockAhead) / 1000);
  if (Math.abs(clockAhead) <= bearable)
    return good('clock', `agrees with the catalog's within ${Math.max(1, seconds)} s`);
  const message = `the catalog's clock is ${seconds} s ${clockAhead > 0 ? 'ahead of' : 'behind'} this machine's`;
  const hint = 'Correct the one that is wrong: it makes tokens look expired or not yet valid.';
  return warning('clock', message, hint);
}

async function releaseOf({ detect }: Product, server: ServerReader) {
  return detect.release ? unlessFailed(server.kind) : undefined;
}

async function* checkKind(
  { server, dialect, statuses }: DoctorInput,
  { contracts }: FirstPage,
): AsyncGenerator<Check, { readonly product: Product; readonly release: string | undefined }> {
  const configured = configuredProduct(dialect);
  const asked = configured ? await releaseOf(configured, server) : await server.kind();
  const product = configured ?? asked?.product ?? productOf();
  for (const live of contracts) refuseContradiction(live, product, statuses);
  yield checkDialect(product, configured, asked);
  if (!configured && asked) yield* checkSources('dialect', asked.notices);
  const { release } = asked ?? {};
  const known = release === undefined ? undefined : product.detect.release?.describe(release);
  if (known !== undefined) yield good('release', known);
  return { product, release };
}

function checkDialect(
  { name }: Product,
  configured: Product | undefined,
  asked?: CatalogKind,
): Check {
  if (!configured) {
    const hint = `Add \`catalog: { dialect: ${name} }\` to the configuration, and no run asks.`;
    return { ...good('dialect', `${name}, because ${asked?.evidence}`), hint };
  }
  const says = `${name}, because the configuration says so`;
  if (asked?.release === undefined) return good('dialect', says);
  if (asked.product.name === name) return good('dialect', `${says}; ${asked.evidence}`);
  const hint = `Write ${dialectLines([asked.product])}, unless it is meant.`;
  return warning('dialect', `${says}, but ${asked.evidence}`, hint);
}

function checkFiles({ summary, diagnostics }: Validation): Check {
  const { files, contracts, errors, warnings } = summary;
  const subject = 'files';
  if (files === 0) {
    const hint = '`contract-sync import` writes one for each live contract.';
    return warning(subject, 'there is no contract file yet', hint);
  }
  const found = `${count(contracts, 'contract', 'contracts')} without errors in ${count(files, 'file', 'files')}`;
  const hint = '`contract-sync validate` shows them.';
  const code = diagnostics.find(({ severity }) => severity === 'error')?.code;
  if (code !== undefined) {
    const message = `${found}; ${count(errors, 'error', 'errors')}`;
    return { subject, verdict: 'bad', code, message, hint };
  }
  if (warnings === 0) return good(subject, found);
  return warning(subject, `${found}; ${count(warnings, 'warning', 'warnings')}`, hint);
}

// By the kind of caller: the catalog doesn't list a user's permissions. A bot's role denies it the
// display name alone, and the guard of a patch has the server ask for EditAll in its place.
function checkPermissions({ name, isAdmin, isBot }: CatalogCaller, isSpared: boolean): Check {
  if (isAdmin) return good('permissions', `${name} is an administrator`);
  if (isBot) return good('permissions', isSpared ? describeSparedBot(name) : `${name} is a bot`);
  const message = `${name} isn't an administrator: the guard of each patch needs EditAll`;
  const hint = `Ask an administrator to give ${name} EditAll for data contracts, or to make ${name} an owner of the contracts.`;
  return warning('permissions', message, hint);
}
