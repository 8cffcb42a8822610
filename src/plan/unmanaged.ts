import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { deprecated } from '../contract/lifecycle.ts';
import { contractLabel, qualifiedNames } from '../contract/identity.ts';
import { type Doubt, wrongMember } from '../contract/strays.ts';
import { matchesName, type NamePattern } from '../contract/name-pattern.ts';
import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import type { Base } from './drift.ts';
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
  const planned = planRetirement(live, { rules, hadFile, isBased: base !== undefined });
  return planned ?? { ...left, retired: true };
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

const withoutFileCode = 'contract-without-file';

/** Whether a plan takes a contract out of use because no file declares it. */
export function isRetirement(contract: ContractPlan | undefined): contract is UpdatePlan {
  return (
    contract !== undefined &&
    'changes' in contract &&
    contract.problems.some(({ code }) => code === withoutFileCode)
  );
}

/** The plans, without the retirements of contracts that files may mean; `doubts` is by id. */
export function holdDoubtful(
  contracts: readonly ContractPlan[],
  doubts: ReadonlyMap<string, Doubt>,
): readonly ContractPlan[] {
  return contracts.map((contract) => {
    const doubt = isRetirement(contract) ? doubts.get(contract.id) : undefined;
    if (!doubt || !isRetirement(contract)) return contract;
    const others = contract.problems.filter(({ code }) => code !== withoutFileCode);
    return { ...contract, action: 'blocked', problems: [...doubtsOf(contract, doubt), ...others] };
  });
}

function doubtsOf(contract: UpdatePlan, { alike, misled, incomparable }: Doubt): Problem[] {
  const others = incomparable.filter((file) => !alike.includes(file));
  return [
    ...alike.map((file) => maybeAlike(contract, file)),
    ...misled.map((file) => maybeMisled(contract, file)),
    ...(others.length > 0 ? [maybeAny(others)] : []),
  ];
}

const doubtful = { code: 'retirement-doubtful', severity: 'error' } as const;

function maybeAlike(contract: UpdatePlan, { identity, source }: DesiredContract): Problem {
  return {
    ...doubtful,
    message: `This contract has no file, and ${source.file}:${source.line} declares one that is missing: ${contractLabel(identity)}. If they are the same, \`unmanaged: deprecate\` would retire it by mistake.`,
    hint: `Correct the name in the file, or add ${movedFromWords(contractLabel(contract), source)} to it. If they are two contracts, create the missing one first.`,
    source,
  };
}

function maybeMisled({ id }: UpdatePlan, file: DesiredContract): Problem {
  const member = wrongMember(file.identity);
  const source = placeOfIdentity(file);
  return {
    ...doubtful,
    message: `This contract has no file, and ${source.file}:${source.line} gives its name, but the \`${member}\` of another contract. If the name is right, \`unmanaged: deprecate\` would retire it by mistake.`,
    hint: `Correct the name or the \`${member}\` in the file${member === 'id' ? `: this contract's is ${id}` : ''}.`,
    source,
  };
}

/** As many as a reader looks up one by one. */
const mostNamed = 10;

function maybeAny(files: readonly DesiredContract[]): Problem {
  const places = files.map((file) => {
    const { file: name, line } = placeOfIdentity(file);
    return `${name}:${line} (${contractLabel(file.identity)})`;
  });
  const rest = places.length > mostNamed ? ` and ${places.length - mostNamed} more` : '';
  const [first] = files;
  return {
    ...doubtful,
    message: `This contract has no file. It may be one that is missing and has no qualified name to compare: ${places.slice(0, mostNamed).join(', ')}${rest}. If it is, \`unmanaged: deprecate\` would retire it by mistake.`,
    hint: 'Correct the ids in the files, or give their contracts a `fullyQualifiedName`: other names show that they are other contracts.',
    ...(first && { source: placeOfIdentity(first) }),
  };
}

function placeOfIdentity({ identity, locate }: DesiredContract): SourcePosition {
  return locate(wrongMember(identity).split('.'));
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
    code: withoutFileCode,
    severity: 'information',
    message: `No file declares this contract${former}, so \`unmanaged: deprecate\` retires it.`,
    hint: 'To keep it, write a file for it or narrow `scope`.',
    source,
  };
}
