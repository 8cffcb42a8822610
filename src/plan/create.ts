import type { DesiredContract } from '../contract/contract.ts';
import { type FieldCheck, placeProblems } from '../contract/conventions.ts';
import type { Prospect } from '../contract/prospect.ts';
import { hasErrors, type Problem, type SourcePosition } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { unknownColumns } from './columns.ts';
import { planContract } from './contract-plan.ts';
import { fingerprintOfCreation } from './fingerprint.ts';
import { deletedProblem, planMissing } from './missing.ts';
import type { CreatePlan, MissingPlan } from './plan.ts';
import { blockedBy, type People } from './references.ts';
import type { Rules } from './rules.ts';

/** What planning a creation takes beside the file. */
type Creating = {
  readonly rules: Rules;
  readonly people: People;
  readonly toWire: (managed: JsonObject) => JsonObject;
  readonly checkRequired: FieldCheck;
};

/** A file whose contract is to be created; missing, with the reasons, where it cannot be. */
export function planCreation(
  file: DesiredContract,
  prospect: Prospect,
  creating: Creating,
): CreatePlan | MissingPlan {
  const { source, locate, identity } = file;
  const without = (problem: Problem): MissingPlan => missingWith(file, creating.rules, [problem]);
  switch (prospect.kind) {
    case 'free':
      return planFree(file, prospect, creating);
    case 'deleted':
      return without(deletedProblem(source, creating.rules.missing, prospect.id));
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
  return { ...planMissing(file, rules), problems };
}

type Free = Extract<Prospect, { readonly kind: 'free' }>;

/** A creation is planned as an update of an empty contract. */
function planFree(
  file: DesiredContract,
  { asset, fullyQualifiedName }: Free,
  { rules, people, toWire, checkRequired }: Creating,
): CreatePlan | MissingPlan {
  const name = file.identity.name ?? '';
  const { id, type } = asset;
  const entity = { id, type, fullyQualifiedName: asset.fullyQualifiedName };
  const empty = { id: '', name, fullyQualifiedName, entity, document: { entity } };
  const { desired, problems } = people.resolve(file.refine?.(empty) ?? file, {});
  const planned = blockedBy(planContract(empty, desired, storingAll(rules)), problems);
  const required = placeProblems(checkRequired(desired.managed), desired);
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

/** A creation is stored whole: nothing has to go with it. */
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
    message: `Can't look up the asset: ${why}`,
    hint: 'The other contracts can be applied; plan again for this one.',
    source,
  };
}
