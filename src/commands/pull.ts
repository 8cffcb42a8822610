import { keepUnstated } from '../contract/unstated.ts';
import { differingFields } from '../contract/equality.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../core/diagnostic.ts';
import { compareCodeUnits } from '../core/json.ts';
import { findCommit, uncommittedAmong } from '../files/git/repository.ts';
import { findFiles } from '../files/find/find.ts';
import {
  readWhole,
  removeStaleTempFilesBeside,
  replaceFile,
  unwritableFile,
} from '../files/text.ts';
import type { ReasonOf } from '../history/reason.ts';
import { findTooDeep } from '../plan/update.ts';
import { noFacts } from '../plan/facts.ts';
import { type FiledPair, isFiled } from '../plan/pair.ts';
import { type Rules, withUnmanaged } from '../plan/rules.ts';
import type { Divergence } from '../files/formats/format.ts';
import { driftOf } from '../pull/drift.ts';
import { type RestatedFile, restateFile } from '../pull/restate.ts';
import { readOptionsOf, type Session } from '../session.ts';
import { findPairs, type FoundPairs } from './pairs.ts';
import { planPairs } from './plan.ts';
import { findReasons } from './reasons.ts';

/** Takes the catalog's content into the files. */

export type Pull = {
  readonly files: readonly RestatedFile[];
  readonly problems: readonly Diagnostic[];
  readonly compared: number;
};

/** The files updated to the catalog; with a base, only by edits of the catalog. Writes nothing. */
export async function preparePull(session: Session): Promise<Pull> {
  const found = await findPairs(session);
  // What the catalog can't hold stays as it is in the file.
  const problems = found.diagnostics.filter(
    ({ severity, scope }) => severity !== 'information' || scope !== 'contract',
  );
  if (!found.pairs || hasErrors(found.diagnostics)) return { files: [], problems, compared: 0 };
  const { pairs, rules } = found;
  const filed = pairs.filter(isFiled);
  const selected = filed.filter(found.selector.takes);
  const tooDeep = selected.flatMap(({ live, desired }) => findTooDeep(live, desired) ?? []);
  const comparable = selected.filter(({ live, desired }) => !findTooDeep(live, desired));
  const absent = await findAbsent(found, session);
  const wanted = await findWanted(comparable, rules, session);
  const restated = restateFiles(wanted.differences, filed, rules, session);
  return {
    files: restated.filter(({ pulled }) => pulled.length > 0),
    problems: sortDiagnostics([
      ...problems,
      ...absent,
      ...tooDeep,
      ...wanted.problems,
      ...restated.flatMap((file) => file.problems),
    ]),
    compared: comparable.length,
  };
}

// A plan's problems of contracts that the catalog lacks, but for those that a plan would create.
async function findAbsent({ pairs: all, rules: given, selector }: FoundPairs, session: Session) {
  const pairs = all.filter((pair) => !isFiled(pair));
  if (pairs.every(({ live }) => live)) return [];
  const rules = withUnmanaged(given, () => ({ rule: 'report' }));
  const { contracts } = await planPairs({ pairs, rules, selector }, session);
  const meant = 'If it was renamed or deleted there on purpose, do the same in the files.';
  return contracts.flatMap((plan) => {
    const problems = plan.action === 'missing' ? plan.problems : [];
    return problems.map((each) => ({ ...each, hint: `${each.hint ?? ''} ${meant}` }));
  });
}

// Neither changes of files since their base nor unapplied commits are edits of the catalog. Without
// a base, the last commit is the base; outside of a clone there is none.
async function findWanted(pairs: readonly FiledPair[], rules: Rules, session: Session) {
  const hasBase = session.bases?.some(({ appliesTo }) => !appliesTo) ?? false;
  const commit = hasBase ? undefined : findCommit('HEAD', session.files.root);
  if (!hasBase && commit === undefined) {
    const differing = pairs.filter(
      ({ live, desired }) =>
        differingFields(live, keepUnstated(live, desired).managed, rules).size > 0,
    );
    return { differences: differing.map((pair) => ({ ...pair, rules })), problems: [] };
  }
  const based = pairs.flatMap((pair) => {
    const { desired: declared } = pair;
    const base = commit === undefined ? pair.base : { declared, commit, isPlain: false };
    return base ? [{ ...pair, base }] : [];
  });
  const reasons = await findReasons(based, noFacts, rules, session);
  const drifts = based.map(({ base, ...pair }) => {
    const reasonOf = reasons.get(pair.live.id);
    const own = { ...base, reasonOf: hasBase ? reasonOf : older(reasonOf) };
    return driftOf({ ...pair, rules, base: own });
  });
  return {
    differences: drifts.flatMap(({ divergence }) => divergence ?? []),
    problems: drifts.flatMap((drift) => drift.problems),
  };
}

// Without a base, a file also takes values of the catalog that are older than the file.
function older(reasonOf: ReasonOf | undefined): ReasonOf | undefined {
  return (
    reasonOf &&
    ((place) => {
      const reason = reasonOf(place);
      return reason.kind === 'not-applied' && reason.isOlder ? { kind: 'edited' } : reason;
    })
  );
}

function restateFiles(
  differences: readonly Divergence[],
  filed: readonly FiledPair[],
  rules: Rules,
  session: Session,
): readonly RestatedFile[] {
  const byFile = Map.groupBy(differences, ({ desired }) => desired.source.file);
  const inFiles = Map.groupBy(filed, ({ desired }) => desired.source.file);
  const checks = readOptionsOf(session);
  return [...byFile]
    .toSorted(([a], [b]) => compareCodeUnits(a, b))
    .map(([file, own]) => {
      const text = readWhole(file, session.files.root);
      const inFile = (inFiles.get(file) ?? []).map((pair) => ({ ...pair, rules }));
      return restateFile({ file, text }, own, { ...checks, inFile });
    });
}

export function withoutUncommitted(pull: Pull, { files: { root } }: Session): Pull {
  const uncommitted = uncommittedAmong(
    pull.files.map(({ file }) => file),
    root,
  );
  if (!uncommitted || uncommitted.size === 0) return pull;
  const message = 'The file has uncommitted changes: not pulled.';
  const hint = 'Commit or stash them, or pull with --force.';
  const problems = [...uncommitted].map((file): Diagnostic => {
    const source = { file, line: 1, column: 1 };
    return { code: 'uncommitted-changes', severity: 'error', message, hint, source };
  });
  return {
    ...pull,
    files: pull.files.filter(({ file }) => !uncommitted.has(file)),
    problems: sortDiagnostics([...pull.problems, ...problems]),
  };
}

/** A check writes nothing, and says the same as far as that can be foreseen. */
export function writePull(pull: Pull, { files: selection }: Session, isCheck = false): Pull {
  const { root } = selection;
  const tried = pull.files.map((restated) => ({
    restated,
    problem: writeRestated(restated, root, isCheck),
  }));
  const removed = isCheck ? [] : removeStaleTempFilesBeside(findFiles(selection).files, root);
  return {
    ...pull,
    files: tried.flatMap(({ restated, problem }) => (problem ? [] : restated)),
    problems: [...pull.problems, ...tried.flatMap(({ problem }) => problem ?? []), ...removed],
  };
}

function writeRestated(restated: RestatedFile, root: string, isCheck: boolean) {
  const { file } = restated;
  try {
    if (replaceFile(file, root, restated, isCheck)) return undefined;
    const message = 'The file changed during the pull: not pulled.';
    const hint = 'Pull again.';
    const source = { file, line: 1, column: 1 };
    return { code: 'file-changed', severity: 'error', message, hint, source } as const;
  } catch (error) {
    return unwritableFile(file, error);
  }
}
