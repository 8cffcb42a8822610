/** ODCS documents for live contracts that have none. Pure. */

import { type LiveContract, managedFields } from '../../contract/contract.ts';
import { isEmpty, isObject, type JsonObject } from '../../core/json.ts';
import { defaultOdcsRules } from '../../files/formats/odcs/settings.ts';
import type { Divergence, FileChecks } from '../divergence.ts';
import type { KnownNames } from '../name.ts';
import { composeOdcs, withoutField } from './compose.ts';
import { type Standing, standingIn } from './standing.ts';

/** A new document and the fields that it does not say; or why there can't be one. */
export type ImportedOdcs =
  | { readonly kind: 'imported'; readonly document: JsonObject; readonly unsaid: readonly string[] }
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string };

type Choice = Pick<Divergence, 'rules'> & {
  readonly names: KnownNames;
  readonly checks: FileChecks;
};

/** The document that means this contract and agrees with it. */
export function importOdcs(live: LiveContract, { names, rules, checks }: Choice): ImportedOdcs {
  const { settings } = checks.odcs ?? defaultOdcsRules;
  const isBoundByEntity = settings.entity.length > 0 && !settings.name;
  if (isBoundByEntity && !names.isUnique('entity.fullyQualifiedName', live)) return ambiguous;
  const compared = { pointer: ['schema', '0'], difference: { live, rules }, checks };
  let isSayable = true;
  for (const composed of composeOdcs({ live, rules, checks })) {
    isSayable = 'status' in composed;
    const document = agreeing(composed, (each) => standingIn(each, compared));
    const standing = document && standingIn(document, compared);
    if (!isSayable || !document || !standing || !means(standing, live)) continue;
    return imported(document, unsaidOf(live, standing));
  }
  return isSayable ? unbound : withoutStatus;
}

/** An SLA that can't be read back would only bring a warning into each plan. */
function imported(document: JsonObject, unsaid: readonly string[]): ImportedOdcs {
  const readable = unsaid.includes('sla') ? withoutField(document, 'sla') : document;
  return { kind: 'imported', document: readable, unsaid };
}

/** The document without the sections in which it can't say what the catalog holds. */
function agreeing(
  document: JsonObject,
  standingOf: (document: JsonObject) => Standing | undefined,
): JsonObject | undefined {
  const standing = standingOf(document);
  const fields = new Set(standing?.differences.map(({ place }) => place.split('/')[1] ?? ''));
  const without = [...fields].reduce(withoutField, document);
  return standingOf(without)?.differences.length === 0 ? without : undefined;
}

function means({ contract: { fields } }: Standing, { id, name, entity }: LiveContract): boolean {
  if (fields['id'] !== undefined) return fields['id'] === id;
  const reference = fields['entity'];
  const isEntity =
    isObject(reference) && reference['fullyQualifiedName'] === entity?.fullyQualifiedName;
  return isEntity && (fields['name'] ?? name) === name;
}

function unsaidOf({ document }: LiveContract, { contract }: Standing): readonly string[] {
  return managedFields.filter(
    (field) => !isEmpty(document[field]) && !Object.hasOwn(contract.fields, field),
  );
}

const ambiguous: ImportedOdcs = {
  kind: 'refused',
  message: 'its entity has several contracts.',
  hint: 'Set `odcs.name`, such as "{contract.name}".',
};

const unbound: ImportedOdcs = {
  kind: 'refused',
  message: 'no template in `odcs.entity` matches its entity.',
  hint: 'Add one, such as "warehouse.{server.database}.{server.schema}.{object.physicalName}".',
};

const withoutStatus: ImportedOdcs = {
  kind: 'refused',
  message: 'ODCS has no equivalent of its status.',
  hint: 'Map the status with `odcs.status`.',
};
