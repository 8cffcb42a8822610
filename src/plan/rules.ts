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
import type { NamePattern, NameRule } from '../contract/names.ts';
import type { Diagnostic, Permission, SourcePosition } from '../core/diagnostic.ts';
import type { JsonValue } from '../core/json.ts';
import type { DiffOptions } from '../patch/identity.ts';
import type { Pattern } from '../patch/pointer.ts';
import { defaultLimits, type Limits } from './seal.ts';
import { namesInFiles } from '../contract/identity.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';

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
  /** Set by the caller, as planning has no clock. */
  readonly expired: boolean;
  readonly source: SourcePosition;
};

type Written = {
  readonly setting: string;
  readonly text: string;
  readonly source?: SourcePosition;
};

export type WrittenName = Written & { readonly kind: 'name'; readonly pattern: NamePattern };
export type WrittenPath = Written & { readonly kind: 'path'; readonly pattern: readonly string[] };
export type WrittenPointer = Written & { readonly kind: 'pointer'; readonly pattern: Pattern };
/** The text names an array; `members` identify its elements. */
export type WrittenKey = Written & { readonly kind: 'key'; readonly members: readonly string[] };

export type WrittenPattern = WrittenName | WrittenPath | WrittenPointer | WrittenKey;

type TeamRules = Pick<
  Rules,
  'scope' | 'unmanaged' | 'missing' | 'compatibility' | 'exceptionsFor' | 'limits' | 'protected'
>;

export type Team = {
  readonly name: string;
  readonly include: readonly string[];
  readonly has: (file: string) => boolean;
  readonly rules: TeamRules;
};

export type Rules = {
  readonly equivalence: Equivalence;
  readonly arrays: DiffOptions;
  readonly lifecycle: Lifecycle;
  readonly compatibility: Compatibility;
  readonly exceptionsFor: (names: readonly string[]) => readonly Exception[];
  /** Live contracts that files may claim; empty: any. */
  readonly scope: readonly NamePattern[];
  readonly unmanaged: Unmanaged;
  readonly missing: 'error' | 'report';
  readonly create: boolean;
  readonly creators: readonly string[];
  readonly drift: DriftRule;
  readonly conflicts: ConflictRule;
  readonly protected: readonly NamePattern[];
  readonly limits: Limits;
  /** GitHub teams of which one must have approved what does this; only the Action enforces it. */
  readonly reviews: Readonly<Record<'breaking' | 'retirement' | 'limits', readonly string[]>>;
  readonly sections: { readonly [product: string]: JsonValue | undefined };
  /** All patterns above, for warnings about unused ones. */
  readonly patterns: readonly WrittenPattern[];
  readonly names: readonly NameRule[];
  readonly teams: readonly Team[];
  readonly teamInScope: (names: readonly string[]) => string | undefined;
  /** The team that these rules are for; absent: files and contracts of no team. */
  readonly team?: string;
  /** Of the catalog's kind. */
  readonly conventions: Conventions;
};

/** Before the kind of catalog is known. */
export type ConfiguredRules = Omit<Rules, 'lifecycle'> & {
  /** What the configuration leaves out is as the catalog has it. */
  readonly lifecycle: Partial<Lifecycle>;
};

export function adoptConventions(
  rules: ConfiguredRules,
  adopted: Conventions & { readonly equivalence: Omit<Equivalence, 'ignore'> },
): Rules {
  const lifecycle = adoptLifecycle(rules.lifecycle, adopted.lifecycle);
  const adopt = (compatibility: Compatibility): Compatibility => ({
    ...compatibility,
    levels: new Map(
      [...compatibility.levels].map(([status, level]) => [
        ownStatus(status, lifecycle.synonyms),
        level,
      ]),
    ),
  });
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
  arrays: { unordered: ['owners', 'reviewers', 'tags'] },
  lifecycle: defaultLifecycle,
  compatibility: defaultCompatibility,
  exceptionsFor: () => [],
  scope: [],
  unmanaged: { rule: 'report' },
  missing: 'error',
  create: false,
  creators: [],
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

export function everyRule({
  teams,
  ...shared
}: Rules): readonly Pick<Rules, 'unmanaged' | 'scope' | 'compatibility'>[] {
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
