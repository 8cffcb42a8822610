/** Files that say under which name the catalog may still have their contract. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { contractLabel } from '../contract/identity.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { quote } from '../core/text.ts';
import type { Matcher } from '../plan/match.ts';
import type { Rules } from '../plan/rules.ts';
import type { Understood } from './understand.ts';

export type Moves = {
  /** Puts a contract aside that a file means by its old name: the new one may be yet to come. */
  readonly park: (understood: Understood) => boolean;
  /** Tells of each contract that was put aside which file it has, once all pages have come. */
  readonly settle: (
    plan: (understood: Understood, file: DesiredContract | undefined) => void,
  ) => void;
  readonly diagnostics: (isPlanned: (file: DesiredContract) => boolean) => Diagnostic[];
};

export function createMoves(desired: readonly DesiredContract[], matcher: Matcher): Moves {
  let parked: Understood[] = [];
  const seen = new Set<DesiredContract>();
  const both: { readonly live: LiveContract; readonly file: DesiredContract }[] = [];
  return {
    park: (understood) => {
      const file = matcher.movedTo(understood.live);
      if (!file) return false;
      seen.add(file);
      parked.push(understood);
      return true;
    },
    settle: (plan) => {
      const settled = parked;
      parked = [];
      for (const understood of settled) {
        const { live, rules } = understood;
        const file = matcher.movedTo(live);
        const claimed = matcher.claimMoved(live);
        if (!claimed && file) both.push({ live, file });
        plan({ live, rules: claimed ? rules : withoutRetirement(rules) }, claimed);
      }
    },
    diagnostics: (isPlanned) => {
      const idle = desired
        .filter((file) => file.movedFrom && !seen.has(file) && matcher.hasContract(file))
        .filter(isPlanned);
      const byRule = idle.filter(({ isMovedByRule }) => isMovedByRule);
      const isRuleUsed = seen.values().some(({ isMovedByRule }) => isMovedByRule);
      return [
        ...both.filter(({ file }) => isPlanned(file)).map(bothLive),
        ...idle.filter((file) => !byRule.includes(file)).map(withoutEffect),
        ...(byRule.length > 0 && !isRuleUsed ? [ruleWithoutEffect] : []),
      ];
    },
  };
}

/** The rules for a run, or a contract, of which nobody knows enough to take it out of use. */
export function withoutRetirement(rules: Rules): Rules {
  return rules.unmanaged.rule === 'deprecate' ? { ...rules, unmanaged: { rule: 'report' } } : rules;
}

function bothLive({
  live,
  file,
}: {
  readonly live: LiveContract;
  readonly file: DesiredContract;
}): Diagnostic {
  return {
    code: 'moved-to-another',
    severity: 'warning',
    message: `${contractLabel(live)} and ${contractLabel(file.identity)} are both live: they are two contracts, so nothing moved.`,
    hint: 'The old one is left alone. Remove `movedFrom` to have it count as a contract without a file.',
    source: file.locate(['movedFrom']),
  };
}

const ruleWithoutEffect: Diagnostic = {
  code: 'moved-without-effect',
  severity: 'information',
  message:
    'The catalog has no contract under a name from `odcs.movedFrom` any more, so it has no effect.',
  hint: 'Remove it once that is so in all catalogs that these files are for.',
};

function withoutEffect(file: DesiredContract): Diagnostic {
  const names = (file.movedFrom ?? []).map(quote).join(' or ');
  return {
    code: 'moved-without-effect',
    severity: 'information',
    message: `The catalog has no contract ${names} any more, so \`movedFrom\` has no effect here.`,
    hint: 'Remove it once that is so in all catalogs that this file is for.',
    source: file.locate(['movedFrom']),
  };
}
