import type { Pointer } from '../../patch/pointer.ts';
import type { RuleId } from './rule.ts';

/** One change, under the rule that it falls under. */
export type Finding = {
  readonly rule: RuleId;
  /** What changed, as a full sentence. */
  readonly message: string;
  /** Into the contract as it becomes; of what is gone, where its parent stands. */
  readonly pointer: Pointer;
};

/** Where a part of a contract stands, and what it is called towards people. */
export type Part = {
  /** Into the contract as it becomes. */
  readonly pointer: Pointer;
  /** `Column address › street`. */
  readonly label: string;
};
