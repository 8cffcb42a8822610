import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { identityConflicts, qualifiedNames } from '../contract/identity.ts';
import type { JsonObject } from '../core/json.ts';
import { judgeCompatibility } from '../compatibility/compatibility.ts';
import { allowExceptions } from './exceptions.ts';
import { judgeProtection, judgeScope } from './ownership.ts';
import type { Transition } from './plan.ts';
import type { Problem } from './problem.ts';
import type { Rules } from './rules.ts';
import { judgeTransition } from './transition.ts';

/** Whether a file may claim a contract: by the catalog's names, not by those that the file gives. */
export function judgeClaim(
  live: LiveContract,
  desired: DesiredContract,
  { scope }: Rules,
): Problem[] {
  return [
    ...identityConflicts(live, desired),
    ...judgeScope(qualifiedNames(live), desired.source, scope),
  ];
}

/** What a file makes of a live contract. */
type Change = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly target: JsonObject;
  readonly transition: Transition | undefined;
};

/** What the rules say against a change; an error blocks it. */
export function judgeChange(
  { live, desired, target, transition }: Change,
  rules: Rules,
): Problem[] {
  const names = qualifiedNames(live);
  const effects = judgeCompatibility(live, target, desired, rules.compatibility);
  return [
    ...judgeProtection(names, desired.source, rules.protected),
    ...(transition ? judgeTransition(transition, desired, rules.lifecycle) : []),
    ...allowExceptions(effects, names, rules.exceptions),
  ];
}
