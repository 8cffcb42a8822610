import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { type Impact, type Problem, type Severity, sortDiagnostics } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import { compareContracts } from './compare.ts';
import { describeBrokenPromise, findBrokenPromises, type KnownPast } from './past.ts';
import { type ConsumerEffect, impactOf, type Mode, type RuleId } from './rule.ts';
import { judgeTerm } from './term.ts';
import { knownWidenings, type Widening } from './type.ts';

/** What a breaking change of a contract in some status is. */
export type Level = 'off' | 'warn' | 'error';

/** Which states a change must not break. */
export type Against =
  | { readonly kind: 'live' }
  /** Every version that was active in the last so many milliseconds. */
  | { readonly kind: 'all-active'; readonly window: number };

/** Whom changes must not break, and how much that counts. */
export type Compatibility = {
  readonly mode: Mode;
  /** By live status; a status that is not here counts as `error`. */
  readonly levels: ReadonlyMap<string, Level>;
  /** By status: the milliseconds that it has to last until its level counts, and no error. */
  readonly terms: ReadonlyMap<string, number>;
  readonly against: Against;
  /** The start of the day on which changes are judged, in epoch milliseconds. */
  readonly today: number;
  readonly widenings: readonly Widening[];
  /** Of the one contract that is judged; until it has been asked for, nothing is known. */
  readonly past?: KnownPast;
};

export const defaultCompatibility: Compatibility = {
  mode: 'forward',
  levels: new Map([
    ['Draft', 'off'],
    ['Active', 'error'],
    ['Deprecated', 'warn'],
  ]),
  terms: new Map(),
  against: { kind: 'live' },
  today: 0,
  widenings: knownWidenings,
};

/** What the change from the live contract to the target does to consumers. */
export function judgeCompatibility(
  live: LiveContract,
  target: JsonObject,
  desired: DesiredContract,
  rules: Compatibility,
): Problem[] {
  if (rules.mode === 'none') return [];
  const describe = (effect: ConsumerEffect, grade: Grade): Problem[] =>
    describeEffect(effect, grade, { live, desired, mode: rules.mode });
  const grade = gradeOf(live.entityStatus ?? '', rules);
  const problems = compareContracts(live.document, target, rules.widenings).flatMap((effect) =>
    describe(effect, grade),
  );
  const promised = rules.past?.kind === 'known' ? rules.past.promised : [];
  const broken = findBrokenPromises(live, target, promised, rules).flatMap((promise) => {
    const message = describeBrokenPromise(promise);
    // A draft breaks nobody, but what it was before may have been relied on.
    const own = grade.level === 'off' ? gradeOf(promise.by.status, rules) : grade;
    return describe({ ...promise.effect, message }, own);
  });
  return sortDiagnostics([...problems, ...broken, ...unreadable(desired, rules)]);
}

/** How much a break counts, and why it does where that depends on the history. */
type Grade = { readonly level: Level; readonly reason?: string };

function gradeOf(status: string, { levels, terms, today, past }: Compatibility): Grade {
  const level = levels.get(status) ?? 'error';
  const lasts = terms.get(status);
  if (lasts === undefined) return { level };
  const since = past?.kind === 'known' ? past.since : undefined;
  const { isOver, reason } = judgeTerm({ status, lasts, today }, since);
  return { level: isOver ? level : 'error', reason };
}

type Judging = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly mode: Mode;
};

function describeEffect(
  { rule, message, pointer }: ConsumerEffect,
  { level, reason }: Grade,
  { live, desired, mode }: Judging,
): Problem[] {
  const impact = impactOf(rule, mode);
  if (impact === undefined || level === 'off') return [];
  const severity = severityOf(impact, level);
  const hints = [
    ...(impact === 'breaking' && reason !== undefined ? [reason] : []),
    ...(severity === 'error' ? [waysOut(live, rule)] : []),
  ];
  const hint = hints.length > 0 && { hint: hints.join(' ') };
  const source = desired.locate(pointer);
  return [{ code: rule, severity, message, ...hint, source, impact }];
}

/** Nobody knows what the change breaks, so it is not let through. */
function unreadable({ source }: DesiredContract, { past }: Compatibility): Problem[] {
  if (past?.kind !== 'unreadable') return [];
  return [
    {
      code: 'history-unreadable',
      severity: 'error',
      message: `The history of the contract can't be read, so what the change breaks is not known. ${past.why}`,
      hint: 'Give the token the permission to read versions, and plan again.',
      source,
    },
  ];
}

/** With the exception to paste, in which the reason is left to whoever gives it. */
function waysOut({ fullyQualifiedName, entity }: LiveContract, rule: RuleId): string {
  const name = fullyQualifiedName ?? entity?.fullyQualifiedName ?? '';
  const contract = /^[\w.-]+$/u.test(name) ? name : JSON.stringify(name);
  return `Revert it, or agree it with consumers and add to \`allow\` in contract-sync.yaml: - { contract: ${contract}, rule: ${rule}, reason: "…" }`;
}

function severityOf(impact: Impact, level: 'warn' | 'error'): Severity {
  switch (impact) {
    case 'breaking':
      return level === 'error' ? 'error' : 'warning';
    case 'warning':
    case 'information':
      return impact;
  }
}
