import type { SourcePosition } from '../core/diagnostic.ts';
import { matchesName, type NamePattern } from '../contract/name-pattern.ts';
import type { Problem } from './problem.ts';

/** A file may claim only what the configuration says is this repository's. */
export function judgeScope(
  names: readonly string[],
  source: SourcePosition,
  scope: readonly NamePattern[],
): Problem[] {
  // A contract that is known by its id alone shows its name once the catalog has it.
  if (scope.length === 0 || names.length === 0 || matchesName(scope, names)) return [];
  return [
    {
      code: 'outside-scope',
      severity: 'error',
      message:
        'This contract is outside of the `scope` that the configuration gives this repository.',
      hint: 'Remove the file, or widen `scope` if the contract belongs to this repository.',
      source,
    },
  ];
}

/** Nothing may change a protected contract, whatever its file says. */
export function judgeProtection(
  names: readonly string[],
  source: SourcePosition,
  protectedNames: readonly NamePattern[],
): Problem[] {
  if (!matchesName(protectedNames, names)) return [];
  return [
    {
      code: 'contract-protected',
      severity: 'error',
      message: 'This contract is protected: the configuration allows no change of it.',
      hint: 'Take the change back, or have the name taken from `protected` in the configuration.',
      source,
    },
  ];
}
