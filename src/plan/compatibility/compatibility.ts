import type { DesiredContract, LiveContract } from '../../contract/contract.ts';
import { sortDiagnostics, type Severity } from '../../core/diagnostic.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Impact, Problem } from '../problem.ts';
import { compareContracts } from './compare.ts';
import { impactOf, type Mode } from './rule.ts';
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
  { mode, levels, widenings }: Compatibility,
): Problem[] {
  const level = levels.get(live.entityStatus ?? '') ?? 'error';
  if (level === 'off' || mode === 'none') return [];
  const problems = compareContracts(live.document, target, widenings).flatMap(
    ({ rule, message, pointer }): Problem[] => {
      const impact = impactOf(rule, mode);
      if (impact === undefined) return [];
      const severity = severityOf(impact, level);
      const source = desired.locate(pointer);
      return [
        { code: rule, severity, message, ...(severity === 'error' && { hint }), source, impact },
      ];
    },
  );
  return sortDiagnostics(problems);
}

const hint =
  'Take it back, or agree with the consumers and add an exception to `allow` in the configuration.';

function severityOf(impact: Impact, level: 'warn' | 'error'): Severity {
  switch (impact) {
    case 'breaking':
      return level === 'error' ? 'error' : 'warning';
    case 'warning':
    case 'information':
      return impact;
  }
}
