import { entityStatuses } from '../contract/contract.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';

/** A contract that is known to keep the rules below. */
export type Contract = JsonObject & {
  readonly id: string;
  readonly name: string;
  readonly fullyQualifiedName: string;
  readonly description?: string;
  readonly entityStatus: string;
  readonly version: number;
  readonly updatedAt: number;
};

/** A contract of a seed, and its earlier versions, oldest first. */
export type SeededContract = {
  readonly current: Contract;
  readonly earlier: readonly Contract[];
};

type Rule = {
  readonly field: string;
  readonly required?: true;
  readonly holds: (value: JsonValue) => boolean;
  readonly expected: string;
};

const statuses: readonly JsonValue[] = entityStatuses;
const isText = (value: JsonValue): boolean => typeof value === 'string';
const isUuid = (value: JsonValue): boolean => typeof value === 'string' && uuid.test(value);

/** Any version and variant: the interface says no more than UUID. */
export const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu;

/** The types of interface §2.1. Inner shapes are not fixed there, nor are further fields. */
const contractRules: readonly Rule[] = [
  { field: 'id', required: true, holds: isUuid, expected: 'a UUID' },
  { field: 'name', required: true, holds: isText, expected: 'a string' },
  { field: 'fullyQualifiedName', required: true, holds: isText, expected: 'a string' },
  { field: 'description', holds: isText, expected: 'a string' },
  {
    field: 'entityStatus',
    required: true,
    holds: (value) => statuses.includes(value),
    expected: `one of ${entityStatuses.join(', ')}`,
  },
  { field: 'entity', holds: isObject, expected: 'an object' },
  { field: 'version', required: true, holds: isVersion, expected: 'a number like 0.1' },
  { field: 'updatedAt', required: true, holds: Number.isSafeInteger, expected: 'an integer' },
  { field: 'updatedBy', required: true, holds: isText, expected: 'a string' },
  { field: 'changeDescription', holds: isObject, expected: 'an object' },
  { field: 'semantics', holds: isArray, expected: 'an array' },
  { field: 'sla', holds: isObject, expected: 'an object' },
  { field: 'schema', holds: isArray, expected: 'an array' },
  { field: 'deleted', holds: (value) => typeof value === 'boolean', expected: 'true or false' },
];

/** Interface §2.2; real servers leave members out. */
const entityRules: readonly Rule[] = [
  { field: 'id', holds: isUuid, expected: 'a UUID' },
  { field: 'type', holds: isText, expected: 'a string' },
  { field: 'name', holds: isText, expected: 'a string' },
  { field: 'fullyQualifiedName', holds: isText, expected: 'a string' },
];

export function isContract(document: JsonObject): document is Contract {
  return shapeProblem(document) === undefined;
}

/** What keeps a document from being a contract, as a sentence; undefined where nothing does. */
export function shapeProblem(document: JsonObject): string | undefined {
  const { entity } = document;
  return (
    brokenRule(document, contractRules, '') ??
    (isObject(entity) ? brokenRule(entity, entityRules, 'entity.') : undefined)
  );
}

function brokenRule(
  object: JsonObject,
  rules: readonly Rule[],
  prefix: string,
): string | undefined {
  const broken = rules.find(({ field, required, holds }) => {
    const value = object[field];
    return value === undefined ? required : !holds(value);
  });
  return broken && `\`${prefix}${broken.field}\` must be ${broken.expected}.`;
}

/** Tenths only: every later version is then exact, and none is ever given twice. */
function isVersion(value: JsonValue): boolean {
  return typeof value === 'number' && value >= 0 && Math.round(value * 10) / 10 === value;
}
