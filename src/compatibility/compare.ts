import { managedFields } from '../contract/contract.ts';
import { deepEqual, isArray, type JsonObject, type JsonValue } from '../core/json.ts';
import type { ConsumerEffect } from './rule.ts';
import { compareSchemas } from './schema.ts';
import { compareSemantics } from './semantics.ts';
import { compareServiceLevels } from './sla.ts';
import type { Widening } from './type.ts';

/** Every change between two states of a contract, each under one rule; its status is none. */
export function compareContracts(
  before: JsonObject,
  after: JsonObject,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  return managedFields
    .filter((field) => !deepEqual(before[field], after[field]))
    .flatMap((field) => compareField(field, [before[field], after[field]], widenings));
}

type Sides = readonly [before: JsonValue | undefined, after: JsonValue | undefined];

function compareField(
  field: (typeof managedFields)[number],
  [before, after]: Sides,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  switch (field) {
    case 'entityStatus':
      return []; // The lifecycle judges it.
    case 'description': {
      const message = 'The description of the contract changes.';
      return [{ rule: 'description-changed', message, pointer: [field] }];
    }
    case 'schema':
      return compareSchemas(before, after, widenings);
    case 'semantics':
      return compareSemantics(before, after);
    case 'sla':
      return compareServiceLevels(before, after);
    case 'owners':
      return [isEmpty(after) && !isEmpty(before) ? ownersEmptied : otherChanged(field)];
    default:
      return [otherChanged(field)];
  }
}

function isEmpty(value: JsonValue | undefined): boolean {
  return !isArray(value) || value.length === 0;
}

const ownersEmptied: ConsumerEffect = {
  rule: 'owners-emptied',
  message: 'All owners are removed.',
  pointer: ['owners'],
};

function otherChanged(field: string): ConsumerEffect {
  return { rule: 'other-changed', message: `\`${field}\` changes.`, pointer: [field] };
}
