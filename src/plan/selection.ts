import {
  canonicalSegments,
  indexPatterns,
  matchesSegments,
  type NameRule,
  nearestPattern,
} from '../contract/names.ts';
import type { DesiredContract } from '../contract/contract.ts';
import { contractLabel, namesToGuard } from '../contract/identity.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { compareNames, defined } from '../core/json.ts';
import { composed, didYouMean, listFirst, quote, suggest } from '../core/text.ts';
import type { Pair } from './pair.ts';
import type { ContractPlan, SelectionSummary } from './plan.ts';
import { isConcerned, type Owned, type Rules, type WrittenPattern } from './rules.ts';

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
  /** Errors: what the selection names and no pair meets. */
  readonly unmet: (pairs: readonly Pair[], rules: Rules) => Diagnostic[];
  /** Patterns of the rules and of `exclude` that match none of all contracts. */
  readonly unused: (pairs: readonly Pair[], rules: Rules) => Diagnostic[];
  /** Undefined where everything was selected. */
  readonly summary: (leftOut: readonly ContractPlan[]) => SelectionSummary | undefined;
};

export function createSelector(
  { only, exclude, changed, named }: Selection,
  names: readonly NameRule[],
  team?: { readonly name: string; readonly owns: (pair: Owned) => boolean },
): Selector {
  const wanted = only.map(parseSubjectPattern);
  const unwanted = exclude.map(parseSubjectPattern);
  const takesAll = only.length + exclude.length === 0 && !changed && !named && !team;
  const subjectOf = (pair: Pair): Subject => {
    const identities = [pair.live, pair.desired?.identity].filter((each) => each !== undefined);
    return {
      names: identities.flatMap((identity) => namesToGuard(identity, names)),
      file: pair.desired ? pair.desired.source.file : pair.hadFile?.file,
    };
  };
  const isWanted = (subject: Subject): boolean =>
    wanted.length === 0 || wanted.some((pattern) => matchesSubject(pattern, subject));
  const isIn = (files: Selection['changed' | 'named'], { file }: Subject): boolean =>
    !files || (file !== undefined && files.has(file));
  const isLeftOut = (subject: Subject): boolean =>
    unwanted.some((pattern) => matchesSubject(pattern, subject)) || !isIn(named, subject);
  const isSelected = (pair: Pair): boolean => {
    if (team && !team.owns(pair)) return false;
    const subject = subjectOf(pair);
    return isWanted(subject) && !isLeftOut(subject);
  };
  return {
    takes: (pair) => isSelected(pair) && isIn(changed, subjectOf(pair)),
    mayTake: (desired) => {
      if (team && !team.owns({ desired })) return false;
      const subject = subjectOf({ desired });
      if (isLeftOut(subject) || !isIn(changed, subject)) return false;
      return subject.names.length === 0 || isWanted(subject);
    },
    unmet: (pairs, rules) => {
      const { paths = [] } = named ?? {};
      if (only.length + exclude.length + paths.length === 0) return [];
      const concerned = pairs.filter((pair) => isConcerned(pair, rules));
      const subjects = concerned.map(subjectOf);
      const idle = wanted.filter(
        (pattern) => !subjects.some((subject) => matchesSubject(pattern, subject)),
      );
      const errors = idle.map((pattern) => matchesNothing(pattern, subjects));
      const isEmpty = concerned.length > 0 && !concerned.some(isSelected);
      if (idle.length === 0 && isEmpty)
        errors.push(...nothingMeets({ paths, only, exclude, team: team ? [team.name] : [] }));
      const mayBeExpanded = paths.length > 0 && [...only, ...exclude].some(isPlainPath);
      return mayBeExpanded ? errors.map((each) => ({ ...each, hint: aboutQuotes })) : errors;
    },
    unused: (pairs, { patterns }) => {
      const excluded = unwanted.map((pattern) => ({ setting: 'exclude', ...pattern }));
      const all = [...patterns, ...excluded];
      return all.length > 0 ? unusedPatterns(all, pairs, names) : [];
    },
    summary: (plans) => {
      if (takesAll) return undefined;
      const labels = plans.filter(({ action }) => action !== 'unmanaged').map(contractLabel);
      const given = { team: team?.name, paths: named?.paths, changedSince: changed?.since };
      return { only, exclude, ...defined(given), leftOut: labels.toSorted(compareNames) };
    },
  };
}

type Subject = { readonly names: readonly string[]; readonly file: string | undefined };

type SubjectPattern = Omit<WrittenPattern, 'setting'>;

// A pattern with a slash or the ending of a contract file selects files; a bare file name, in any
// folder.
function parseSubjectPattern(text: string): SubjectPattern {
  if (!text.includes('/') && !/\.ya?ml$/u.test(text))
    return { kind: 'name', text, pattern: canonicalSegments(text) };
  const path = composed(text).replace(/^\.\//u, '').split('/');
  return { kind: 'path', text, pattern: path.length === 1 ? ['**', ...path] : path };
}

function matchesSubject({ kind, pattern }: SubjectPattern, { names, file }: Subject): boolean {
  if (kind === 'name')
    return names.some((name) => matchesSegments(pattern, canonicalSegments(name)));
  return file !== undefined && matchesSegments(pattern, composed(file).split('/'));
}

function matchesNothing(written: SubjectPattern, subjects: readonly Subject[]): Diagnostic {
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
    : `Names are qualified: try '**.${text}'.`;
  const message = `${JSON.stringify(text)} in \`only\` matches no contract.`;
  const hint = near === undefined ? usual : `Did you mean "${byLast.get(near) ?? near}"?`;
  return { code: 'nothing-selected', severity: 'error', message, hint };
}

// One alone may leave nothing: a file whose contract isn't for the catalog, or all that is excluded.
function nothingMeets(given: Readonly<Record<string, readonly string[]>>): Diagnostic[] {
  const parts = Object.entries(given).filter(([, values]) => values.length > 0);
  if (parts.length < 2) return [];
  const texts = parts.map(([setting, values]) => `\`${setting}\` (${listFirst(values, 3)})`);
  const message = `No contract is selected by ${texts.join(' and ')} together.`;
  const hint = 'A contract has to meet everything that is given: leave a part out, or correct it.';
  return [{ code: 'nothing-selected', severity: 'error', message, hint }];
}

const aboutQuotes =
  "If your shell has expanded a pattern into file names, write it in quotes: 'contracts/sales/**'.";

function isPlainPath(text: string): boolean {
  return text.includes('/') && !text.includes('*');
}

function unusedPatterns(
  patterns: readonly WrittenPattern[],
  pairs: readonly Pair[],
  mapping: readonly NameRule[],
): Diagnostic[] {
  const files = [...new Set(pairs.flatMap(({ desired }) => desired?.source.file ?? []))];
  const names = new Set<string>();
  for (const { live, desired } of pairs)
    for (const identity of [live, desired?.identity])
      for (const name of identity ? namesToGuard(identity, mapping) : []) names.add(name);
  const used = new Set(indexPatterns(patterns.filter(({ kind }) => kind === 'name'))([...names]));
  const segments = [...names].map(canonicalSegments);
  let comparisons = 0;
  return patterns.flatMap((written): Diagnostic[] => {
    const { kind, pattern, text, setting } = written;
    if (kind === 'path') {
      if (files.some((file) => matchesSegments(pattern, file.split('/')))) return [];
      return [unusedPattern(written, 'matches no file', didYouMean(text, files) ?? correctIt)];
    }
    if (used.has(written)) return [];
    const near = comparisons < mostComparisons ? nearestPattern(pattern, segments) : undefined;
    comparisons += segments.length;
    // A contract that it is to guard may have another name here.
    const isError = mapping.length > 0 && (setting === 'protected' || setting === 'exclude');
    const hint =
      near === undefined ? (isError ? aboutMapping : aboutNames) : `Did you mean "${near}"?`;
    const problem = unusedPattern(written, 'matches no contract', hint);
    return [isError ? { ...problem, severity: 'error' } : problem];
  });
}

// Bounds the time for hints; each comparison takes some microseconds.
const mostComparisons = 50_000;

const correctIt = 'Correct it, or remove it.';

const aboutMapping =
  'Write it with the name that files use, which `names` maps to that of the catalog. If this environment has no such contract, give it a `protected` of its own, or leave out `exclude`.';

const aboutNames = `${correctIt} A pattern matches qualified names: \`*\` any text within a segment, \`**\` any number of segments.`;

function unusedPattern({ setting, text, source }: WrittenPattern, complaint: string, hint: string) {
  return {
    code: 'pattern-unused',
    severity: 'warning',
    message: `${quote(text)} in \`${setting}\` ${complaint}.`,
    hint,
    ...(source && { source }),
  } as const;
}
