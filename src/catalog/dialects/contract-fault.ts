/** Why a catalog refuses the change of one contract, and would refuse no other for it. */
export type ContractFault = {
  readonly code: (typeof codes)[number];
  /** What is wrong, one full sentence. */
  readonly message: string;
  readonly hint: string;
};

const codes = [
  'column-unknown',
  'change-refused',
  'guard-refused',
  'not-a-reviewer',
  'permission-missing',
  'value-refused',
] as const;

/** Whether an error is one contract's alone: the others may go on. */
export function isContractFault(code: string): boolean {
  return codes.some((known) => known === code);
}
