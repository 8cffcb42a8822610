import { composed } from '../contract/canonical-name.ts';
import type { DesiredContract, Identity } from '../contract/contract.ts';
import { contractLabel, qualifiedNames } from '../contract/identity.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { compareCodeUnits } from '../core/json.ts';
import {
  matchesName,
  matchesSegments,
  type NamePattern,
  parseNamePattern,
} from '../contract/name-pattern.ts';
import type { ContractPlan, SelectionSummary } from './plan.ts';
import type { WrittenPattern } from './rules.ts';

/** Which contracts to plan: patterns on names or files as they were typed; without any, all. */
export type Selection = {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  /** Only what is declared in these files, those that changed since a git revision. */
  readonly changed?: { readonly since: string; readonly has: (file: string) => boolean };
  /** Only what is declared in these files, which were named. */
  readonly named?: { readonly paths: readonly string[]; readonly has: (file: string) => boolean };
};

/** Sorts contracts into the selected and the rest, and remembers what it has seen. */
export type Selector = {
  /** The contract if it is selected, else nothing; with what names it, and the file that declares it, or did. */
  readonly select: (
    contract: ContractPlan | undefined,
    identities: readonly Identity[],
    file: string | undefined,
  ) => ContractPlan[];
  /** Whether the contract that a file means may be selected: one without a name may have any. */
  readonly mayTake: (file: DesiredContract) => boolean;
  /** Undefined where nothing was to be left out. */
  readonly summary: () => SelectionSummary | undefined;
  /** Patterns that were meant to select something and did not. */
  readonly diagnostics: () => Diagnostic[];
};

export function createSelector({
  only,
  exclude,
  changed,
  named,
}: Selection = everything): Selector {
  const wanted = only.map(parseSubjectPattern);
  const unwanted = exclude.map(parseSubjectPattern);
  const unused = new Set(wanted);
  const leftOut: string[] = [];
  const takesAll = only.length + exclude.length === 0 && !changed && !named;
  const files = [changed, named].filter((each) => each !== undefined);

  function isWanted(subject: Subject): boolean {
    const matching = wanted.filter((pattern) => matchesSubject(pattern, subject));
    for (const pattern of matching) unused.delete(pattern);
    return wanted.length === 0 || matching.length > 0;
  }

  function isLeftOut(subject: Subject): boolean {
    return (
      unwanted.some((pattern) => matchesSubject(pattern, subject)) ||
      files.some(({ has }) => subject.file === undefined || !has(subject.file))
    );
  }

  function select(
    contract: ContractPlan | undefined,
    identities: readonly Identity[],
    file: string | undefined,
  ): ContractPlan[] {
    if (!contract) return [];
    if (takesAll) return [contract];
    const subject = { names: identities.flatMap(qualifiedNames), file };
    if (isWanted(subject) && !isLeftOut(subject)) return [contract];
    // A live contract without a file is left alone either way.
    if (contract.action !== 'unmanaged') leftOut.push(contractLabel(contract));
    return [];
  }

  function mayTake({ identity, source: { file } }: DesiredContract): boolean {
    const subject = { names: qualifiedNames(identity), file };
    return !isLeftOut(subject) && (subject.names.length === 0 || isWanted(subject));
  }

  function summary(): SelectionSummary | undefined {
    if (takesAll) return undefined;
    const sorted = leftOut.toSorted(compareCodeUnits);
    return {
      only,
      exclude,
      ...(named && { paths: named.paths }),
      ...(changed && { changedSince: changed.since }),
      leftOut: sorted,
    };
  }

  return { select, mayTake, summary, diagnostics: () => [...unused].map(selectsNothing) };
}

const everything: Selection = { only: [], exclude: [] };

type Subject = { readonly names: readonly string[]; readonly file: string | undefined };

/** A pattern on names, or on files. */
type SubjectPattern = { readonly text: string } & (
  | { readonly kind: 'name'; readonly pattern: NamePattern }
  | { readonly kind: 'path'; readonly pattern: readonly string[] }
);

/** What has a slash or ends like a file of contracts is about files; a bare file name, in any folder. */
function parseSubjectPattern(text: string): SubjectPattern {
  if (!text.includes('/') && !/\.ya?ml$/u.test(text)) {
    return { kind: 'name', text, pattern: parseNamePattern(text) };
  }
  const path = composed(text).replace(/^\.\//u, '').split('/');
  return { kind: 'path', text, pattern: path.length === 1 ? ['**', ...path] : path };
}

function matchesSubject({ kind, pattern }: SubjectPattern, { names, file }: Subject): boolean {
  if (kind === 'name') return matchesName([pattern], names);
  return file !== undefined && matchesSegments(pattern, composed(file).split('/'));
}

/** The patterns of what is to be left out, to be warned of where they match nothing. */
export function exclusions({ exclude }: Selection = everything): WrittenPattern[] {
  return exclude.map((text) => ({ setting: '--exclude', ...parseSubjectPattern(text) }));
}

function selectsNothing({ text }: SubjectPattern): Diagnostic {
  return {
    code: 'nothing-selected',
    severity: 'error',
    message: `--only ${JSON.stringify(text)} matches no contract.`,
    hint: /[.*/]/u.test(text)
      ? 'A pattern matches a qualified name (warehouse.sales.**) or a file (contracts/sales/**).'
      : `Names are qualified: try --only '**.${text}'.`,
  };
}
