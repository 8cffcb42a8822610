import { type Compatibility, defaultCompatibility } from '../compatibility/compatibility.ts';
import type { RuleId } from '../compatibility/rule.ts';
import {
  adoptLifecycle,
  type Conventions,
  defaultLifecycle,
  type Lifecycle,
  ownStatus,
  standardConventions,
} from '../contract/conventions.ts';
import type { Equivalence } from '../contract/equality.ts';
import { matchesName, type NamePattern, type NameRule } from '../contract/names.ts';
import type { Diagnostic, Permission, SourcePosition } from '../core/diagnostic.ts';
import type { JsonValue } from '../core/json.ts';
import type { DiffOptions } from '../patch/identity.ts';
import { namesInFiles } from '../contract/identity.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { type Limits, defaultLimits } from './limits.ts';

/** For live contracts in scope without a file. */
export type Unmanaged =
  | { readonly rule: 'ignore' | 'report' }
  /** `source` is in the configuration, as there is no file. */
  | { readonly rule: 'deprecate'; readonly source: SourcePosition };

/** For edits of the catalog since the base. */
export type DriftRule = 'leave' | 'overwrite' | 'block';

/** For a file's changes where the catalog was edited too. */
type ConflictRule = 'overwrite' | 'block';

export type Exception = Permission & {
  readonly pattern: NamePattern;
  readonly rule: RuleId | 'transition-blocked';
  /** As the plan labels it, `schema.fax_number`; absent: the whole contract. */
  readonly place?: string;
  /** Set by the caller, as planning has no clock. */
  readonly expired: boolean;
  /** Whether other environments or repositories have it too, which may need it. */
  readonly isShared: boolean;
  readonly source: SourcePosition;
};

/** On names or files, as it was typed. */
export type WrittenPattern = {
  readonly kind: 'name' | 'path';
  readonly setting: string;
  readonly text: string;
  readonly pattern: readonly string[];
  readonly source?: SourcePosition;
};

/** A team may set these for itself. */
type TeamRules = {
  /** Live contracts that files may claim; empty: any. */
  readonly scope: readonly NamePattern[];
  readonly unmanaged: Unmanaged;
  readonly missing: 'error' | 'report';
  readonly compatibility: Compatibility;
  readonly exceptions: readonly Exception[];
  readonly exceptionsFor: (names: readonly string[]) => readonly Exception[];
  readonly limits: Limits;
  readonly protected: readonly NamePattern[];
};

export type Team = {
  readonly name: string;
  readonly include: readonly string[];
  readonly has: (file: string) => boolean;
  readonly rules: TeamRules;
};

/** GitHub teams of which one must have approved what does this. Only the Action can ask for reviews. */
type ReviewRules = {
  readonly breaking: readonly string[];
  readonly retirement: readonly string[];
  readonly limits: readonly string[];
  /** `breaking: readers`. */
  readonly readers?: ReaderRules | undefined;
};

/** Breaking changes and retirements wait for those who read what goes. */
export type ReaderRules = {
  /** GitHub handles, by the names of owners. */
  readonly handles: Readonly<Record<string, string>>;
  /** The team that stands in for owners without a handle. */
  readonly fallback?: string | undefined;
  /** Milliseconds after which what stood deprecated may go. */
  readonly notice?: number | undefined;
};

type SharedRules = TeamRules & {
  readonly equivalence: Equivalence;
  readonly arrays: DiffOptions;
  readonly create: boolean;
  readonly drift: DriftRule;
  readonly conflicts: ConflictRule;
  readonly reviews: ReviewRules;
  readonly sections: { readonly [product: string]: JsonValue | undefined };
  /** On names: for warnings about unused ones. */
  readonly patterns: readonly WrittenPattern[];
  readonly names: readonly NameRule[];
  readonly teams: readonly Team[];
  readonly teamInScope: (names: readonly string[]) => string | undefined;
  /** The team that these rules are for; absent: files and contracts of no team. */
  readonly team?: string;
  /** The catalog's kind decides them. */
  readonly conventions: Conventions;
};

export type Rules = SharedRules & { readonly lifecycle: Lifecycle };

/** Before the kind of catalog is known: what the configuration leaves out is as the catalog has it. */
export type ConfiguredRules = SharedRules & { readonly lifecycle: Partial<Lifecycle> };

export function adoptConventions(
  rules: ConfiguredRules,
  adopted: Conventions & { readonly equivalence: Omit<Equivalence, 'ignore'> },
): Rules {
  const lifecycle = adoptLifecycle(rules.lifecycle, adopted.lifecycle);
  const { synonyms } = lifecycle;
  const adopt = (compatibility: Compatibility): Compatibility => {
    if (!synonyms) return compatibility;
    const levels = [...compatibility.levels].map(
      ([status, level]) => [ownStatus(status, synonyms), level] as const,
    );
    return { ...compatibility, levels: new Map(levels) };
  };
  return {
    ...rules,
    equivalence: { ...rules.equivalence, ...adopted.equivalence },
    lifecycle,
    compatibility: adopt(rules.compatibility),
    teams: changeTeams(rules.teams, ({ compatibility }) => ({
      compatibility: adopt(compatibility),
    })),
    conventions: adopted,
  };
}

export const defaultRules: Rules = {
  equivalence: { ignore: [], fill: [], emptyIsAbsent: false },
  arrays: { unordered: ['owners', 'reviewers', 'tags', 'odcsQualityRules'] },
  lifecycle: defaultLifecycle,
  compatibility: defaultCompatibility,
  exceptions: [],
  exceptionsFor: () => [],
  scope: [],
  unmanaged: { rule: 'report' },
  missing: 'error',
  create: false,
  drift: 'leave',
  conflicts: 'overwrite',
  protected: [],
  limits: defaultLimits,
  reviews: { breaking: [], retirement: [], limits: [] },
  sections: {},
  patterns: [],
  names: [],
  teams: [],
  teamInScope: () => undefined,
  conventions: standardConventions,
};

export type Owned = {
  readonly live?: LiveContract | undefined;
  readonly desired?: DesiredContract | undefined;
};

export function teamOf(
  { desired, live }: Owned,
  { teams, teamInScope, names }: Rules,
): Team | undefined {
  if (teams.length === 0) return undefined;
  if (desired) return teams.find(({ has }) => has(desired.source.file));
  const owner = live && teamInScope(namesInFiles(live, names));
  return teams.find(({ name }) => name === owner);
}

export function rulesFor(pair: Owned, rules: Rules): Rules {
  const team = teamOf(pair, rules);
  return team ? { ...rules, ...team.rules, team: team.name } : rules;
}

/** Whether the pair counts in this repository: it has a file, or its contract is in scope. */
export function isConcerned({ live, desired }: Owned, rules: Rules): boolean {
  if (desired || !live) return true;
  const own = rulesFor({ live }, rules);
  if (own.unmanaged.rule === 'ignore') return false;
  // With teams, a contract in no scope belongs to another repository.
  return own.scope.length === 0 ? own.teams.length === 0 : isInScope(live, own);
}

export function isInScope(live: LiveContract, { scope, names }: Rules): boolean {
  return scope.length > 0 && matchesName(scope, namesInFiles(live, names));
}

export function withUnmanaged(rules: Rules, change: (unmanaged: Unmanaged) => Unmanaged): Rules {
  return {
    ...rules,
    unmanaged: change(rules.unmanaged),
    teams: changeTeams(rules.teams, ({ unmanaged }) => ({ unmanaged: change(unmanaged) })),
  };
}

function changeTeams(teams: readonly Team[], change: (rules: TeamRules) => Partial<TeamRules>) {
  return teams.map((team) => ({ ...team, rules: { ...team.rules, ...change(team.rules) } }));
}

export function everyRule({ teams, ...shared }: Rules): readonly TeamRules[] {
  return [shared, ...teams.map(({ rules }) => rules)];
}

/** A file in the folders of two teams would be judged by the rules of one of them. */
export function filesOfTwo(desired: readonly DesiredContract[], { teams }: Rules): Diagnostic[] {
  if (teams.length < 2) return [];
  return [...new Set(desired.map(({ source }) => source.file))].flatMap((file): Diagnostic[] => {
    const [first, second] = teams.filter(({ has }) => has(file));
    if (!first || !second) return [];
    const message = `This file is in the folders of two teams, ${first.name} and ${second.name}.`;
    const hint = 'Correct `include` of one of them in the configuration.';
    const source = { file, line: 1, column: 1 };
    return [{ code: 'invalid-config', severity: 'error', message, hint, source }];
  });
}
