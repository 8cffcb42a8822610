/** What the catalog holds, taken into the files. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../core/diagnostic.ts';
import { compareCodeUnits } from '../core/json.ts';
import { findCommit } from '../files/find/commit.ts';
import { findFiles } from '../files/find/find.ts';
import { uncommittedAmong } from '../files/find/git.ts';
import { readWhole, removeUnfinishedBeside, replaceFile, unwritableFile } from '../files/write.ts';
import { contractProblems, type Plan } from '../plan/plan.ts';
import { apartOf, driftOf } from '../pull/drift.ts';
import type { Divergence } from '../pull/divergence.ts';
import { turnFile, type TurnedFile } from '../pull/turn.ts';
import type { Session } from '../session.ts';
import { sync } from '../sync.ts';
import { readOptionsOf } from '../sync/read-options.ts';
import { type CommittedBase, createBase, type ReadContract } from '../sync/understand.ts';
import type { ReasonOf } from '../history/reason.ts';
import { type ApartContract, openReasons } from '../sync/reasons.ts';

/** What is to be written, and what is in the way of the rest. */
export type Pull = {
  /** Those that change, by name. */
  readonly files: readonly TurnedFile[];
  readonly problems: readonly Diagnostic[];
  /** Contracts with a file that were compared. */
  readonly compared: number;
};

/**
 * The files as they are once they say what the catalog holds; with a base, once they say what was
 * edited there beside them. Writes nothing.
 */
export async function preparePull(session: Session): Promise<Pull> {
  const { plan, pairs, read } = await compare(session);
  const problems = problemsOf(plan);
  if (plan.planHash === undefined || hasErrors(plan.diagnostics.filter(isNoLimit))) {
    return { files: [], problems, compared: 0 };
  }
  const wanted = await wantedOf(plan, pairs, session);
  const turned = turnFiles(wanted.differences, read, session);
  const found = turned.flatMap((file) => file.problems);
  return {
    files: turned.filter(({ pulled }) => pulled.length > 0),
    problems: sortDiagnostics([...problems, ...wanted.problems, ...found]),
    compared: pairs.size,
  };
}

/** By the ids of the live contracts, in the order of the plan. */
type Pairs = ReadonlyMap<string, Required<ReadContract>>;

/** A plan, and the contracts of the catalog that have a file. */
type Comparison = {
  readonly plan: Plan;
  /** Those that were selected and can be compared. */
  readonly pairs: Pairs;
  readonly read: Pairs;
};

async function compare(session: Session): Promise<Comparison> {
  const read = new Map<string, Required<ReadContract>>();
  const onContract = ({ live, desired, rules }: ReadContract): void => {
    if (desired) read.set(live.id, { live, desired, rules });
  };
  const plan = await sync({ ...session, onContract });
  const pairs = plan.contracts.flatMap((contract) => {
    const { id = '' } = contract.action === 'create' ? {} : contract;
    const pair = read.get(id);
    return pair && !contractProblems(contract).some(isIncomparable)
      ? [[pair.live.id, pair] as const]
      : [];
  });
  return { plan, pairs: new Map(pairs), read };
}

/** What a plan says that matters to files: how much an apply may touch does not. */
function problemsOf({ contracts, diagnostics }: Plan): readonly Diagnostic[] {
  const own = contracts.flatMap((contract) => contractProblems(contract).filter(isIncomparable));
  return [...diagnostics.filter(isNoLimit).filter(isOfPull), ...own];
}

/** What a file says besides, a pull leaves alone. */
function isOfPull({ code }: Diagnostic): boolean {
  return code !== 'not-synced';
}

function isNoLimit({ code }: Diagnostic): boolean {
  return code !== 'limit-exceeded';
}

/** Whether it is not known in what a contract and its file differ. */
function isIncomparable({ code }: Diagnostic): boolean {
  return code === 'nested-too-deep' || code === 'dialect-doubtful';
}

/** What to bring the files to, and what of it there is not. */
type Wanted = {
  readonly differences: readonly Divergence[];
  readonly problems: readonly Diagnostic[];
};

async function wantedOf(plan: Plan, pairs: Pairs, session: Session): Promise<Wanted> {
  const baseOf = session.base ? createBase(session) : lastCommit(session);
  return baseOf ? edited(pairs, baseOf, session) : differing(plan, pairs);
}

/** The files as they are, on top of the last commit; undefined outside of a clone. */
function lastCommit({ files: { root } }: Session) {
  const commit = findCommit('HEAD', root);
  return commit === undefined
    ? undefined
    : (_: LiveContract, declared: DesiredContract) => ({ declared, commit });
}

/** A change that a rule forbids in the catalog is no less one to be taken from there. */
function differing({ contracts }: Plan, pairs: Pairs): Wanted {
  const differences = contracts.flatMap((contract) => {
    const isDifferent = contract.action === 'update' || contract.action === 'blocked';
    return isDifferent ? (pairs.get(contract.id) ?? []) : [];
  });
  return { differences, problems: [] };
}

type BaseOfPair = (
  live: LiveContract,
  desired: DesiredContract,
) => Pick<CommittedBase, 'declared' | 'commit'> | undefined;

/** The contracts with what was edited in the catalog: neither what the files changed nor what is not applied. */
async function edited(pairs: Pairs, baseOf: BaseOfPair, session: Session): Promise<Wanted> {
  const based = [...pairs.values()].flatMap((pair) => {
    const base = baseOf(pair.live, pair.desired);
    return base ? { pair, base } : [];
  });
  const apart = based.flatMap(({ pair, base: { declared, commit } }): ApartContract[] => {
    const places = apartOf({ ...pair, base: { declared } });
    return declared && places.length > 0 ? [{ ...pair, base: { declared, commit }, places }] : [];
  });
  const told = await openReasons(session)(apart);
  const reasons = new Map(apart.map(({ live }, index) => [live.id, told[index]]));
  const drifts = based.map(({ pair, base }) => {
    const reasonOf = reasons.get(pair.live.id);
    return driftOf({
      ...pair,
      base: { ...base, reasonOf: session.base ? reasonOf : older(reasonOf) },
    });
  });
  return {
    differences: drifts.flatMap(({ divergence }) => divergence ?? []),
    problems: drifts.flatMap((drift) => drift.problems),
  };
}

/** Without a base, a file takes over what the catalog has had since before there was a file. */
function older(reasonOf: ReasonOf | undefined): ReasonOf | undefined {
  return (
    reasonOf &&
    ((place) => {
      const reason = reasonOf(place);
      return reason.kind === 'not-applied' && reason.isOlder ? { kind: 'edited' } : reason;
    })
  );
}

function turnFiles(
  differences: readonly Divergence[],
  read: Pairs,
  session: Session,
): readonly TurnedFile[] {
  const byFile = Map.groupBy(differences, ({ desired }) => desired.source.file);
  const inFiles = Map.groupBy(read.values(), ({ desired }) => desired.source.file);
  const checks = readOptionsOf(session);
  return [...byFile]
    .toSorted(([a], [b]) => compareCodeUnits(a, b))
    .map(([file, own]) => {
      const text = readWhole(file, session.files.root);
      return turnFile({ file, text }, own, { ...checks, inFile: inFiles.get(file) ?? [] });
    });
}

/** The files that may be replaced: of others nobody could bring back what they say now. */
export function withoutUncommitted(pull: Pull, { files: { root } }: Session): Pull {
  const uncommitted = uncommittedAmong(
    pull.files.map(({ file }) => file),
    root,
  );
  if (!uncommitted || uncommitted.size === 0) return pull;
  return {
    ...pull,
    files: pull.files.filter(({ file }) => !uncommitted.has(file)),
    problems: sortDiagnostics([...pull.problems, ...[...uncommitted].map(notCommitted)]),
  };
}

function notCommitted(file: string): Diagnostic {
  return {
    code: 'uncommitted-changes',
    severity: 'error',
    message: 'The file has uncommitted changes: not pulled.',
    hint: 'Commit or stash them, or pull with --force.',
    source: { file, line: 1, column: 1 },
  };
}

/** Writes the files; those that changed since they were read, or can't be written, are told of. */
export function writePull(pull: Pull, { files: selection }: Session): Pull {
  const { root } = selection;
  const tried = pull.files.map((turned) => ({ turned, problem: writeTurned(turned, root) }));
  const removed = removeUnfinishedBeside(findFiles(selection).files, root);
  return {
    ...pull,
    files: tried.flatMap(({ turned, problem }) => (problem ? [] : turned)),
    problems: [...pull.problems, ...tried.flatMap(({ problem }) => problem ?? []), ...removed],
  };
}

function writeTurned(turned: TurnedFile, root: string): Diagnostic | undefined {
  try {
    return replaceFile(turned.file, root, turned) ? undefined : changedSinceRead(turned);
  } catch (error) {
    return unwritableFile(turned.file, error);
  }
}

function changedSinceRead({ file }: TurnedFile): Diagnostic {
  return {
    code: 'file-changed',
    severity: 'error',
    message: 'The file changed during the pull: not pulled.',
    hint: 'Pull again.',
    source: { file, line: 1, column: 1 },
  };
}
