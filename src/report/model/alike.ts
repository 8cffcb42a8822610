/** Contracts of which the same is to be said: it is said once, with all their names. */

import { isDeepStrictEqual } from 'node:util';
import type { ChangeReport } from './change.ts';
import type { ContractReport } from './contracts.ts';

/** What is said once, and of which contracts: of one, or of several that are alike. */
export type Gathering = {
  /** What holds for each of them; of a single contract all there is to say. */
  readonly shown: ContractReport;
  readonly members: readonly ContractReport[];
};

/** Two are read as fast apart. */
const fewestAlike = 3;

/** Each contract in one gathering, which has the place of the first of its members. */
export function gatherAlike(contracts: readonly ContractReport[]): Gathering[] {
  const groups = [...Map.groupBy(contracts.filter(hasNoProblem), likenessOf).values()];
  const alike = new Map(
    groups
      .filter(({ length }) => length >= fewestAlike)
      .flatMap((members) => members.map((each) => [each, members] as const)),
  );
  return contracts.flatMap((contract): Gathering[] => {
    const members = alike.get(contract);
    if (!members) return [{ shown: contract, members: [contract] }];
    return members[0] === contract ? [{ shown: whatHolds(contract, members), members }] : [];
  });
}

/** A problem has a place and a hint of its own, which a group would lose. */
function hasNoProblem({ problems }: ContractReport): boolean {
  return problems.length === 0;
}

/** The same for contracts that differ in places of files, versions and authors alone. */
function likenessOf(contract: ContractReport): string {
  const { verdict, breaking, transition, fields, reasons } = contract;
  return JSON.stringify([
    verdict,
    breaking,
    transition && [transition.from, transition.to],
    fields.map(({ changes }) => changes.map(withoutPlace)),
    reasons.map(({ code, message, hint }) => [code, message, hint]),
  ]);
}

/** What members have in common; what differs between them is left out. */
function whatHolds(first: ContractReport, members: readonly ContractReport[]): ContractReport {
  const { transition, versions, ...rest } = first;
  return {
    ...rest,
    ...(versions &&
      members.every((each) => isDeepStrictEqual(each.versions, versions)) && { versions }),
    ...(transition && {
      transition: inCommon(
        transition,
        members.map((each) => each.transition),
      ),
    }),
    changes: changesInCommon(members.map(({ changes }) => changes)),
    fields: first.fields.map((field, index) => ({
      ...field,
      changes: changesInCommon(members.map(({ fields }) => fields[index]?.changes ?? [])),
    })),
  };
}

/** Of each contract the same changes, in the same order. */
function changesInCommon(lists: readonly (readonly ChangeReport[])[]): ChangeReport[] {
  const [first = []] = lists;
  return first.map((change, index) =>
    inCommon(
      change,
      lists.map((list) => list[index]),
    ),
  );
}

type Blamed = Pick<ChangeReport, 'source' | 'blame'>;

function inCommon<Kind extends Blamed>(first: Kind, all: readonly (Blamed | undefined)[]) {
  const [blame, ...others] = new Set(all.map((each) => each?.blame));
  const words = others.length > 0 ? differingBlame : blame;
  return { ...withoutPlace(first), ...(words !== undefined && { blame: words }) };
}

/** Neither the line of a file nor who set the value there. */
function withoutPlace<Kind extends Blamed>(change: Kind): Omit<Kind, keyof Blamed> {
  const { source: _, blame: _blame, ...rest } = change;
  return rest;
}

const differingBlame = 'who set it, and when, differs by contract';
