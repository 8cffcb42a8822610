/** One pair → its plan. Pure: the pair and the facts hold all that it takes from the catalog. */

import type { DesiredContract } from '../contract/contract.ts';
import {
  type Conventions,
  type Creation,
  deprecated,
  placeProblems,
} from '../contract/conventions.ts';
import { targetDocument } from '../contract/equality.ts';
import { contractLabel, type Prospect, strongestKind } from '../contract/identity.ts';
import { unknownService } from '../contract/names.ts';
import { type Doubt, pairStrays, type Partner, wrongMember } from '../contract/strays.ts';
import { hasErrors, type Problem, type SourcePosition } from '../core/diagnostic.ts';
import { deepEqual, defined } from '../core/json.ts';
import { listFirst, quote } from '../core/text.ts';
import type { LivePlace } from '../patch/merge.ts';
import type { Pointer } from '../patch/pointer.ts';
import { fingerprintOfCreation } from './seal.ts';
import { compareThreeWays } from './cause.ts';
import { blockedBy, findTooDeep, planUpdate } from './update.ts';
import { contentFor, type Facts, lookupFailed, unknownColumns } from './facts.ts';
import { judgeScopeOfFile } from './judge.ts';
import type { Base, FiledPair, MissingPair, Pair, PlannedPair, StrayPair } from './pair.ts';
import type { ContractPlan, CreatePlan, MissingPlan, UnmanagedPlan, UpdatePlan } from './plan.ts';
import { isConcerned, isInScope, type Rules, rulesFor } from './rules.ts';

/** Undefined for a live contract outside of this repository's scope. */
export function planContract(pair: Pair, facts: Facts, shared: Rules): ContractPlan | undefined {
  const rules = rulesFor(pair, shared);
  const plan = planPair(pair, facts, rules);
  return plan && rules.team !== undefined ? { ...plan, team: rules.team } : plan;
}

function planPair(pair: Pair, facts: Facts, rules: Rules): ContractPlan | undefined {
  if (!pair.live) return planAbsent(pair, facts, rules);
  return pair.desired ? planFiled(pair, facts, rules) : planUnmanaged(pair, rules);
}

function planFiled(pair: FiledPair, facts: Facts, rules: Rules): ContractPlan {
  const { live } = pair;
  const { desired, problems } = contentFor(live, pair.desired, facts);
  const { conventions } = rules;
  const checkChange: Conventions['checkChange'] = (now, target) =>
    conventions.checkChange(now, target, facts.caller);
  const checking = { ...rules, conventions: { ...conventions, checkChange } };
  return blockedBy(planUpdate(live, desired, checking, baseOf(pair, facts)), problems);
}

function baseOf({ live, base }: FiledPair, facts: Facts): Base | undefined {
  const declared = base?.declared && contentFor(live, base.declared, facts).desired;
  return base && { ...base, declared, reasonOf: facts.reasons.get(live.id) };
}

export function differencesFromBase(
  pair: FiledPair,
  facts: Facts,
  rules: Rules,
): readonly LivePlace[] {
  const { live } = pair;
  const { desired } = contentFor(live, pair.desired, facts);
  const base = baseOf(pair, facts);
  if (!base?.declared || findTooDeep(live, desired)) return [];
  const target = targetDocument(live, desired.managed, rules.equivalence, rules.arrays);
  if (deepEqual(target, live.document)) return [];
  return compareThreeWays(live, target, base, rules).differsFromBase;
}

type Free = Extract<Prospect, { readonly kind: 'free' }>;

export function planAbsent(pair: MissingPair, facts: Facts, rules: Rules): ContractPlan {
  const { desired: file } = pair;
  const prospect = facts.prospects.get(file);
  const { creation } = rules.conventions;
  if (!prospect || !creation) return planMissing(pair, rules);
  if (prospect.kind === 'free') return planFree(file, prospect, creation, facts, rules);
  return missingPlan(file, [whyNot(prospect, file, rules)]);
}

function missingPlan(
  { identity, source }: DesiredContract,
  problems: readonly Problem[],
  id = identity.id,
): MissingPlan {
  const { name, fullyQualifiedName, entity } = identity;
  return {
    action: 'missing',
    ...defined({ id, name, fullyQualifiedName, entity }),
    source,
    problems,
  };
}

function whyNot(prospect: Exclude<Prospect, Free>, file: DesiredContract, rules: Rules): Problem {
  const source = file.locate(['entity']);
  switch (prospect.kind) {
    case 'deleted':
      return deletedProblem(file.source, rules, prospect.id);
    case 'unknown-asset': {
      const message = `The catalog has no such ${file.identity.entity?.type ?? 'table'} to create the contract for.`;
      const hint = 'Correct `entity` and its `type`, or ingest the asset first.';
      return { code: 'unknown-asset', severity: 'error', message, hint, source };
    }
    case 'taken': {
      const message = `The asset already has the contract ${quote(prospect.by)}, and can't have two.`;
      const hint = 'Correct `name` or `entity`, or delete the other contract.';
      return { code: 'asset-has-contract', severity: 'error', message, hint, source };
    }
    case 'unreadable':
      return lookupFailed('the asset', prospect.why, source);
  }
}

export function planMissing(
  { desired: file, deleted }: MissingPair,
  rules: Rules,
  partner?: Partner,
): MissingPlan {
  const problem =
    deleted === undefined
      ? missingProblem(file, rules, partner)
      : deletedProblem(file.source, rules, deleted);
  return missingPlan(file, [...judgeScopeOfFile(file, rules), problem], deleted);
}

// Lists omit deleted contracts.
function deletedProblem(source: SourcePosition, { missing }: Rules, id: string): Problem {
  const severity = missing === 'error' ? 'error' : 'warning';
  const message = 'The contract is soft-deleted in the catalog.';
  const hint = `Restore it with the catalog's API (id ${id}), or delete it there for good.`;
  return { code: 'contract-deleted', severity, scope: 'contract', message, hint, source };
}

function missingProblem(file: DesiredContract, rules: Rules, partner?: Partner): Problem {
  const { clause, at } = partner
    ? differenceOf(partner, file)
    : { clause: '', at: namingMember(file) };
  return {
    code: 'contract-missing',
    severity: rules.missing === 'error' ? 'error' : 'warning',
    scope: 'contract',
    message: `The catalog has no such contract${clause}.`,
    hint: createOrCorrect(file, rules, partner),
    source: file.locate(at),
  };
}

function createOrCorrect(file: DesiredContract, rules: Rules, partner?: Partner): string {
  const { entity } = file.identity;
  const isOdcs = file.source.format === 'odcs';
  if (isOdcs && entity?.fullyQualifiedName?.startsWith(`${unknownService}.`)) {
    const example = partner ? `, as in ${quote(partner.stray.label)}` : '';
    return `In \`odcs.entity\` of the configuration, replace the words in capitals with the catalog's names${example}.`;
  }
  const sentences: string[] = [];
  if (partner) {
    const { stray, differsIn } = partner;
    sentences.push(`Did you mean ${quote(stray.label)} (live, without a file)?`);
    if (differsIn === 'identity' && wrongMember(file.identity) === 'id')
      sentences.push(`Then correct the \`id\`: it is ${stray.id}.`);
  }
  const advice = partner
    ? 'If not, create it in the catalog first'
    : 'Create it in the catalog first, or correct its identity';
  sentences.push(`${advice}${howToCreate(file, rules)}`);
  if (rules.missing === 'error')
    sentences.push('If your files come first, set `missing: report` in the configuration.');
  return sentences.join(' ');
}

function howToCreate({ identity, source }: DesiredContract, { create, conventions }: Rules) {
  if (!conventions.creation)
    return create
      ? ': `create` has no effect in a catalog of this kind.'
      : ': contracts are updated, never created.';
  const isOdcs = source.format === 'odcs';
  const name = isOdcs ? '`odcs.name`' : '`name`';
  const entity = isOdcs ? '`odcs.entity`' : '`entity`';
  if (!create)
    return `, or create it with \`create: true\` in the configuration, which takes its ${name} and ${entity}.`;
  const lacking: string[] = [];
  if (identity.name === undefined) lacking.push(name);
  if (!identity.entity) lacking.push(entity);
  return `: \`create: true\` needs its ${lacking.join(' and ')}${isOdcs ? ' in the configuration' : ''}.`;
}

function namingMember({ identity }: DesiredContract): Pointer {
  const kind = strongestKind(identity);
  if (kind === 'id' || kind === 'fullyQualifiedName') return [kind];
  return ['entity', kind === 'name+entity.id' ? 'id' : 'fullyQualifiedName'];
}

function differenceOf({ stray, differsIn }: Partner, file: DesiredContract) {
  switch (differsIn) {
    case 'identity': {
      const member = wrongMember(file.identity);
      const clause = `, but has one of this name with another \`${member}\``;
      return { clause, at: member.split('.') };
    }
    case 'name': {
      const other = quote(stray.identity.name ?? stray.label);
      return { clause: `, but has another of this entity: ${other}`, at: ['name'] };
    }
    case 'entity':
      return {
        clause: ', but has one of this name elsewhere',
        at: ['entity', 'fullyQualifiedName'],
      };
    case 'spelling':
      return { clause: '', at: namingMember(file) };
  }
}

// A creation is planned as an update of an empty contract.
function planFree(
  file: DesiredContract,
  { asset, fullyQualifiedName }: Free,
  { toWire, checkNew }: Creation,
  facts: Facts,
  rules: Rules,
): CreatePlan | MissingPlan {
  const name = file.identity.name ?? '';
  const { id, type } = asset;
  const entity = { id, type, fullyQualifiedName: asset.fullyQualifiedName };
  const empty = { id: '', name, fullyQualifiedName, entity, document: { entity } };
  const { desired, problems } = contentFor(empty, file, facts);
  // No carrier: a creation stores all that it has.
  const conventions = { ...rules.conventions, findCarrier: () => ({ kind: 'none' }) as const };
  const planned = planUpdate(empty, desired, { ...rules, conventions });
  const isUnchanged = planned.action === 'unchanged';
  const all = [
    ...planned.problems,
    ...(isUnchanged ? [] : problems),
    ...placeProblems(checkNew({ ...desired.managed, name }), desired),
    ...unknownColumns(desired, asset),
  ];
  if (hasErrors(all)) return missingPlan(file, all);
  const document = { name, entity: { id, type }, ...toWire(desired.managed) };
  return {
    action: 'create',
    fingerprint: fingerprintOfCreation(fullyQualifiedName, document),
    name,
    fullyQualifiedName,
    entity,
    source: file.source,
    ...(!isUnchanged && defined({ transition: planned.transition })),
    document,
    changes: isUnchanged ? [] : planned.changes,
    problems: all,
  };
}

/** Undefined for a live contract outside of this repository's scope. */
export function planUnmanaged(pair: StrayPair, rules: Rules): ContractPlan | undefined {
  if (!isConcerned(pair, rules)) return undefined;
  const { live, base, hadFile } = pair;
  const { id, name, fullyQualifiedName } = live;
  const inScope = isInScope(live, rules) || undefined;
  const about = defined({ id, name, fullyQualifiedName, inScope, hadFile });
  const left: UnmanagedPlan = { action: 'unmanaged', ...about };
  const isBased = base !== undefined && !base.isPlain;
  // No file has been deleted since the base.
  const isCreatedInCatalog = isBased && !base.declared;
  if (rules.unmanaged.rule !== 'deprecate' || !inScope || pair.isLeftBehind) return left;
  if (isCreatedInCatalog && rules.drift !== 'overwrite') return left;
  const { source } = rules.unmanaged;
  const managed = { entityStatus: deprecated };
  const retirement = { identity: {}, managed, source, locate: () => source };
  const planned = planUpdate(
    live,
    retirement,
    rules,
    isBased ? { declared: undefined } : undefined,
  );
  if (planned.action === 'unchanged') return { ...left, retired: true };
  const former = hadFile ? ` any more (${hadFile.file} did until ${hadFile.until})` : '';
  const told: Problem = {
    code: 'contract-without-file',
    severity: 'information',
    message: `No file declares this contract${former}, so \`unmanaged: deprecate\` retires it.`,
    hint: 'To keep it, write a file for it or narrow `scope`.',
    source,
  };
  return { ...planned, problems: [told, ...planned.problems] };
}

export function retirementOf({ pair, plan }: PlannedPair): UpdatePlan | undefined {
  if (pair.desired || !plan) return undefined;
  return plan.action === 'update' || plan.action === 'blocked' ? plan : undefined;
}

/** Retires no live contract without a file that may be a missing one under another name. */
export function holdBackDoubtfulRetirements(
  planned: readonly PlannedPair[],
  { prospects }: Facts,
  rules: Rules,
  unread: readonly DesiredContract[] = [],
): readonly PlannedPair[] {
  const missing = planned.flatMap(({ pair, plan }) =>
    plan?.action === 'missing' && pair.desired ? pair.desired : [],
  );
  if (missing.length === 0 && !planned.some(retirementOf)) return planned;
  const strays = planned.flatMap((each) => {
    const { live, desired } = each.pair;
    return desired ? [] : [{ live, isRetired: retirementOf(each) !== undefined }];
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
    ...unread.map(({ source }): Problem => {
      const message = `No file that is read declares this contract, but ${source.file}:${source.line} does, which isn't read because of its ending. \`unmanaged: deprecate\` would retire it by mistake.`;
      const hint =
        'Rename the file as `contracts.include` asks. To retire the contract, delete the file or add it to `contracts.exclude`.';
      return { ...doubtful, message, hint, source };
    }),
    ...alike.map((file) => maybeAlike(contract, file)),
    ...(others.length > 0 ? [maybeAny(others)] : []),
    // The other remarks are about a retirement that does not happen.
    ...contract.problems.filter(({ severity }) => severity !== 'information'),
  ];
  return { ...contract, action: 'blocked', problems };
}

const doubtful = { code: 'retirement-doubtful', severity: 'error', scope: 'contract' } as const;

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
  const sources = files.map(({ identity, locate }) => locate(wrongMember(identity).split('.')));
  const places = sources.map(
    ({ file, line }, index) => `${file}:${line} (${contractLabel(files[index]?.identity ?? {})})`,
  );
  const message = `This contract has no file. It may be one that is missing and has no qualified name to compare: ${listFirst(places, 10)}. If it is, \`unmanaged: deprecate\` would retire it by mistake.`;
  const hint =
    'Correct the ids in the files, or give their contracts a `fullyQualifiedName`: other names show that they are other contracts.';
  return { ...doubtful, message, hint, ...defined({ source: sources[0] }) };
}
