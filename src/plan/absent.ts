/** Files whose contract the catalog lacks: missing, or to be created. */

import type { DesiredContract } from '../contract/contract.ts';
import { type Creation, placeProblems } from '../contract/conventions.ts';
import { namesInFiles, type Prospect, strongestKind } from '../contract/identity.ts';
import { type Partner, wrongMember } from '../contract/strays.ts';
import { hasErrors, type Problem, type SourcePosition } from '../core/diagnostic.ts';
import { defined } from '../core/json.ts';
import { unknownService } from '../contract/names.ts';
import { quote } from '../core/text.ts';
import type { Pointer } from '../patch/pointer.ts';
import { blockedBy, contentFor, planUpdate } from './update.ts';
import { type Facts, unknownColumns } from './facts.ts';
import { fingerprintOfCreation } from './change.ts';
import { judgeScope } from './judge.ts';
import type { MissingPair } from './pair.ts';
import type { ContractPlan, CreatePlan, MissingPlan } from './plan.ts';
import type { Rules } from './rules.ts';

type Free = Extract<Prospect, { readonly kind: 'free' }>;

export function planAbsent(pair: MissingPair, facts: Facts, rules: Rules): ContractPlan {
  const { desired: file } = pair;
  const prospect = facts.prospects.get(file);
  const { creation } = rules.conventions;
  if (!prospect || !creation) return planMissing(pair, rules);
  if (prospect.kind === 'free') return planFree(file, { ...prospect, ...creation }, facts, rules);
  return { ...planMissing({ desired: file }, rules), problems: [whyNot(prospect, file, rules)] };
}

function whyNot(
  prospect: Exclude<Prospect, Free>,
  { identity, source: place, locate }: DesiredContract,
  rules: Rules,
): Problem {
  const source = locate(['entity']);
  switch (prospect.kind) {
    case 'deleted':
      return deletedProblem(place, rules, prospect.id);
    case 'unknown-asset': {
      const message = `The catalog has no such ${identity.entity?.type ?? 'table'} to create the contract for.`;
      const hint = 'Correct `entity` and its `type`, or ingest the asset first.';
      return { code: 'unknown-asset', severity: 'error', message, hint, source };
    }
    case 'taken': {
      const message = `The asset already has the contract ${quote(prospect.by)}, and can't have two.`;
      const hint = 'Correct `name` or `entity`, or delete the other contract.';
      return { code: 'asset-has-contract', severity: 'error', message, hint, source };
    }
    case 'unreadable': {
      const code = 'lookup-failed';
      const message = `Can't look up the asset: ${prospect.why}`;
      const hint = 'The other contracts can be applied; plan again for this one.';
      return { code, severity: 'error', scope: 'contract', message, hint, source };
    }
  }
}

export function planMissing(
  { desired: file, deleted }: MissingPair,
  rules: Rules,
  partner?: Partner,
): MissingPlan {
  const { identity, source } = file;
  const { id, name, fullyQualifiedName, entity } = identity;
  const names = namesInFiles(identity, rules.names);
  return {
    action: 'missing',
    ...defined({ id: deleted ?? id, name, fullyQualifiedName, entity }),
    source,
    problems: [
      // A file that identifies its contract by id alone has a name only once the catalog has it.
      ...(names.length > 0 ? judgeScope(names, source, rules) : []),
      deleted === undefined
        ? missingProblem(file, rules, partner)
        : deletedProblem(source, rules, deleted),
    ],
  };
}

// Lists omit deleted contracts.
function deletedProblem(source: SourcePosition, { missing }: Rules, id: string): Problem {
  const severity = missing === 'error' ? 'error' : 'warning';
  const message = 'The contract is soft-deleted in the catalog.';
  const hint = `Restore it with the catalog's API (id ${id}), or delete it there for good.`;
  return { code: 'contract-deleted', severity, scope: 'contract', message, hint, source };
}

function missingProblem(file: DesiredContract, rules: Rules, partner: Partner | undefined) {
  const { clause, at } = partner ? unlike(partner, file) : { clause: '', at: namingMember(file) };
  const { fullyQualifiedName: asset = '' } = file.identity.entity ?? {};
  const isUnfilled = file.source.format === 'odcs' && asset.startsWith(`${unknownService}.`);
  const example = partner ? `, as in ${quote(partner.stray.label)}` : '';
  const fillIn = `In \`odcs.entity\` of the configuration, replace the words in capitals with the catalog's names${example}.`;
  return {
    code: 'contract-missing',
    severity: rules.missing === 'error' ? 'error' : 'warning',
    scope: 'contract',
    message: `The catalog has no such contract${clause}.`,
    hint: isUnfilled ? fillIn : createOrCorrect(file, rules, partner),
    source: file.locate(at),
  } as const;
}

function createOrCorrect(
  { identity }: DesiredContract,
  { missing: rule, create, creators, conventions }: Rules,
  partner: Partner | undefined,
): string {
  const limit = create
    ? `\`create\` is for catalogs of the dialect ${creators.join(' or ')} alone.`
    : 'contracts are updated, never created.';
  const never = conventions.creation
    ? ', or create it with `create: true`, which takes its `name` and `entity`.'
    : `: ${limit}`;
  const { stray, differsIn } = partner ?? {};
  const isOtherId = differsIn === 'identity' && wrongMember(identity) === 'id';
  const rightId = stray && isOtherId ? ` Then correct the \`id\`: it is ${stray.id}.` : '';
  const correct = stray
    ? `Did you mean ${quote(stray.label)} (live, without a file)?${rightId} If not, create it in the catalog first`
    : 'Create it in the catalog first, or correct its identity';
  const permit = ' If your files come first, set `missing: report` in the configuration.';
  return `${correct}${never}${rule === 'error' ? permit : ''}`;
}

function namingMember({ identity }: DesiredContract): Pointer {
  const kind = strongestKind(identity);
  if (kind === 'id' || kind === 'fullyQualifiedName') return [kind];
  return ['entity', kind === 'name+entity.id' ? 'id' : 'fullyQualifiedName'];
}

function unlike({ stray, differsIn }: Partner, file: DesiredContract) {
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
    case 'entity': {
      const at = ['entity', 'fullyQualifiedName'];
      return { clause: ', but has one of this name elsewhere', at };
    }
    case 'spelling':
      return { clause: '', at: namingMember(file) };
  }
}

// A creation is planned as an update of an empty contract.
function planFree(
  file: DesiredContract,
  { asset, fullyQualifiedName, toWire, checkNew }: Free & Creation,
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
  const planned = blockedBy(planUpdate(empty, desired, { ...rules, conventions }), problems);
  const required = placeProblems(checkNew({ ...desired.managed, name }), desired);
  const all = [...planned.problems, ...required, ...unknownColumns(desired, asset)];
  if (hasErrors(all)) return { ...planMissing({ desired: file }, rules), problems: all };
  const document = { name, entity: { id, type }, ...toWire(desired.managed) };
  return {
    action: 'create',
    fingerprint: fingerprintOfCreation(fullyQualifiedName, document),
    name,
    fullyQualifiedName,
    entity,
    source: file.source,
    ...('transition' in planned && planned.transition && { transition: planned.transition }),
    document,
    changes: 'changes' in planned ? planned.changes : [],
    problems: all,
  };
}
