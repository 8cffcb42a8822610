import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { type Impact, type Problem, type Severity, sortDiagnostics } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import { compareContracts } from './compare.ts';
import { impactOf, type Mode, type RuleId } from './rule.ts';
import { knownWidenings, type Widening } from './type.ts';

/** What a breaking change of a contract in some status is. */
export type Level = 'off' | 'warn' | 'error';

/** Whom changes must not break, and how much that counts. */
export type Compatibility = {
  readonly mode: Mode;
  /** By live status; a status that is not here counts as `error`. */
  readonly levels: ReadonlyMap<string, Level>;
  readonly widenings: readonly Widening[];
};

export const defaultCompatibility: Compatibility = {
  mode: 'forward',
  levels: new Map([
    ['Draft', 'off'],
    ['Active', 'error'],
    ['Deprecated', 'warn'],
  ]),
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
  const level = rules.levels.get(live.entityStatus ?? '') ?? 'error';
  if (level === 'off') return [];
  const problems = compareContracts(live.document, target, rules.widenings).flatMap(
    ({ rule, message, pointer }): Problem[] => {
      const impact = impactOf(rule, rules.mode);
      if (impact === undefined) return [];
      const severity = severityOf(impact, level);
      const hint = severity === 'error' && { hint: waysOut(live, rule) };
      const source = desired.locate(pointer);
      return [{ code: rule, severity, message, ...hint, source, impact }];
    },
  );
  return sortDiagnostics(problems);
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
