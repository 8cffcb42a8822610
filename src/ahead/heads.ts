import { parsePage, readPage, type ServerPage } from '../catalog/answers.ts';
import type { ContractHead, LiveContract } from '../contract/contract.ts';
import { composed } from '../contract/canonical-name.ts';
import { qualifiedNames } from '../contract/identity.ts';
import { parseLiveContract } from '../contract/live.ts';
import { matchesName, type NamePattern } from '../contract/name-pattern.ts';
import type { JsonObject } from '../core/json.ts';
import type { Content } from '../http/body.ts';
import type { Attempt } from '../catalog/request.ts';
import { createExcerptReader, type PageExcerpt } from './excerpt.ts';

/** Which contracts of a list are wanted whole: plain data, for it crosses threads. */
export type Wanted = {
  /** Those of which the id, or that of the asset, or one of the qualified names is among these. */
  readonly identities: ReadonlySet<string>;
  /** Those of which a qualified name matches. */
  readonly names: readonly NamePattern[];
};

/** Of each contract of a long list, and mostly in vain: nothing is made to look it up. */
export function isWanted({ identities, names }: Wanted, contract: ContractHead): boolean {
  const { id, fullyQualifiedName, entity } = contract;
  return (
    isAmong(identities, id) ||
    isAmong(identities, fullyQualifiedName) ||
    isAmong(identities, entity?.id) ||
    isAmong(identities, entity?.fullyQualifiedName) ||
    isAmong(identities, parentName(contract)) ||
    (names.length > 0 && matchesName(names, allNames(contract)))
  );
}

function isAmong(identities: ReadonlySet<string>, identity: string | undefined): boolean {
  return identity !== undefined && identities.has(composed(identity));
}

/** Some catalogs name a contract below its asset, and leave the asset's name out. */
function parentName({ name, fullyQualifiedName }: ContractHead): string | undefined {
  if (name === undefined || !fullyQualifiedName?.endsWith(name)) return undefined;
  const dot = fullyQualifiedName.lastIndexOf('.', fullyQualifiedName.length - name.length);
  return dot < 0 ? undefined : fullyQualifiedName.slice(0, dot);
}

function allNames(contract: ContractHead): string[] {
  const parent = parentName(contract);
  return [...qualifiedNames(contract), ...(parent === undefined ? [] : [parent])];
}

/** A contract of a page whose document has not been read. */
export type Head = ContractHead & { readonly document?: undefined };

/** A page whose contracts are whole where they are wanted: plain data, for it crosses threads. */
export type PageOfHeads = Omit<ServerPage, 'contracts'> & {
  readonly contracts: readonly (LiveContract | Head)[];
};

export type ReadHeads = (content: Content) => Attempt<PageOfHeads>;

/** Reads one page after the other: the memory that it works in serves all of them. */
export function createHeadReader(wanted: Wanted): ReadHeads {
  const gather = createGatherer();
  const takeExcerpt = createExcerptReader(headMembers);
  return (content) => {
    const excerpt = takeExcerpt(gather(content));
    const page = excerpt && readExcerpt(excerpt, wanted);
    if (page) return { value: page };
    const parsed = readPage(content);
    if ('fault' in parsed) return parsed;
    const contracts = parsed.value.contracts.map((contract) =>
      isWanted(wanted, contract) ? contract : headOf(contract),
    );
    return { value: { ...parsed.value, contracts } };
  };
}

/** What of a contract's document is in its head. */
const headMembers = Object.keys({
  id: true,
  name: true,
  fullyQualifiedName: true,
  entity: true,
  entityStatus: true,
} satisfies Record<keyof ContractHead, true>);

export function headOf(contract: LiveContract): Head {
  const { version: _version, updatedAt: _updatedAt, document: _document, ...head } = contract;
  return head;
}

/** Undefined where something is amiss: parsing the page shows what. */
function readExcerpt({ json, contract }: PageExcerpt, wanted: Wanted): PageOfHeads | undefined {
  try {
    const page = parsePage(JSON.parse(json));
    if ('fault' in page) return undefined;
    const contracts = page.value.contracts.map((excerpt, index) =>
      isWanted(wanted, excerpt) ? parseLiveContract(JSON.parse(contract(index))) : headOf(excerpt),
    );
    return contracts.every((each) => each !== undefined) ? { ...page.value, contracts } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The page for those who know nothing of heads. */
export function completePage(page: PageOfHeads): ServerPage {
  const contracts = page.contracts.map((contract) =>
    contract.document ? contract : Object.assign(contract, { document: unread }),
  );
  return { ...page, contracts };
}

/** Nobody looks into a contract that nobody wants: whoever does is told, and no hole goes unseen. */
const unread = new Proxy<JsonObject>({}, { get: refuse, has: refuse, ownKeys: refuse });

export function isWhole({ document }: LiveContract): boolean {
  return document !== unread;
}

function refuse(): never {
  throw new Error('A contract was looked into that was not asked for whole.');
}

/** Puts the bytes of a page in one piece, which is good until the next page comes. */
function createGatherer(): (content: Content) => Buffer {
  let room = Buffer.alloc(0);
  return ({ chunks }) => {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (room.length < length) room = Buffer.allocUnsafe(Math.ceil(length * headroom));
    let at = 0;
    for (const chunk of chunks) {
      room.set(chunk, at);
      at += chunk.length;
    }
    return room.subarray(0, length);
  };
}

/** Pages of one list are of about one length. */
const headroom = 1.25;
