import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { deprecated } from '../contract/lifecycle.ts';
import { contractLabel, qualifiedNames } from '../contract/identity.ts';
import type { Partner } from '../contract/strays.ts';
import { matchesName, type NamePattern } from '../contract/name-pattern.ts';
import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import type { Base } from './cause.ts';
import { namesOf, planContract } from './contract-plan.ts';
import type { ContractPlan, FormerFile, UnmanagedPlan, UpdatePlan } from './plan.ts';
import type { Rules } from './rules.ts';

/** What becomes of a live contract without a file; undefined where it is not ours to speak of. */
export function planUnmanaged(
  live: LiveContract,
  rules: Rules,
  base?: Base,
  hadFile?: FormerFile,
): UpdatePlan | UnmanagedPlan | undefined {
  const { scope, unmanaged } = rules;
  const inScope = isInScope(live, scope);
  if (unmanaged.rule === 'ignore' || (scope.length > 0 && !inScope)) return undefined;
  const left: UnmanagedPlan = {
    action: 'unmanaged',
    id: live.id,
    ...namesOf(live),
    ...(inScope && { inScope }),
    ...(hadFile && { hadFile }),
  };
  if (unmanaged.rule !== 'deprecate' || !inScope) return left;
  // Where no file has been deleted since the base, the contract came into the catalog by itself.
  if (base && !base.declared && rules.drift !== 'overwrite') return left;
  return planRetirement(live, { rules, hadFile, isBased: base !== undefined }) ?? left;
}

/** Of each live contract without a file, and mostly without a scope: then it is not asked for its names. */
function isInScope(live: LiveContract, scope: readonly NamePattern[]): boolean {
  return scope.length > 0 && matchesName(scope, qualifiedNames(live));
}

type Retiring = {
  readonly rules: Rules;
  readonly hadFile: FormerFile | undefined;
  readonly isBased: boolean;
};

/** Undefined where the contract is out of use already. */
function planRetirement(
  live: LiveContract,
  { rules, hadFile, isBased }: Retiring,
): UpdatePlan | undefined {
  const { unmanaged } = rules;
  if (unmanaged.rule !== 'deprecate') return undefined;
  const nothingBefore = isBased ? { declared: undefined } : undefined;
  const planned = planContract(live, retirement(unmanaged.source), rules, nothingBefore);
  if (planned.action === 'unchanged') return undefined;
  return { ...planned, problems: [withoutFile(unmanaged.source, hadFile), ...planned.problems] };
}

/** Whether a plan takes a contract out of use because no file declares it. */
export function isRetirement(contract: ContractPlan | undefined): contract is UpdatePlan {
  return (
    contract !== undefined &&
    'changes' in contract &&
    contract.problems.some(({ code }) => code === 'contract-without-file')
  );
}

/** The plans, without the retirements of contracts that files may mean which miss their own. */
export function holdDoubtful(
  contracts: readonly ContractPlan[],
  partners: ReadonlyMap<DesiredContract, Partner>,
): readonly ContractPlan[] {
  const doubts = new Map([...partners].map(([file, { stray }]) => [stray.id, file]));
  return contracts.map((contract) => {
    const file = isRetirement(contract) ? doubts.get(contract.id) : undefined;
    if (!file || !isRetirement(contract)) return contract;
    const [, ...others] = contract.problems;
    return { ...contract, action: 'blocked', problems: [doubtful(contract, file), ...others] };
  });
}

function doubtful(contract: UpdatePlan, { identity, source }: DesiredContract): Problem {
  return {
    code: 'retirement-doubtful',
    severity: 'error',
    message: `This contract has no file, and ${source.file}:${source.line} declares one that is missing: ${contractLabel(identity)}. If they are the same, \`unmanaged: deprecate\` would retire it by mistake.`,
    hint: `Correct the name in the file, or add ${movedFromWords(contractLabel(contract), source)} to it. If they are two contracts, create the missing one first.`,
    source,
  };
}

/** How a file says which name its contract had. */
function movedFromWords(name: string, { format }: SourcePosition): string {
  return format === 'odcs'
    ? `the custom property \`contractSync.movedFrom\` with the value ${name}`
    : `\`movedFrom: ${name}\``;
}

/** The configuration stands for the file that is not there. */
function retirement(source: SourcePosition): DesiredContract {
  return { identity: {}, managed: { entityStatus: deprecated }, source, locate: () => source };
}

function withoutFile(source: SourcePosition, hadFile: FormerFile | undefined): Problem {
  const former = hadFile ? ` any more (${hadFile.file} did until ${hadFile.until})` : '';
  return {
    code: 'contract-without-file',
    severity: 'information',
    message: `No file declares this contract${former}, so \`unmanaged: deprecate\` retires it.`,
    hint: 'To keep it, write a file for it or narrow `scope`.',
    source,
  };
}
