import { compareCodeUnits } from '../core/json.ts';
import type { Identity } from './contract.ts';
import { contractLabel } from './identity.ts';

/** The names of live contracts that no file declares: one of them may be meant by a file that errs. */
export type NearNames = {
  readonly note: (live: Identity) => void;
  /** The contract that is called nearly as a file says, if there is one. */
  readonly nearest: (wanted: Identity) => string | undefined;
};

/** So many names take some megabytes. */
const mostNames = 20_000;

/** With so many files that miss their contract, it is hardly for a letter. */
const mostLooks = 100;

export function createNearNames(): NearNames {
  const labels = new Map<string, string>();
  let looks = 0;
  return {
    note: (live) => {
      if (labels.size >= mostNames) return;
      for (const name of spellings(live)) labels.set(name, contractLabel(live));
    },
    nearest: (wanted) => {
      looks += 1;
      return looks > mostLooks ? undefined : nearestOf(spellings(wanted), labels);
    },
  };
}

/** Most contracts are called like their asset, and some catalogs name them below it. */
function spellings({ fullyQualifiedName, name, entity }: Identity): string[] {
  const asset = entity?.fullyQualifiedName ?? entity?.id;
  const attached = name === undefined || asset === undefined ? undefined : `${asset}.${name}`;
  return [fullyQualifiedName, attached, entity?.fullyQualifiedName].filter(
    (spelling) => spelling !== undefined,
  );
}

/** Letters that are written wrongly, in all. */
const mostSlips = 2;

function nearestOf(
  spelled: readonly string[],
  labels: ReadonlyMap<string, string>,
): string | undefined {
  for (let slips = 0; slips <= mostSlips; slips += 1) {
    const near = [...labels.keys()].filter((name) =>
      spelled.some((wanted) => isWithin(wanted, name, slips)),
    );
    const [first] = near.toSorted(compareCodeUnits);
    if (first !== undefined) return labels.get(first);
  }
  return undefined;
}

/** Whether so many slips make one text of the other: a letter too few, too many, wrong, or swapped. */
export function isWithin(a: string, b: string, slips: number): boolean {
  if (Math.abs(a.length - b.length) > slips) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  if (at === a.length && at === b.length) return true;
  if (slips === 0) return false;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0];
  return (
    isWithin(restA.slice(1), restB.slice(1), slips - 1) ||
    isWithin(restA.slice(1), restB, slips - 1) ||
    isWithin(restA, restB.slice(1), slips - 1) ||
    (isSwapped && isWithin(restA.slice(2), restB.slice(2), slips - 1))
  );
}
