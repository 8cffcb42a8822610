import type { JsonObject, JsonValue } from '../core/json.ts';
import { byCodeUnits, isList, isRecord, isSame, uuid } from './json.ts';

export type Contract = JsonObject & {
  readonly id: string;
  readonly name: string;
  readonly fullyQualifiedName: string;
  readonly description?: string;
  readonly entityStatus: string;
  readonly version: number;
  readonly updatedAt: number;
};

type Rule = {
  readonly required?: true;
  readonly holds: (value: JsonValue) => boolean;
  readonly expected: string;
};

export const standardStatuses: readonly string[] = ['Draft', 'Active', 'Deprecated'];

const text: Rule = { holds: (value) => typeof value === 'string', expected: 'a string' };
const object: Rule = { holds: isRecord, expected: 'an object' };
const array: Rule = { holds: isList, expected: 'an array' };
const id: Rule = {
  holds: (value) => typeof value === 'string' && uuid.test(value),
  expected: 'a UUID',
};

// Types of interface §2.1, which fixes neither inner shapes nor the set of fields.
const contractRules: { readonly [field: string]: Rule } = {
  id: { ...id, required: true },
  name: { ...text, required: true },
  fullyQualifiedName: { ...text, required: true },
  description: text,
  entityStatus: {
    required: true,
    holds: (value) => typeof value === 'string' && standardStatuses.includes(value),
    expected: `one of ${standardStatuses.join(', ')}`,
  },
  entity: object,
  // Tenths only: every later version is then exact, and none is given twice.
  version: {
    required: true,
    holds: (value) =>
      typeof value === 'number' && value >= 0 && Math.round(value * 10) / 10 === value,
    expected: 'a number like 0.1',
  },
  updatedAt: { required: true, holds: Number.isSafeInteger, expected: 'an integer' },
  updatedBy: { ...text, required: true },
  changeDescription: object,
  semantics: array,
  sla: object,
  schema: array,
  deleted: { holds: (value) => typeof value === 'boolean', expected: 'true or false' },
};

// Interface §2.2; real servers leave members out.
const entityRules = { id, type: text, name: text, fullyQualifiedName: text };

export function isContract(document: JsonObject): document is Contract {
  return shapeProblem(document) === undefined;
}

export function shapeProblem(document: JsonObject): string | undefined {
  const { entity } = document;
  return (
    brokenRule(document, contractRules, '') ??
    (isRecord(entity) ? brokenRule(entity, entityRules, 'entity.') : undefined)
  );
}

function brokenRule(
  document: JsonObject,
  rules: { readonly [field: string]: Rule },
  prefix: string,
): string | undefined {
  const broken = Object.entries(rules).find(([field, { required, holds }]) => {
    const value = document[field];
    return value === undefined ? required : !holds(value);
  });
  return broken && `\`${prefix}${broken[0]}\` must be ${broken[1].expected}.`;
}

// Members that a patch cannot change: real servers silently restore them. `entity` is not among
// them: the interface has a version rule for changing it (§3).
const keptFields: ReadonlySet<string> = new Set(
  'id fullyQualifiedName name version updatedAt updatedBy changeDescription deleted'.split(' '),
);

const majorFields = new Set(['entityStatus', 'schema', 'entity']);

export function makeNextVersion(
  before: Contract,
  patched: JsonObject,
  { subject, now }: { readonly subject: string; readonly now: number },
): JsonObject | undefined {
  const after = Object.fromEntries([
    ...Object.entries(patched).filter(([name]) => !keptFields.has(name)),
    ...Object.entries(before).filter(([name]) => keptFields.has(name)),
  ]);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isSame(memberOf(before, name), memberOf(after, name)))
    .toSorted(byCodeUnits);
  if (changed.length === 0) return undefined;
  // The interface has only updated fields (§2.3): an added or removed one is null on one side.
  const fieldsUpdated = changed.map((name) => ({
    name,
    oldValue: memberOf(before, name) ?? null,
    newValue: memberOf(after, name) ?? null,
  }));
  return {
    ...after,
    version: nextVersion(before.version, changed),
    // Two changes within one millisecond must differ: a guard tests `updatedAt`.
    updatedAt: Math.max(now, before.updatedAt + 1),
    updatedBy: subject,
    changeDescription: { fieldsUpdated },
  };
}

function memberOf(document: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(document, name) ? document[name] : undefined;
}

/** Interface §3; a version is a decimal number, so the minor change after 0.9 makes 1.0. */
export function nextVersion(version: number, changed: readonly string[]): number {
  // The interface shows description and entityStatus together taking 0.1 to 0.2: a change of both
  // kinds is minor, and only a purely structural one starts a new major version.
  const major = changed.every((name) => majorFields.has(name));
  return major ? Math.floor(version) + 1 : Math.round(version * 10 + 1) / 10;
}
