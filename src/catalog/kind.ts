/** Tells the kind of a catalog by its answer to `GET /v1/system/version`. */

import type { Claims } from '../auth/token.ts';
import type { CatalogCaller } from './catalog.ts';
import type { LiveContract } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import { type Diagnostic, SyncError } from '../core/diagnostic.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { ApiError, isFinalAnswer } from './fault.ts';
import { isSince, type Product } from './products/product.ts';
import { dialectLines, productOf, products } from './products/products.ts';

export type CatalogKind = {
  readonly product: Product;
  readonly release?: string;
  /** A clause: why it counts as that kind. */
  readonly evidence: string;
  readonly notices: readonly Diagnostic[];
};

/** Throws where no answer comes: a kind that is guessed would be the wrong one in silence. */
export async function askKind(ask: () => Promise<JsonValue>): Promise<CatalogKind> {
  try {
    return kindByAnswer(await ask());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return kindByFailure(error);
  }
}

/** Whether the catalog has approvals that hold the edits of people, and not those of bots. */
export function sparesBots({ detect }: Product, release: string | undefined): boolean {
  const since = detect.release?.sparesBotsSince;
  return since !== undefined && isSince(release, since);
}

export function describeSparedBot(bot: string): string {
  return `${bot} is a bot: the catalog's own approvals don't hold its changes`;
}

type KnownRelease = { readonly product: Product; readonly release?: string | undefined };

type KindServer = {
  readonly kind: () => Promise<CatalogKind>;
  readonly caller: () => Promise<CatalogCaller | undefined>;
};

/** Where the configuration names the kind, only the token of a bot has the release asked for. */
export async function noticesOfBot(
  { product, release }: KnownRelease,
  { isBot, subject }: Claims,
  server: KindServer,
): Promise<readonly Diagnostic[]> {
  if (product.detect.release?.sparesBotsSince === undefined) return [];
  const asked = release ?? (isBot ? (await unlessFailed(server.kind))?.release : undefined);
  if (!sparesBots(product, asked)) return [];
  const caller = isBot ? { name: subject, isBot } : await unlessFailed(server.caller);
  if (!caller?.isBot) return [];
  const bot = describeSparedBot(caller.name ?? 'The caller');
  const message = `${bot}. Their review is that of the pull request.`;
  const hint = 'To have the catalog hold them too, apply with the token of a person.';
  return [{ code: 'bot-not-held', severity: 'information', message, hint }];
}

export async function unlessFailed<Answer>(
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return undefined;
  }
}

function kindByAnswer(answer: JsonValue): CatalogKind {
  for (const product of products) {
    const release = product.detect.release?.parse(answer);
    if (!release) continue;
    const { version } = release;
    const title = `${product.title} ${version}`;
    switch (release.is) {
      case 'known': {
        const evidence = `its server is ${title}`;
        return { product: ofRelease(product, version), release: version, evidence, notices: [] };
      }
      case 'too-old':
        return asStandard(`its server is ${title}, which is too old`, tooOld(title, product));
      case 'unreadable':
        return asStandard(
          "the release of its server can't be read",
          assumed("names a release that can't be read"),
        );
    }
  }
  return asStandard('its server names no release');
}

// A catalog that has no such path says so. A token that is refused is refused for the list too.
function kindByFailure(error: ApiError): CatalogKind {
  const { status = 0 } = error;
  if (isFinalAnswer(error)) {
    const why = `its server names no release (status ${status})`;
    const isUnsure = status >= 500 && status !== 501;
    const notice = assumed(`fails to say what kind it is (status ${status})`);
    return isUnsure ? asStandard(why, notice) : asStandard(why);
  }
  const message = `${error.message} So the kind of the catalog is unknown.`;
  const way = `If the catalog answers other requests, add ${dialectLines()} to the configuration.`;
  const hint = error.hint === undefined ? way : `${error.hint} ${way}`;
  throw new SyncError('dialect-unknown', message, { hint, cause: error });
}

function asStandard(evidence: string, ...notices: readonly Diagnostic[]): CatalogKind {
  return { product: productOf(), evidence, notices };
}

function assumed(what: string): Diagnostic {
  const message = `The catalog ${what}, so it counts as a ${productOf().title} one.`;
  const hint = `Add ${dialectLines()} to the configuration, and it isn't asked.`;
  return { code: 'dialect-assumed', severity: 'information', message, hint };
}

function tooOld(title: string, { detect }: Product): Diagnostic {
  const message = `The server says it is ${title}; contract-sync knows releases from ${detect.release?.since} on.`;
  const hint = `Upgrade it. Until then it counts as a ${productOf().title} catalog, unless \`catalog.dialect\` is set.`;
  return { code: 'release-unsupported', severity: 'warning', message, hint };
}

/** A product, without the statuses that only later releases have. */
function ofRelease(product: Product, release: string): Product {
  const { detect, title, checkChange } = product;
  const checkStatus = (live: JsonObject, { entityStatus: status }: JsonObject) => {
    if (typeof status !== 'string' || status === live['entityStatus']) return [];
    const since = detect.statusesSince?.[status];
    if (since === undefined || isSince(release, since)) return [];
    const message = `${title} ${release} has no status "${status}": it comes with ${since}.`;
    const hint = 'Upgrade the catalog first, or write another status.';
    const about = { severity: 'error', scope: 'contract', pointer: ['entityStatus'] } as const;
    return [{ code: 'unknown-status', message, hint, ...about }];
  };
  return {
    ...product,
    checkChange: (live, target, caller) => [
      ...checkChange(live, target, caller),
      ...checkStatus(live, target),
    ],
  };
}

/** Throws at a listed contract of another kind; `statuses` are those of the configuration. */
export function refuseContradiction(
  live: LiveContract,
  { title, lifecycle }: Product,
  statuses: readonly string[] = [],
): void {
  const { entityStatus: status = '' } = live;
  if (lifecycle.statuses.includes(status) || statuses.includes(status)) return;
  const other = products.find(({ detect }) => detect.statuses.includes(status));
  if (!other) return;
  const message = `${contractLabel(live)} is ${status}, a status that ${other.title} has and ${title} lacks, but the catalog counts as ${title}: nothing was planned.`;
  const hint = `Write ${dialectLines([other])} in the configuration. If the catalog has statuses of its own, list them in \`lifecycle.statuses\`.`;
  throw new SyncError('dialect-contradicted', message, { hint });
}
