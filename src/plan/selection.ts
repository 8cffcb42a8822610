import { wording, slot, state } from '../core/advice.ts';
import {
  matchesName,
  matchesSegments,
  type NamePattern,
  nearestPattern,
  canonicalSegments,
} from '../contract/names.ts';
import type { DesiredContract } from '../contract/contract.ts';
import { contractLabel, qualifiedNames } from '../contract/identity.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { compareCodeUnits, defined } from '../core/json.ts';
import { composed, suggest } from '../core/text.ts';
import type { Pair } from './pair.ts';
import type { ContractPlan, SelectionSummary } from './plan.ts';
import type { Rules, WrittenPattern } from './rules.ts';
import type { Owned } from './teams.ts';
import { isConcerned } from './unmanaged.ts';

/** The contracts to plan: patterns on names or files as they were typed; without any, all. */
export type Selection = {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  /** Only contracts in files that changed since a git revision. */
  readonly changed?:
    | { readonly since: string; readonly has: (file: string) => boolean }
    | undefined;
  readonly named?:
    | { readonly paths: readonly string[]; readonly has: (file: string) => boolean }
    | undefined;
};

export type Selector = {
  readonly takes: (pair: Pair) => boolean;
  /** True for a file without a name, as its contract may have any. */
  readonly mayTake: (file: DesiredContract) => boolean;
  readonly unused: (pairs: readonly Pair[], rules: Rules) => Diagnostic[];
  /** Undefined where everything was selected. */
  readonly summary: (leftOut: readonly ContractPlan[]) => SelectionSummary | undefined;
};

type OfTeam = {
  readonly team?: { readonly name: string; readonly owns: (pair: Owned) => boolean } | undefined;
};

export function createSelector(selection: Selection & OfTeam): Selector {
  const { only, exclude, changed, named, team } = selection;
  const wanted = only.map(parseSubjectPattern);
  const unwanted = exclude.map(parseSubjectPattern);
  const takesAll = only.length + exclude.length === 0 && !changed && !named && !team;
  const files = [changed, named].filter((each) => each !== undefined);
  const isWanted = (subject: Subject): boolean =>
    wanted.length === 0 || wanted.some((pattern) => matchesSubject(pattern, subject));
  const isLeftOut = (subject: Subject): boolean =>
    unwanted.some((pattern) => matchesSubject(pattern, subject)) ||
    files.some(({ has }) => subject.file === undefined || !has(subject.file));
  return {
    takes: (pair) => {
      if (takesAll) return true;
      if (team && !team.owns(pair)) return false;
      const subject = subjectOf(pair);
      return isWanted(subject) && !isLeftOut(subject);
    },
    mayTake: (desired) => {
      const {
        identity,
        source: { file },
      } = desired;
      if (team && !team.owns({ desired })) return false;
      const subject = { names: qualifiedNames(identity), file };
      return !isLeftOut(subject) && (subject.names.length === 0 || isWanted(subject));
    },
    unused: (pairs, rules) => {
      if (wanted.length === 0) return [];
      const subjects = pairs.filter((pair) => isConcerned(pair, rules)).map(subjectOf);
      return wanted
        .filter((pattern) => !subjects.some((subject) => matchesSubject(pattern, subject)))
        .map((pattern) => selectsNothing(pattern, subjects));
    },
    summary: (plans) => {
      if (takesAll) return undefined;
      const labels = plans.filter(({ action }) => action !== 'unmanaged').map(contractLabel);
      const inFiles = defined({
        team: team?.name,
        paths: named?.paths,
        changedSince: changed?.since,
      });
      return { only, exclude, ...inFiles, leftOut: labels.toSorted(compareCodeUnits) };
    },
  };
}

type Subject = { readonly names: readonly string[]; readonly file: string | undefined };

function subjectOf(pair: Pair): Subject {
  const identities = [pair.live, pair.desired?.identity].filter((each) => each !== undefined);
  const file = pair.desired ? pair.desired.source.file : pair.hadFile?.file;
  return { names: identities.flatMap(qualifiedNames), file };
}

type SubjectPattern = { readonly text: string } & (
  | { readonly kind: 'name'; readonly pattern: NamePattern }
  | { readonly kind: 'path'; readonly pattern: readonly string[] }
);

// A pattern with a slash or the ending of a contract file is of files; a bare file name, in any
// folder.
function parseSubjectPattern(text: string): SubjectPattern {
  if (!text.includes('/') && !/\.ya?ml$/u.test(text)) {
    return { kind: 'name', text, pattern: canonicalSegments(text) };
  }
  const path = composed(text).replace(/^\.\//u, '').split('/');
  return { kind: 'path', text, pattern: path.length === 1 ? ['**', ...path] : path };
}

function matchesSubject({ kind, pattern }: SubjectPattern, { names, file }: Subject): boolean {
  if (kind === 'name') return matchesName([pattern], names);
  return file !== undefined && matchesSegments(pattern, composed(file).split('/'));
}

export function exclusions({ exclude }: Pick<Selection, 'exclude'>): WrittenPattern[] {
  return exclude.map((text) => ({ setting: slot('exclude'), ...parseSubjectPattern(text) }));
}

function selectsNothing(written: SubjectPattern, subjects: readonly Subject[]): Diagnostic {
  const { text, kind, pattern } = written;
  const names = subjects.flatMap((subject) => subject.names);
  const byLast = new Map(names.map((name) => [name.slice(name.lastIndexOf('.') + 1), name]));
  const findNear = (): string | undefined => {
    if (kind === 'path' || byLast.has(text)) return undefined;
    if (text.includes('*')) return nearestPattern(pattern, names.map(canonicalSegments));
    return suggest(text, text.includes('.') ? names : [...byLast.keys()]);
  };
  const near = findNear();
  const usual = /[.*/]/u.test(text)
    ? 'A pattern matches a qualified name (warehouse.sales.**) or a file (contracts/sales/**).'
    : wording`Names are qualified: try ${slot('only')} '**.${text}'.`;
  const message = wording`${slot('only')} ${JSON.stringify(text)} matches no contract.`;
  const hint = near === undefined ? usual : `Did you mean "${byLast.get(near) ?? near}"?`;
  return { code: 'nothing-selected', severity: 'error', ...state(message, hint) };
}
