/** What `doctor` looks at, and what it finds, as plain JSON (`schemas/examination.schema.json`). */

import type { TokenDescription } from '../auth/source.ts';
import type { Product } from '../catalog/products/product.ts';
import { type Kind, productNames } from '../catalog/products/products.ts';
import type { CatalogCaller, FirstPage } from '../catalog/client.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { proxiesOf } from '../http/fetch.ts';

/** What is looked at, in this order. */
export type Subject =
  | 'catalog'
  | 'proxy'
  | 'token'
  | 'list'
  | 'clock'
  | 'page size'
  | 'dialect'
  | 'permissions';

export type Check = {
  readonly subject: Subject;
  /** `bad`: no run can succeed; what rests on it is not looked at. */
  readonly verdict: 'good' | 'warning' | 'bad';
  readonly code?: string;
  readonly message: string;
  readonly hint?: string;
};

export type Examination = {
  readonly formatVersion: '1.0';
  readonly errored: boolean;
  readonly checks: readonly Check[];
};

export function makeExamination(checks: readonly Check[]): Examination {
  const errored = checks.some(({ verdict }) => verdict === 'bad');
  return { formatVersion: '1.0', errored, checks };
}

function good(subject: Subject, message: string): Check {
  return { subject, verdict: 'good', message };
}

function warning(subject: Subject, message: string, hint: string): Check {
  return { subject, verdict: 'warning', message, hint };
}

export type CatalogSubject = {
  readonly catalogUrl: string;
  readonly catalogOrigin: string;
  readonly chosen?: { readonly name: string; readonly origin: string };
};

export function checkCatalog({ catalogUrl, catalogOrigin, chosen }: CatalogSubject): Check {
  const environment = chosen ? `; environment ${chosen.name}, from ${chosen.origin}` : '';
  return good('catalog', `${catalogUrl}, from ${catalogOrigin}${environment}`);
}

/** What was given twice: a run goes on with one of them, which may not be the one that is meant. */
export function checkSources(subject: Subject, notices: readonly Diagnostic[]): Check[] {
  return notices.map(({ severity, message, hint }) => ({
    subject,
    verdict: severity === 'warning' ? 'warning' : 'good',
    message,
    ...(hint !== undefined && { hint }),
  }));
}

/** Which proxies the environment names; a password in their addresses stays out. */
export function checkProxy(environment: NodeJS.ProcessEnv): Check {
  const proxies = proxiesOf(environment);
  if (!proxies) return good('proxy', 'none');
  const { http_proxy: http, https_proxy: https, no_proxy: exempt } = proxies;
  const used = [http && `${shown(http)} for http`, https && `${shown(https)} for https`];
  const message = `${used.filter(Boolean).join(', ')}; none for ${exempt}`;
  if (canUseProxies()) return good('proxy', message);
  const hint = 'Use Node 24.14 or newer, or set NODE_USE_ENV_PROXY=1.';
  return warning('proxy', `${message}; this Node ignores them`, hint);
}

function shown(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.host}`;
}

function canUseProxies(): boolean {
  return 'setGlobalProxyFromEnv' in process.getBuiltinModule('node:http');
}

/** A token that ends sooner may not last for the next run; in milliseconds. */
const soon = 24 * 3_600_000;

/** Whose token it is, the way to it, and its end, which by this machine's clock may be past. */
export function checkToken(description: TokenDescription, now: number): Check {
  const { subject: owner, method, reason, clientId, issuedBy, audience, expiresAt } = description;
  const left = expiresAt === undefined ? undefined : expiresAt - now;
  const message = [
    owner === undefined ? 'owner unknown: the token is opaque or names none' : `owner ${owner}`,
    `method ${method}, because ${reason}`,
    clientId && `client ${clientId}`,
    issuedBy && `issued by ${issuedBy}`,
    audience && `for ${audience}`,
    ending(expiresAt, now),
  ]
    .filter(Boolean)
    .join('; ');
  if (left !== undefined && left <= 0) return warning('token', message, clockOrToken);
  // A token that is asked for anew for each run may be short-lived.
  if (method !== 'static-token' || left === undefined || left > soon) return good('token', message);
  return warning('token', message, 'Renew it: a run that outlasts it fails.');
}

const clockOrToken =
  "Correct this machine's clock if it is wrong. Otherwise renew the token: the catalog treats it as expired.";

function ending(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) return "doesn't say when it expires";
  const at = new Date(expiresAt).toISOString().replace(/\.\d+Z$/u, 'Z');
  return expiresAt > now
    ? `expires at ${at}, in ${duration(expiresAt - now)}`
    : `expired at ${at}, ${duration(now - expiresAt)} ago by this machine's clock`;
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

export function checkList({ total }: FirstPage): Check {
  const count = total ?? 'the catalog gives no total';
  return good('list', `can list contracts: ${count}`);
}

/** Servers commonly bear so much when they check a token's times; in milliseconds. */
const bearable = 30_000;

/** Whether this machine and the catalog agree on the time: tokens begin and end by it. */
export function checkClock({ clockAhead }: FirstPage): Check {
  if (clockAhead === undefined) {
    return { subject: 'clock', verdict: 'warning', message: "the catalog doesn't send its time" };
  }
  const seconds = Math.round(Math.abs(clockAhead) / 1000);
  if (Math.abs(clockAhead) <= bearable) {
    return good('clock', `agrees with the catalog's within ${Math.max(1, seconds)} s`);
  }
  return warning(
    'clock',
    `the catalog's clock is ${seconds} s ${clockAhead > 0 ? 'ahead of' : 'behind'} this machine's`,
    'Correct the one that is wrong: it makes tokens look expired or not yet valid.',
  );
}

/** The size that `auto` grows to on a large catalog. */
const large = 1000;

export function wantedPageSize(setting: number | 'auto'): number {
  return setting === 'auto' ? large : setting;
}

/** Whether the catalog gives pages of that size; without a page it has refused one. */
export function checkPageSize(limit: number, page: FirstPage | undefined): Check {
  if (!page) return smaller(limit, `the catalog refuses a page of ${limit}`);
  const { contracts, total = contracts.length } = page;
  if (contracts.length < Math.min(limit, total)) {
    return smaller(limit, `a page of ${limit} returned ${contracts.length}`);
  }
  const all = `a page of ${limit} is accepted and contains all contracts (${total})`;
  return good('page size', total < limit ? all : `pages of ${limit} work`);
}

function smaller(limit: number, message: string): Check {
  const hint =
    limit > large
      ? `contract-sync falls back to smaller pages. Set --page-size ${large} to skip the failed attempt.`
      : 'contract-sync falls back to smaller pages, so it needs more requests to read a large catalog.';
  return warning('page size', message, hint);
}

/** What kind of catalog it is, by its release and by the contracts that were read, and why. */
export function checkDialect({ dialect: { name }, evidence, diagnostics }: Kind): Check[] {
  const check =
    name === 'auto'
      ? warning('dialect', `not known: ${evidence}`, dialectHint())
      : good('dialect', `${name}, because ${evidence}`);
  return [check, ...checkSources('dialect', diagnostics)];
}

function dialectHint(): string {
  const settings = productNames.toReversed().map((name) => `\`catalog: { dialect: ${name} }\``);
  return `Contracts whose patch depends on it are blocked. Add ${settings.join(' or ')} to the configuration.`;
}

/** Whether an apply may lack a permission: by who asks, as a user's permissions are not told. */
export function checkPermissions(
  { name, isAdmin, isBot }: CatalogCaller,
  product: Pick<Product, 'name'>,
): Check {
  if (isAdmin) return good('permissions', `${name} is an administrator`);
  if (isBot) {
    return warning(
      'permissions',
      `${name} is a bot: most bots can't set a display name, but the catalog stores some changes only with one`,
      `Ask an administrator to give ${name} EditDisplayName, or set \`${product.name}: { carrier: none }\` to block such changes in the plan.`,
    );
  }
  return warning(
    'permissions',
    `${name} isn't an administrator: the guard of each patch needs EditAll, and the catalog stores some changes only with EditDisplayName`,
    `Ask an administrator to give ${name} both for data contracts, or to make ${name} an owner of the contracts.`,
  );
}
