/** Takes the catalog's content into the files. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { differingFields, targetDocument, keepUnstated } from '../contract/equality.ts';
import { contractLabel } from '../contract/identity.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../core/diagnostic.ts';
import { compareNames, isArray, isObject, type JsonValue } from '../core/json.ts';
import type { Redactor } from '../core/redact.ts';
import type { Divergence } from '../files/formats/format.ts';
import { findCommit, uncommittedAmong } from '../files/git/repository.ts';
import { valuesIn } from '../files/read/document.ts';
import { readWhole, replaceFile, unwritableFile } from '../files/text.ts';
import { labelKeyPath } from '../patch/identity.ts';
import { compareThreeWays, type ReasonedPlace } from '../plan/cause.ts';
import { findTooDeep } from '../plan/update.ts';
import { noFacts } from '../plan/facts.ts';
import { type Base, type FiledPair, isFiled } from '../plan/pair.ts';
import { type Rules, withUnmanaged } from '../plan/rules.ts';
import { type RestatedFile, restateFile } from '../pull/restate.ts';
import { readOptionsOf } from '../config/settings.ts';
import type { Session } from '../session.ts';
import { lookUp } from './facts.ts';
import { findPairs, type FoundPairs } from './pairs.ts';
import { planPairs } from './plan.ts';
import { findReasons } from './reasons.ts';

export type Pull = {
  readonly files: readonly RestatedFile[];
  readonly problems: readonly Diagnostic[];
  readonly compared: number;
};

/**
 * The files updated by edits of the catalog, or, if `takesAll`, by whatever it has. Writes nothing.
 */
export async function preparePull(session: Session, takesAll = false): Promise<Pull> {
  const found = await findPairs(session);
  const { rules, selected } = found;
  // A field that the catalog can't hold stays as it is in the file.
  const problems = found.diagnostics.filter(
    ({ severity, scope }) => severity !== 'information' || scope !== 'contract',
  );
  if (hasErrors(found.diagnostics)) return { files: [], problems, compared: 0 };
  const filed = found.pairs.filter(isFiled);
  const comparable: FiledPair[] = [];
  for (const pair of filed.filter((each) => selected.has(each))) {
    const tooDeep = findTooDeep(pair.live, pair.desired);
    if (tooDeep) problems.push(tooDeep);
    else comparable.push(pair);
  }
  const absent = await findAbsent(found, session);
  const isCompared = !takesAll && findCommit('HEAD', session.repository) !== undefined;
  const wanted = isCompared
    ? await findEdits(comparable, rules, session)
    : { differences: findDifferences(comparable, rules), problems: [] };
  const restated = restateFiles(wanted.differences, filed, rules, session);
  return {
    files: restated.filter(({ pulled }) => pulled.length > 0),
    problems: sortDiagnostics([
      ...problems,
      ...absent,
      ...wanted.problems,
      ...restated.flatMap((file) => file.problems),
    ]),
    compared: comparable.length,
  };
}

// A plan's problems of contracts that the catalog lacks, but for those that a plan would create.
async function findAbsent(found: FoundPairs, session: Session): Promise<Diagnostic[]> {
  const pairs = found.pairs.filter((pair) => !isFiled(pair));
  if (pairs.every(({ live }) => live)) return [];
  const selected = new Set(pairs.filter((pair) => found.selected.has(pair)));
  const rules = withUnmanaged(found.rules, () => ({ rule: 'report' }));
  const absent = { ...found, pairs, selected, rules };
  const { contracts } = await planPairs(absent, await lookUp(absent, session), session);
  const meant = 'If it was renamed or deleted there on purpose, do the same in the files.';
  const missing = contracts.filter((plan) => plan.action === 'missing');
  return missing.flatMap(({ problems }) =>
    problems.map((each) => ({ ...each, hint: `${each.hint ?? ''} ${meant}` })),
  );
}

type Wanted = {
  readonly differences: readonly Divergence[];
  readonly problems: readonly Diagnostic[];
};

function findDifferences(pairs: readonly FiledPair[], rules: Rules): readonly Divergence[] {
  const differing = pairs.filter(
    ({ live, desired }) =>
      differingFields(live, keepUnstated(live, desired).managed, rules).size > 0,
  );
  return differing.map((pair) => ({ ...pair, rules }));
}

// Neither changes of files since their base nor unapplied commits are edits of the catalog. Without
// a base, the last commit is the base.
async function findEdits(
  pairs: readonly FiledPair[],
  rules: Rules,
  session: Session,
): Promise<Wanted> {
  const hasBase = session.bases?.some(({ appliesTo }) => !appliesTo) ?? false;
  const commit = hasBase ? undefined : findCommit('HEAD', session.repository);
  const based = pairs.flatMap((pair) => {
    const { desired: declared } = pair;
    const base = commit === undefined ? pair.base : { declared, commit, isPlain: false };
    return base ? [{ ...pair, base }] : [];
  });
  const reasons = await findReasons(based, noFacts, rules, session);
  const differences: Divergence[] = [];
  const kept: KeptPlace[] = [];
  for (const { live, desired, base } of based) {
    const own = { ...base, reasonOf: reasons.get(live.id) };
    const drift = driftOf({ live, desired, rules, base: own });
    if (drift.divergence) differences.push(drift.divergence);
    kept.push(...drift.kept);
  }
  return { differences, problems: problemsOf(kept) };
}

/**
 * Gives the state to write into the file: live, with the file's changes since the base. Conflicts,
 * unapplied changes and differences without a known reason keep the file's value. Without a file at
 * the base, nothing was declared: the file asks for all differences.
 */
export function driftOf({
  live,
  desired,
  base,
  rules,
}: Divergence & { readonly base: Base; readonly rules: Rules }) {
  const { managed } = keepUnstated(live, desired);
  const file = targetDocument(live, managed, rules.equivalence, rules.arrays);
  const declared = base.declared && keepUnstated(live, base.declared);
  const own = { ...base, declared, holdsWhere: ['not-applied', 'unknown'] } as const;
  const { asked, drift, differsFromBase } = compareThreeWays(live, file, own, rules);
  const kept = differsFromBase
    .filter(keepsFile)
    .map(({ path, reason }): KeptPlace => ({ path, reason, live, desired }));
  if (drift.length === 0 || !declared) return { divergence: undefined, kept };
  const divergence: Divergence = { live: { ...live, document: asked }, desired, rules };
  return { divergence, kept };
}

function keepsFile({ isAsked, reason }: ReasonedPlace): boolean {
  switch (reason.kind) {
    case 'unknown':
      return true;
    case 'not-applied':
      return !isAsked;
    case 'edited':
      return isAsked || reason.over !== undefined;
  }
}

/** A place at which the file keeps its value. */
type KeptPlace = Pick<ReasonedPlace, 'path' | 'reason'> & {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
};

// With more contracts, one line stands for all.
const mostNamed = 3;

function problemsOf(kept: readonly KeptPlace[]): Diagnostic[] {
  return [...Map.groupBy(kept, ({ reason }) => reason.kind)].flatMap(([kind, alike]) => {
    const contracts = [...new Set(alike.map(({ live }) => contractLabel(live)))];
    if (kind === 'edited' || contracts.length <= mostNamed) return alike.map(problemOf);
    const first = `They begin with ${contracts.slice(0, mostNamed).join(', ')}.`;
    if (kind === 'not-applied') {
      const message = `${contracts.length} contracts have committed changes that are not applied yet: kept the files' values.`;
      const hint = `${first} \`contract-sync plan\` shows all.`;
      return [{ code: kind, severity: 'information', message, hint }];
    }
    const why = new Set(alike.flatMap(({ reason }) => ('why' in reason ? reason.why : [])));
    const message = `Can't tell whether ${contracts.length} contracts were edited in the catalog or aren't applied yet (${[...why].join('; ')}): kept the files' values.`;
    const hint = `${first} ${takeEdit}`;
    return [{ code: 'edit-unknown', severity: 'warning', message, hint }];
  });
}

const takeEdit = 'To take what the catalog has, pull with --no-base.';

function problemOf({ path, reason, live, desired }: KeptPlace): Diagnostic {
  const place = `\`${labelKeyPath(path)}\` of ${contractLabel(live)}`;
  const source = desired.locate(path.slice(0, 1));
  switch (reason.kind) {
    case 'unknown': {
      const message = `Can't tell whether ${place} was edited in the catalog or isn't applied yet (${reason.why}): kept the file's value.`;
      return { code: 'edit-unknown', severity: 'warning', message, hint: takeEdit, source };
    }
    case 'not-applied': {
      const message = `${place} was committed in ${reason.commit.slice(0, 7)} and is not applied yet: kept the file's value.`;
      return { code: 'not-applied', severity: 'information', message, source };
    }
    case 'edited': {
      const { over } = reason;
      const commit = over === undefined ? '' : ` (committed in ${over.slice(0, 7)}, never applied)`;
      const message = `Both the file and the catalog changed ${place}${commit}: kept the file's value.`;
      const hint =
        over === undefined
          ? 'To take the edit, pull without --drift, or copy it into the file.'
          : takeEdit;
      return { code: 'conflict', severity: 'warning', message, hint, source };
    }
  }
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
    .toSorted(([a], [b]) => compareNames(a, b))
    .map(([file, own]) => {
      const text = readWhole(file, session.files.root);
      const inFile = (inFiles.get(file) ?? []).map((pair) => ({ ...pair, rules }));
      return restateFile({ file, text }, own, { ...checks, inFile });
    });
}

export function withoutUncommitted(pull: Pull, { repository }: Session): Pull {
  const uncommitted = uncommittedAmong(
    pull.files.map(({ file }) => file),
    repository,
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
  return {
    ...pull,
    files: tried.flatMap(({ restated, problem }) => (problem ? [] : restated)),
    problems: [...pull.problems, ...tried.flatMap(({ problem }) => problem ?? [])],
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

type Files<File> = { readonly files: readonly File[]; readonly problems: readonly Diagnostic[] };

/** The catalog may contain a secret of this run; a file with one is not written. */
export function withoutSecretTexts<
  File extends { readonly file: string },
  Some extends Files<File>,
>(some: Some & Files<File>, textOf: (file: File) => string, { redact }: Redactor): Some {
  const quoting = some.files.filter((file) => {
    const text = textOf(file);
    // Checks the parsed values too: YAML may break a text anywhere.
    const said = valuesIn(text).flatMap(textsIn).join('\n');
    return [text, said].some((each) => redact(each) !== each);
  });
  const problems = quoting.map(({ file }): Diagnostic => {
    const message = 'The catalog contains a secret of this run: the file is not written.';
    const hint = 'Remove it from the contract in the catalog, and replace the secret.';
    const source = { file, line: 1, column: 1 };
    return { code: 'secret-in-catalog', severity: 'error', message, hint, source };
  });
  const files = some.files.filter((file) => !quoting.includes(file));
  return { ...some, files, problems: [...some.problems, ...problems] };
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}
