import { type Lifecycle, writableStatuses } from '../../contract/lifecycle.ts';
import type { Diagnostic, Problem } from '../../core/diagnostic.ts';
import type { JsonValue } from '../../core/json.ts';
import { openmetadata } from './openmetadata/openmetadata.ts';
import type { Product, ProductName } from './product.ts';
import { standard } from './standard.ts';

/** `auto`: what is read of the catalog decides. */
export type DialectSetting = ProductName | 'auto';

const products: readonly [Product, ...Product[]] = [standard, openmetadata];

export const productNames = ['standard', 'openmetadata'] as const satisfies readonly ProductName[];

/**
 * To a catalog whose kind is not known nothing is sent that the kinds would have otherwise. What is
 * left is read and compared so that it holds for both.
 */
const undecided: Product = {
  ...standard,
  name: 'auto',
  equivalence: openmetadata.equivalence,
  comparesNumbers: false,
};

export function productOf(setting: DialectSetting): Product {
  return products.find(({ name }) => name === setting) ?? undecided;
}

export function possibleProducts(setting: DialectSetting): readonly [Product, ...Product[]] {
  return setting === 'auto' ? products : [productOf(setting)];
}

/** It creates contracts also while no contract shows that the catalog is that product. */
export const creator = openmetadata;

export function completeLifecycle(
  setting: DialectSetting,
  configured: Partial<Lifecycle>,
): Lifecycle {
  return { ...productOf(setting).lifecycle, ...configured };
}

/** As far as the product is known before the catalog is asked. */
export function acceptedStatuses(setting: DialectSetting, lifecycle: Lifecycle): readonly string[] {
  const own = possibleProducts(setting).map((product) => product.lifecycle);
  return writableStatuses(lifecycle, own);
}

/**
 * As files name them. Until the product is known, a word that the interface has too is no reason
 * to ask every catalog for reviewers.
 */
export function statusesForReview(setting: DialectSetting): readonly string[] {
  return possibleProducts(setting).flatMap(({ reviewedStatuses: reviewed, lifecycle }) => {
    const { synonyms = {} } = setting === 'auto' ? {} : lifecycle;
    const words = Object.keys(synonyms).filter((word) => reviewed.includes(synonyms[word] ?? ''));
    return [...reviewed, ...words];
  });
}

export type ServerRelease =
  | { readonly kind: ProductName; readonly version: string }
  /** Older than the releases that are known. */
  | { readonly kind: 'unsupported'; readonly version: string; readonly product: ProductName }
  /** The answer names no release of a product. */
  | { readonly kind: 'other' }
  | { readonly kind: 'unread'; readonly why: string };

export function parseServerRelease(answer: JsonValue): ServerRelease {
  for (const name of productNames) {
    const release = productOf(name).detect.release?.parse(answer);
    if (!release) continue;
    const { version, isSupported } = release;
    return isSupported ? { kind: name, version } : { kind: 'unsupported', version, product: name };
  }
  return { kind: 'other' };
}

function productOfRelease(release: ServerRelease | undefined): Product | undefined {
  if (!release || !('version' in release) || release.kind === 'unsupported') return undefined;
  return productOf(release.kind);
}

export type Kind = {
  readonly dialect: Product;
  /** One where the kind is known, else all. */
  readonly possible: readonly [Product, ...Product[]];
  readonly release?: string;
  /** What tells the kind, or why it is not known: a sentence without its full stop. */
  readonly evidence: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly statusProblem: (status: string) => Problem | undefined;
};

/**
 * The kind that is set, or else the one that all evidence names: the release of the server, and the
 * statuses of contracts that were read. Names tell nothing: any catalog may have such names.
 */
export function kindOf(
  setting: DialectSetting,
  seen: ReadonlySet<string | undefined>,
  release: ServerRelease = { kind: 'other' },
): Kind {
  const server = 'version' in release ? `its server is ${titleOf(release)}` : undefined;
  const decide = (name: DialectSetting, evidence: string): Kind => ({
    dialect: productOf(name),
    possible: possibleProducts(name),
    ...('version' in release && { release: release.version }),
    evidence,
    diagnostics: unsupportedRelease(release),
    // Not every release has all statuses of its product: one that was not seen may be missing.
    statusProblem: (status) => {
      const isDoubtful =
        setting === 'auto' &&
        productOfRelease(release) === undefined &&
        !seen.has(status) &&
        products.some(({ detect }) => detect.release && detect.statuses.includes(status));
      return isDoubtful ? statusDoubtful(status, name, evidence) : undefined;
    },
  });
  if (setting !== 'auto') {
    const says = 'the configuration says so';
    return decide(setting, server === undefined ? says : `${says}; ${server}`);
  }
  // What a server says of its release comes first.
  const [found, other] = productNames.toReversed().flatMap((name) => {
    const telling = productOf(name).detect.statuses.filter((status) => seen.has(status));
    const evidence = [
      ...(server !== undefined && release.kind === name ? [server] : []),
      ...(telling.length > 0 ? [`it has contracts that are ${telling.join(', ')}`] : []),
    ];
    return evidence.length > 0 ? [{ name, evidence: evidence.join(' and ') }] : [];
  });
  if (found && other) return decide('auto', `${found.evidence}, but ${other.evidence}`);
  if (found) return decide(found.name, found.evidence);
  const noStatus = 'no contract has a status that only one kind of catalog has';
  return decide('auto', `${server ?? silence(release)}, and ${noStatus}`);
}

function titleOf(release: Extract<ServerRelease, { readonly version: string }>): string {
  const name = release.kind === 'unsupported' ? release.product : release.kind;
  return `${productOf(name).detect.release?.title ?? name} ${release.version}`;
}

function silence(release: ServerRelease): string {
  if (release.kind === 'unread') {
    return `the release of its server can't be read (${release.why})`;
  }
  const titles = products.flatMap(({ detect }) => detect.release?.title ?? []);
  return `its server names no release of ${titles.join(' or ')}`;
}

/** A release whose statuses and defaults are not known is no evidence of any kind. */
function unsupportedRelease(release: ServerRelease): Diagnostic[] {
  if (release.kind !== 'unsupported') return [];
  const since = productOf(release.product).detect.release?.since;
  return [
    {
      code: 'release-unsupported',
      severity: 'warning',
      message: `The server says it is ${titleOf(release)}; contract-sync knows releases from ${since} on.`,
      hint: 'Upgrade it. Until then its release does not count as evidence of what it does: a contract whose patch depends on that is blocked, unless `catalog.dialect` is set.',
    },
  ];
}

/** For a contract whose patch depends on the kind. */
export function dialectDoubtful(evidence: string): Problem {
  return {
    code: 'dialect-doubtful',
    severity: 'error',
    message: `What happens to this contract depends on the kind of catalog, which isn't known: ${evidence}.`,
    hint: `Add ${dialectSettings()} to the configuration.`,
  };
}

/** `catalog: { dialect: … }` for each product. */
export function dialectSettings(): string {
  return productNames
    .toReversed()
    .map((name) => `\`catalog: { dialect: ${name} }\``)
    .join(' or ');
}

function statusDoubtful(status: string, name: DialectSetting, evidence: string): Problem {
  const { title = name } = productOf(name).detect.release ?? {};
  return {
    code: 'dialect-doubtful',
    severity: 'error',
    message: `It isn't known whether the catalog has the status ${status}: no contract has it, and the catalog counts as ${title} only because ${evidence}.`,
    hint: `If it is ${title}, add \`catalog: { dialect: ${name} }\` to the configuration.`,
  };
}

/** For histories that are read without knowing the kind. */
export const comparedAsStandard: Diagnostic = {
  code: 'dialect-doubtful',
  severity: 'information',
  message:
    "The kind of catalog isn't known, so versions are compared as a standard catalog's: what OpenMetadata adds by itself counts as a change.",
  hint: 'If it is OpenMetadata, add `catalog: { dialect: openmetadata }` to the configuration.',
};
