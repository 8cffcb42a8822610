import { optionalFields } from '../contract/contract.ts';
import { formatVersion } from '../contract/version.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { Contract } from './shape.ts';

/**
 * Members that a list leaves out: three come only when asked for with `fields`, the fourth is
 * returned by the update operation (interface §2.1).
 */
const apartFields = [...optionalFields, 'changeDescription'] as const;
type ApartField = (typeof apartFields)[number];

/** A row of the table `contracts`, by column; members kept apart are JSON text. */
export function toRecord(contract: Contract) {
  const { owners, reviewers, extension, changeDescription, ...body } = contract;
  return {
    id: contract.id,
    name: contract.name,
    entity: entityId(contract),
    status: contract.entityStatus,
    version: formatVersion(contract.version),
    deleted: Number(contract['deleted'] === true),
    searched: searchedText(contract),
    // Without its closing brace, so that members can be appended as text.
    body: JSON.stringify(body).slice(0, -1),
    owners: textOrNull(owners),
    reviewers: textOrNull(reviewers),
    extension: textOrNull(extension),
    changeDescription: textOrNull(changeDescription),
  };
}

function entityId({ entity }: JsonObject): string | null {
  return isObject(entity) && typeof entity['id'] === 'string' ? entity['id'] : null;
}

function searchedText({ name, fullyQualifiedName, description }: Contract): string {
  return `${name}\n${fullyQualifiedName}\n${description ?? ''}`.toLowerCase();
}

function textOrNull(value: JsonValue | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** SQL for the JSON text of a contract, with those of the members kept apart that are named. */
export function documentSql(fields: readonly ApartField[] = apartFields): string {
  const members = fields.map((field) => `coalesce(',"${field}":' || ${field}, '')`);
  return ['body', ...members, `'}'`].join(' || ');
}

/** SQL for the values of a row, by their names in a record. */
export const recordSql = `(
  :id, :name, :entity, :status, :version, :deleted, :searched, :body,
  :owners, :reviewers, :extension, :changeDescription
)`;
