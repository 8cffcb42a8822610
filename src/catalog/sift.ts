import { headMembers, headOf, parseLiveContract } from '../contract/live.ts';
import { parsePage, readPage, type ListedPage } from './answers.ts';
import type { Attempt } from './request.ts';
import type { Content } from '../http/body.ts';
import { passes, type Sieve } from './sieve.ts';
import { createSkimmer, type SkimmedPage } from './skim.ts';

/** Reads a page; contracts that do not pass the sieve come without their documents. */
export type Sifter = (content: Content) => Attempt<ListedPage>;

/** One page after the other: the memory that it works in serves all of them. */
export function createSifter(sieve: Sieve): Sifter {
  const gather = createGatherer();
  const skim = createSkimmer(headMembers);
  return (content) => {
    const skimmed = skim(gather(content));
    const page = skimmed && siftSkimmed(skimmed, sieve);
    if (page) return { value: page };
    const parsed = readPage(content);
    if ('fault' in parsed) return parsed;
    const contracts = parsed.value.contracts.map((contract) =>
      passes(sieve, contract) ? contract : headOf(contract),
    );
    return { value: { ...parsed.value, contracts } };
  };
}

/** Undefined where something is amiss: parsing the page shows what. */
function siftSkimmed({ json, contract }: SkimmedPage, sieve: Sieve): ListedPage | undefined {
  try {
    const page = parsePage(JSON.parse(json));
    if ('fault' in page) return undefined;
    const contracts = page.value.contracts.map((skimmed, index) =>
      passes(sieve, skimmed) ? parseLiveContract(JSON.parse(contract(index))) : headOf(skimmed),
    );
    return contracts.every((each) => each !== undefined) ? { ...page.value, contracts } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
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
