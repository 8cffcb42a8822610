/** Live contracts without a file: left alone, or retired where no file may mean them. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { deprecated } from '../contract/conventions.ts';
import { contractLabel, namesInFiles } from '../contract/identity.ts';
import { type Doubt, pairStrays, wrongMember } from '../contract/strays.ts';
import { matchesName } from '../contract/names.ts';
import type { Problem, SourcePosition } from '../core/diagnostic.ts';
import { defined } from '../core/json.ts';
import { listFirst } from '../core/text.ts';
import { planMissing } from './absent.ts';
import { planUpdate } from './update.ts';
import type { Facts } from './facts.ts';
import { type Pair, type PlannedPair, type StrayPair } from './pair.ts';
import type { ContractPlan, FormerFile, UnmanagedPlan, UpdatePlan } from './plan.ts';
import { type Rules, rulesFor } from './rules.ts';

/** Undefined for a live contract outside of this repository's scope. */
export function planUnmanaged(pair: StrayPair, rules: Rules): ContractPlan | undefined {
  if (!isConcerned(pair, rules)) return undefined;
  const { live, base, hadFile } = pair;
  const { id, name, fullyQualifiedName } = live;
  const inScope = isInScope(live, rules) || undefined;
  const left: UnmanagedPlan = defined({
    action: 'unmanaged' as const,
    id,
    name,
    fullyQualifiedName,
    inScope,
    hadFile,
  });
  if (rules.unmanaged.rule !== 'deprecate' || !inScope || pair.isLeftBehind) return left;
  const isBased = base !== undefined && !base.isPlain;
  // No file has been deleted since the base, so the contract was created in the catalog.
  if (isBased && !base.declared && rules.drift !== 'overwrite') return left;
  const { source } = rules.unmanaged;
  const managed = { entityStatus: deprecated };
  const retirement = { identity: {}, managed, source, locate: () => source };
  const asEdit = isBased ? { declared: undefined } : undefined;
  const planned = planUpdate(live, retirement, rules, asEdit);
  if (planned.action === 'unchanged') return { ...left, retired: true };
  return { ...planned, problems: [withoutFile(source, hadFile), ...planned.problems] };
}

export function isConcerned(pair: Pair, rules: Rules): boolean {
  if (pair.desired) return true;
  const own = rulesFor(pair, rules);
  const { scope, unmanaged, teams } = own;
  if (unmanaged.rule === 'ignore') return false;
  // With teams, a contract in no scope belongs to another repository.
  return scope.length === 0 ? teams.length === 0 : isInScope(pair.live, own);
}

function isInScope(live: LiveContract, { scope, names }: Rules): boolean {
  return scope.length > 0 && matchesName(scope, namesInFiles(live, names));
}

export function isRetirement(planned: PlannedPair): boolean {
  return retirementOf(planned) !== undefined;
}

function retirementOf({ pair, plan }: PlannedPair): UpdatePlan | undefined {
  if (pair.desired || !plan) return undefined;
  return plan.action === 'update' || plan.action === 'blocked' ? plan : undefined;
}

/**
 * Checks the plans together: a live contract without a file may be a missing one under another
 * name; if so, it is not retired.
 */
export function holdBackDoubtfulRetirements(
  planned: readonly PlannedPair[],
  { prospects }: Pick<Facts, 'prospects'>,
  rules: Rules,
  unread: readonly DesiredContract[] = [],
): readonly PlannedPair[] {
  const missing = planned.flatMap(({ pair, plan }) =>
    plan?.action === 'missing' && pair.desired ? pair.desired : [],
  );
  if (missing.length === 0 && !planned.some(isRetirement)) return planned;
  const strays = planned.flatMap((each) => {
    const { live, desired } = each.pair;
    return desired ? [] : [{ live, isRetired: isRetirement(each) }];
  });
  const { partners, doubts } = pairStrays(strays, missing, unread);
  if (partners.size + doubts.size === 0) return planned;
  return planned.map((each) => {
    const { pair } = each;
    if (!pair.live) {
      const partner = prospects.has(pair.desired) ? undefined : partners.get(pair.desired);
      return partner ? { pair, plan: planMissing(pair, rulesFor(pair, rules), partner) } : each;
    }
    const retirement = retirementOf(each);
    const doubt = retirement && doubts.get(retirement.id);
    return doubt ? { pair, plan: holdDoubtful(retirement, doubt) } : each;
  });
}

function holdDoubtful(contract: UpdatePlan, { unread, alike, incomparable }: Doubt): UpdatePlan {
  const others = incomparable.filter((file) => !alike.includes(file));
  const problems = [
    ...unread.map(maybeUnread),
    ...alike.map((file) => maybeAlike(contract, file)),
    ...(others.length > 0 ? [maybeAny(others)] : []),
    // The other remarks are about a retirement that does not happen.
    ...contract.problems.filter(({ severity }) => severity !== 'information'),
  ];
  return { ...contract, action: 'blocked', problems };
}

const doubtful = { code: 'retirement-doubtful', severity: 'error', scope: 'contract' } as const;

function maybeUnread({ source }: DesiredContract): Problem {
  const message = `No file that is read declares this contract, but ${source.file}:${source.line} does, which isn't read because of its ending. \`unmanaged: deprecate\` would retire it by mistake.`;
  const hint =
    'Rename the file as `contracts.include` asks. To retire the contract, delete the file or add it to `contracts.exclude`.';
  return { ...doubtful, message, hint, source };
}

function maybeAlike(contract: UpdatePlan, { identity, source }: DesiredContract): Problem {
  const name = contractLabel(contract);
  const movedFrom =
    source.format === 'odcs'
      ? `the custom property \`contractSync.movedFrom\` with the value ${name}`
      : `\`movedFrom: ${name}\``;
  const message = `This contract has no file, and ${source.file}:${source.line} declares one that is missing: ${contractLabel(identity)}. If they are the same, \`unmanaged: deprecate\` would retire it by mistake.`;
  const hint = `Correct the name in the file, or add ${movedFrom} to it. If they are two contracts, create the missing one first.`;
  return { ...doubtful, message, hint, source };
}

function maybeAny(files: readonly DesiredContract[]): Problem {
  const places = files.map((file) => {
    const { file: name, line } = placeOfIdentity(file);
    return `${name}:${line} (${contractLabel(file.identity)})`;
  });
  const [first] = files;
  return {
    ...doubtful,
    message: `This contract has no file. It may be one that is missing and has no qualified name to compare: ${listFirst(places, 10)}. If it is, \`unmanaged: deprecate\` would retire it by mistake.`,
    hint: 'Correct the ids in the files, or give their contracts a `fullyQualifiedName`: other names show that they are other contracts.',
    ...(first && { source: placeOfIdentity(first) }),
  };
}

function placeOfIdentity({ identity, locate }: DesiredContract): SourcePosition {
  return locate(wrongMember(identity).split('.'));
}

function withoutFile(source: SourcePosition, hadFile: FormerFile | undefined): Problem {
  const former = hadFile ? ` any more (${hadFile.file} did until ${hadFile.until})` : '';
  const message = `No file declares this contract${former}, so \`unmanaged: deprecate\` retires it.`;
  const hint = 'To keep it, write a file for it or narrow `scope`.';
  return { code: 'contract-without-file', severity: 'information', message, hint, source };
}
