/** Files whose contract the catalog lacks: missing, or to be created. */

import { advise, say, slot } from '../core/advice.ts';
import type { DesiredContract, Identity } from '../contract/contract.ts';
import { type Creation, placeProblems } from '../contract/conventions.ts';
import { type Prospect, qualifiedNames, strongestKind } from '../contract/identity.ts';
import { type Partner, wrongMember } from '../contract/strays.ts';
import { hasErrors, type Problem, type SourcePosition } from '../core/diagnostic.ts';
import { quote } from '../core/text.ts';
import type { Pointer } from '../patch/pointer.ts';
import { blockedBy, contentFor } from './content.ts';
import { namesOf, planUpdate } from './update.ts';
import { type Facts, unknownColumns } from './facts.ts';
import { fingerprintOfCreation } from './change.ts';
import { judgeScope } from './judge.ts';
import type { MissingPair } from './pair.ts';
import type { CreatePlan, MissingPlan } from './plan.ts';
import type { Missing, Rules } from './rules.ts';

export function planAbsent(
  pair: MissingPair,
  facts: Facts,
  rules: Rules,
): CreatePlan | MissingPlan {
  const { desired: file } = pair;
  const { source, locate, identity } = file;
  const prospect = facts.prospects.get(file);
  const { creation } = rules.conventions;
  if (!prospect || !creation) return planMissing(pair, rules);
  const without = (problem: Problem): MissingPlan => missingWith(file, rules, [problem]);
  switch (prospect.kind) {
    case 'free':
      return planFree(file, prospect, { ...creation, facts, rules });
    case 'deleted':
      return without(deletedProblem(source, rules.missing, prospect.id));
    case 'unknown-asset':
      return without(unknownAsset(identity.entity?.type ?? 'table', locate(['entity'])));
    case 'taken':
      return without(takenAsset(prospect.by, locate(['entity'])));
    case 'unreadable':
      return without(unreadableAsset(prospect.why, locate(['entity'])));
  }
}

function missingWith(
  file: DesiredContract,
  rules: Rules,
  problems: readonly Problem[],
): MissingPlan {
  return { ...planMissing({ desired: file }, rules), problems };
}

export function planMissing(
  { desired: file, deleted }: MissingPair,
  rules: Rules,
  partner?: Partner,
): MissingPlan {
  const { scope, missing } = rules;
  const { identity, source } = file;
  const { entity } = identity;
  const id = deleted ?? identity.id;
  const names = qualifiedNames(identity);
  return {
    action: 'missing',
    ...(id !== undefined && { id }),
    ...namesOf(identity),
    ...(entity && { entity }),
    source,
    problems: [
      // A file that identifies its contract by id alone has a name only once the catalog has it.
      ...(names.length > 0 ? judgeScope(names, source, scope) : []),
      deleted === undefined
        ? missingProblem(file, rules, partner)
        : deletedProblem(source, missing, deleted),
    ],
  };
}

// Lists omit deleted contracts.
function deletedProblem(source: SourcePosition, rule: Missing, id: string): Problem {
  return {
    code: 'contract-deleted',
    severity: rule === 'error' ? 'error' : 'warning',
    scope: 'contract',
    message: 'The contract is soft-deleted in the catalog.',
    hint: `Restore it with the catalog's API (id ${id}), or delete it there for good.`,
    source,
  };
}

function missingProblem(
  file: DesiredContract,
  { missing: rule, create, creators, conventions }: Rules,
  partner: Partner | undefined,
): Problem {
  const canCreate = conventions.creation !== undefined;
  const limit = create
    ? say`${slot('create')} is for catalogs of the dialect ${creators.join(' or ')} alone.`
    : 'contracts are updated, never created.';
  const never = canCreate
    ? say`or create it with \`create: true\`${slot('or-create', ' or --create')}, which take its \`name\` and \`entity\`.`
    : limit;
  const correct =
    partner === undefined
      ? say`Create it in the catalog first, or correct its identity${canCreate ? ', ' : ': '}${never}`
      : say`${wayBack(partner, file)} If not, create it in the catalog first${canCreate ? ', ' : ': '}${never}`;
  const permit = ' If your files come first, set `missing: report` in the configuration.';
  return {
    code: 'contract-missing',
    severity: rule === 'error' ? 'error' : 'warning',
    scope: 'contract',
    message: `The catalog has no such contract${partner ? unlike(partner, file) : ''}.`,
    ...advise(rule === 'error' ? say`${correct}${permit}` : correct),
    source: placeOfName(file, partner),
  };
}

function placeOfName({ identity, locate }: DesiredContract, partner?: Partner): SourcePosition {
  switch (partner?.differsIn) {
    case 'name':
      return locate(['name']);
    case 'entity':
      return locate(['entity', 'fullyQualifiedName']);
    case 'identity':
      return locate(wrongMember(identity).split('.'));
    default:
      return locate(namingMember(identity));
  }
}

function namingMember(identity: Identity): Pointer {
  switch (strongestKind(identity)) {
    case 'id':
      return ['id'];
    case 'fullyQualifiedName':
      return ['fullyQualifiedName'];
    case 'name+entity.id':
      return ['entity', 'id'];
    case 'name+entity.fullyQualifiedName':
    case 'entity.fullyQualifiedName':
    case undefined:
      return ['entity', 'fullyQualifiedName'];
  }
}

function unlike({ stray, differsIn }: Partner, { identity }: DesiredContract): string {
  switch (differsIn) {
    case 'identity':
      return `, but has one of this name with another \`${wrongMember(identity)}\``;
    case 'name':
      return `, but has another of this entity: ${quote(stray.identity.name ?? stray.label)}`;
    case 'entity':
      return ', but has one of this name elsewhere';
    case 'spelling':
      return '';
  }
}

function wayBack({ stray, differsIn }: Partner, { identity }: DesiredContract): string {
  const live = `${quote(stray.label)} (live, without a file)?`;
  return differsIn === 'identity' && wrongMember(identity) === 'id'
    ? `Did you mean ${live} Then correct the \`id\`: it is ${stray.id}.`
    : `Did you mean ${live}`;
}

type Creating = Creation & { readonly facts: Facts; readonly rules: Rules };

type Free = Extract<Prospect, { readonly kind: 'free' }>;

// A creation is planned as an update of an empty contract.
function planFree(
  file: DesiredContract,
  { asset, fullyQualifiedName }: Free,
  { rules, facts, toWire, checkNew }: Creating,
): CreatePlan | MissingPlan {
  const name = file.identity.name ?? '';
  const { id, type } = asset;
  const entity = { id, type, fullyQualifiedName: asset.fullyQualifiedName };
  const empty = { id: '', name, fullyQualifiedName, entity, document: { entity } };
  const { desired, problems } = contentFor(empty, file, facts);
  const planned = blockedBy(planUpdate(empty, desired, storingAll(rules)), problems);
  const required = placeProblems(checkNew({ ...desired.managed, name }), desired);
  const all = [...planned.problems, ...required, ...unknownColumns(desired, asset)];
  if (hasErrors(all)) return missingWith(file, rules, all);
  const body = { name, entity: { id, type }, ...toWire(desired.managed) };
  return {
    action: 'create',
    fingerprint: fingerprintOfCreation(fullyQualifiedName, body),
    name,
    fullyQualifiedName,
    entity,
    source: file.source,
    ...('transition' in planned && planned.transition && { transition: planned.transition }),
    body,
    changes: 'changes' in planned ? planned.changes : [],
    problems: all,
  };
}

function storingAll(rules: Rules): Rules {
  const { conventions } = rules;
  return { ...rules, conventions: { ...conventions, findCarrier: () => ({ kind: 'none' }) } };
}

function unknownAsset(type: string, source: SourcePosition): Problem {
  return {
    code: 'unknown-asset',
    severity: 'error',
    message: `The catalog has no such ${type} to create the contract for.`,
    hint: 'Correct `entity` and its `type`, or ingest the asset first.',
    source,
  };
}

function takenAsset(by: string, source: SourcePosition): Problem {
  return {
    code: 'asset-has-contract',
    severity: 'error',
    message: `The asset already has the contract ${quote(by)}, and can't have two.`,
    hint: 'Correct `name` or `entity`, or delete the other contract.',
    source,
  };
}

function unreadableAsset(why: string, source: SourcePosition): Problem {
  return {
    code: 'asset-unreadable',
    severity: 'error',
    scope: 'contract',
    message: `Can't look up the asset: ${why}`,
    hint: 'The other contracts can be applied; plan again for this one.',
    source,
  };
}
