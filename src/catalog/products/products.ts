import { defaultLifecycle, type Lifecycle, writableStatuses } from '../../contract/conventions.ts';
import type { Diagnostic, Problem } from '../../core/diagnostic.ts';
import type { JsonValue } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import { openmetadata } from './openmetadata/openmetadata.ts';
import { isSince, type Product } from './product.ts';
import { standard } from './standard.ts';

/** The name of a product, or `auto`. */
export type DialectSetting = string;

const products: readonly [Product, ...Product[]] = [standard, openmetadata];

export const productNames = products.map(({ name }) => name);

const releasing = products.filter(({ detect }) => detect.release);

export const creators: readonly Product[] = products.filter(({ creation }) => creation);

export const creatorTitles = titlesOf(creators);

function titlesOf(some: readonly Product[]): string {
  return some.map(({ title }) => title).join(' or ');
}

// For a catalog of unknown kind: nothing is sent that the kinds would word differently, and reads
// are compared so that the result holds for each.
const undecided: Product = {
  ...standard,
  name: 'auto',
  equivalence: {
    fill: products.flatMap(({ equivalence }) => equivalence.fill),
    defaults: products.flatMap(({ equivalence }) => equivalence.defaults ?? []),
    emptyIsAbsent: products.some(({ equivalence }) => equivalence.emptyIsAbsent),
    asStored: (managed, live) =>
      products.reduce(
        (stored, { equivalence }) => equivalence.asStored?.(stored, live) ?? stored,
        managed,
      ),
  },
  comparesNumbers: products.every(({ comparesNumbers }) => comparesNumbers),
  takesAnyUnit: products.every(({ takesAnyUnit }) => takesAnyUnit),
};

export function productOf(setting: DialectSetting): Product {
  return products.find(({ name }) => name === setting) ?? undecided;
}

export function possibleProducts(setting: DialectSetting): readonly [Product, ...Product[]] {
  return setting === 'auto' ? products : [productOf(setting)];
}

export function completeLifecycle(setting: DialectSetting, configured: Partial<Lifecycle>) {
  const own = productOf(setting).lifecycle;
  return { ...own, ...(configured.statuses && { later: [] }), ...configured };
}

export function laterStatuses(setting: DialectSetting, lifecycle: Lifecycle): readonly string[] {
  const own = possibleProducts(setting).map((product) => product.lifecycle);
  return (lifecycle === defaultLifecycle ? own : [lifecycle]).flatMap(({ later = [] }) => later);
}

export function acceptedStatuses(setting: DialectSetting, lifecycle: Lifecycle): readonly string[] {
  const own = possibleProducts(setting).map((product) => product.lifecycle);
  return writableStatuses(lifecycle, own);
}

// As files name them. While the product is unknown, the interface's own words are left out: they
// would have every catalog asked for reviewers.
export function statusesForReview(setting: DialectSetting): readonly string[] {
  return possibleProducts(setting).flatMap(({ reviewedStatuses: reviewed, lifecycle }) => {
    const { synonyms = {} } = setting === 'auto' ? {} : lifecycle;
    const words = Object.keys(synonyms).filter((word) => reviewed.includes(synonyms[word] ?? ''));
    return [...reviewed, ...words];
  });
}

export type ServerRelease =
  | {
      readonly kind: 'known' | 'unsupported';
      readonly version: string;
      readonly product: string;
    }
  | { readonly kind: 'other' }
  | { readonly kind: 'unread'; readonly why: string };

export function parseServerRelease(answer: JsonValue): ServerRelease {
  for (const { name, detect } of products) {
    const release = detect.release?.parse(answer);
    if (!release) continue;
    const { version, isSupported } = release;
    return { kind: isSupported ? 'known' : 'unsupported', version, product: name };
  }
  return { kind: 'other' };
}

export type Kind = Readonly<ReturnType<typeof kindOf>>;

// The configured kind, or else the one that all evidence names: the server's release, and the
// statuses of contracts. Names are no evidence: any catalog may have such names.
export function kindOf(
  setting: DialectSetting,
  seen: ReadonlySet<string | undefined>,
  release: ServerRelease = { kind: 'other' },
) {
  const server = 'version' in release ? `its server is ${titleOf(release)}` : undefined;
  const isKnown = release.kind === 'known';
  const decide = (name: DialectSetting, evidence: string) => ({
    dialect: productOf(name),
    possible: possibleProducts(name),
    ...('version' in release && { release: release.version }),
    evidence,
    diagnostics: unsupportedRelease(release),
    // Not every release has all statuses of its product: one that was not seen may be missing.
    statusProblem: (status: string): Problem | undefined => {
      const tooOld = statusMissing(status, release);
      if (tooOld && !seen.has(status)) return tooOld;
      if (setting !== 'auto' || isKnown || seen.has(status)) return undefined;
      const owner = products.find(
        ({ detect }) => detect.release && detect.statuses.includes(status),
      );
      return owner && statusDoubtful(status, owner, { name, evidence });
    },
  });
  if (setting !== 'auto') {
    const says = 'the configuration says so';
    return decide(setting, server === undefined ? says : `${says}; ${server}`);
  }
  // The server's own release comes before other evidence.
  const [found, other] = products.toReversed().flatMap(({ name, detect }) => {
    const telling = detect.statuses.filter((status) => seen.has(status));
    const evidence = [
      ...(server !== undefined && isKnown && release.product === name ? [server] : []),
      ...(telling.length > 0 ? [`it has contracts that are ${telling.join(', ')}`] : []),
    ];
    return evidence.length > 0 ? [{ name, evidence: evidence.join(' and ') }] : [];
  });
  if (found && other) return decide('auto', `${found.evidence}, but ${other.evidence}`);
  if (found) return decide(found.name, found.evidence);
  const noStatus = 'no contract has a status that only one kind of catalog has';
  const silence =
    release.kind === 'unread'
      ? `the release of its server can't be read (${release.why})`
      : `its server names no release of ${titlesOf(releasing)}`;
  return decide('auto', `${server ?? silence}, and ${noStatus}`);
}

function statusMissing(status: string, release: ServerRelease): Problem | undefined {
  if (release.kind !== 'known') return undefined;
  const since = productOf(release.product).detect.statusesSince?.[status];
  if (since === undefined || isSince(release.version, since)) return undefined;
  const message = `${titleOf(release)} has no status ${quote(status)}: it comes with ${since}.`;
  const hint = 'Upgrade the catalog first, or write another status.';
  return { code: 'unknown-status', severity: 'error', scope: 'contract', message, hint };
}

function titleOf({ product, version }: Extract<ServerRelease, { version: string }>): string {
  return `${productOf(product).title} ${version}`;
}

// The statuses and defaults of an unknown release are unknown, so it is no evidence.
function unsupportedRelease(release: ServerRelease): Diagnostic[] {
  if (release.kind !== 'unsupported') return [];
  const since = productOf(release.product).detect.release?.since;
  const message = `The server says it is ${titleOf(release)}; contract-sync knows releases from ${since} on.`;
  const hint =
    'Upgrade it. Until then its release does not count as evidence of what it does: a contract whose patch depends on that is blocked, unless `catalog.dialect` is set.';
  return [{ code: 'release-unsupported', severity: 'warning', message, hint }];
}

export function dialectDoubtful(evidence: string): Problem {
  const message = `What happens to this contract depends on the kind of catalog, which isn't known: ${evidence}.`;
  const hint = `Add ${dialectSettings()} to the configuration.`;
  return { code: 'dialect-doubtful', severity: 'error', scope: 'contract', message, hint };
}

export function dialectSettings(some: readonly string[] = productNames): string {
  return some
    .toReversed()
    .map((name) => `\`catalog: { dialect: ${name} }\``)
    .join(' or ');
}

/** Of the products that take any unit, while it isn't known whether the catalog does. */
export function anyUnitSetting(setting: DialectSetting): string | undefined {
  if (setting !== 'auto') return undefined;
  const taking = products.filter(({ takesAnyUnit }) => takesAnyUnit);
  return dialectSettings(taking.map(({ name }) => name));
}

function statusDoubtful(
  status: string,
  owner: Product,
  counted: { readonly name: DialectSetting; readonly evidence: string },
): Problem {
  const { name, title } = owner;
  const counts =
    counted.name === name
      ? `counts as ${title} only because`
      : `doesn't count as ${title}, because`;
  const message = `It isn't known whether the catalog has the status ${status}: no contract has it, and the catalog ${counts} ${counted.evidence}.`;
  const hint = settingFor(owner);
  return { code: 'dialect-doubtful', severity: 'error', scope: 'contract', message, hint };
}

function settingFor({ name, title }: Product): string {
  return `If it is ${title}, add \`catalog: { dialect: ${name} }\` to the configuration.`;
}

export const comparedAsStandard: Diagnostic = {
  code: 'dialect-doubtful',
  severity: 'information',
  message: `The kind of catalog isn't known, so versions are compared as a ${standard.name} catalog's: what ${titlesOf(releasing)} adds by itself counts as a change.`,
  hint: releasing.map(settingFor).join(' '),
};
