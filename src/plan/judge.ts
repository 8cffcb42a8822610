import { judgeCompatibility } from '../compatibility/compatibility.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { placeProblems } from '../contract/conventions.ts';
import { identityConflicts, qualifiedNames } from '../contract/identity.ts';
import { matchesName, type NamePattern } from '../contract/name-pattern.ts';
import { hasErrors, type Problem, type SourcePosition } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import { judgeTransition } from './lifecycle.ts';
import type { Transition } from './plan.ts';
import type { Exception, Rules } from './rules.ts';

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

/** What becomes of a live contract by its file. */
export type JudgedChange = {
  readonly live: LiveContract;
  readonly desired: DesiredContract;
  readonly target: JsonObject;
  readonly transition: Transition | undefined;
};

/** What the rules say against a change; an error blocks it. */
export function judgeChange(
  { live, desired, target, transition }: JudgedChange,
  rules: Rules,
): Problem[] {
  const names = qualifiedNames(live);
  const { conventions } = rules;
  const effects = judgeCompatibility(live, target, desired, rules.compatibility);
  return [
    ...judgeProtection(names, desired.source, rules.protected),
    ...(transition ? judgeTransition(transition, desired, rules.lifecycle) : []),
    ...allowExceptions(effects, names, rules.exceptionsFor),
    ...placeProblems(conventions.checkFields(desired.managed), desired),
    ...placeProblems(conventions.checkChange(live.document, target), desired),
  ];
}

/** A file may claim only what the configuration says is this repository's. */
export function judgeScope(
  names: readonly string[],
  source: SourcePosition,
  scope: readonly NamePattern[],
): Problem[] {
  if (scope.length === 0 || matchesName(scope, names)) return [];
  const sentence = names.length > 0 ? outsideScope : namelessOutsideScope;
  return [{ code: 'outside-scope', severity: 'error', ...sentence, source }];
}

const outsideScope = {
  message: 'This contract is outside `scope`.',
  hint: 'Remove the file, or widen `scope` if the contract belongs to this repository.',
};

const toBeNamed = 'Give the contract or its asset a qualified name in the catalog.';

const namelessOutsideScope = {
  message: 'This contract has no qualified name, so it counts as outside `scope`.',
  hint: toBeNamed,
};

/** Nothing may change a protected contract, whatever its file says. */
function judgeProtection(
  names: readonly string[],
  source: SourcePosition,
  protectedNames: readonly NamePattern[],
): Problem[] {
  const isNamed = names.length > 0;
  if (protectedNames.length === 0 || (isNamed && !matchesName(protectedNames, names))) return [];
  const sentence = isNamed ? protectedByName : protectedWithoutName;
  return [{ code: 'contract-protected', severity: 'error', ...sentence, source }];
}

const protectedByName = {
  message: "This contract is protected: it can't be changed.",
  hint: 'Revert the change, or remove the name from `protected` in the configuration.',
};

const protectedWithoutName = {
  message: 'This contract has no qualified name, so it counts as protected.',
  hint: toBeNamed,
};

/** The problems, errors that an exception covers being warnings that give the reason. */
function allowExceptions(
  problems: readonly Problem[],
  names: readonly string[],
  exceptionsFor: Rules['exceptionsFor'],
): Problem[] {
  if (!hasErrors(problems)) return [...problems];
  const near = exceptionsFor(names);
  return problems.flatMap((problem) => {
    if (problem.severity !== 'error' || near.length === 0) return [problem];
    const covering = near.filter(({ rule }) => rule === problem.code);
    const valid = covering.find(({ expired }) => !expired);
    return valid ? [allow(problem, valid)] : [problem, ...covering.map(expired)];
  });
}

function allow(problem: Problem, { reason, until }: Exception): Problem {
  const term = until === undefined ? '' : ` until ${until}`;
  return {
    ...problem,
    severity: 'warning',
    hint: `Allowed${term}: ${reason}`,
    allowed: { reason, ...(until !== undefined && { until }) },
  };
}

function expired({ rule, reason, until, source }: Exception): Problem {
  return {
    code: 'exception-expired',
    severity: 'error',
    message: `The exception for ${rule} (${reason}) ended on ${until}.`,
    hint: 'Revert the change, or agree on a later day and set `until`.',
    source,
  };
}
