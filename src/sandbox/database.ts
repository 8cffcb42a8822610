import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { optionalFields } from '../contract/contract.ts';
import { formatVersion } from '../contract/version.ts';
import { SyncError } from '../core/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { Contract } from './shape.ts';

/** Marks a file as a sandbox's, so that no other program's database is ever written to. */
const applicationId = 0x63_73_79_31;

/**
 * `contracts` holds the current versions and `snapshots` the earlier ones, in order of rowid.
 * `body` is the contract's JSON text without the members that lists leave out, which have columns
 * of their own: a page is then put together from text, with nothing parsed.
 * The indexes hold all that a count or a walk in list order looks at.
 */
const schema = `
  PRAGMA application_id = ${applicationId};
  CREATE TABLE contracts (
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    entity TEXT,
    status TEXT NOT NULL,
    version TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    searched TEXT NOT NULL,
    body TEXT NOT NULL,
    owners TEXT,
    reviewers TEXT,
    extension TEXT,
    changeDescription TEXT
  ) STRICT;
  CREATE INDEX by_name ON contracts (name, id, deleted);
  CREATE INDEX by_status ON contracts (status, name, id, deleted);
  CREATE INDEX by_entity ON contracts (entity, name, id, deleted);
  CREATE TABLE snapshots (
    contract TEXT NOT NULL,
    version TEXT NOT NULL,
    document TEXT NOT NULL,
    UNIQUE (contract, version)
  ) STRICT;
  CREATE TABLE secrets (secret BLOB NOT NULL) STRICT;
  INSERT INTO secrets VALUES (randomblob(32));
`;

/** Opens a data file, or a database in memory; a new one gets its tables and signing secret. */
export function openDatabase(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { timeout: 1000 });
    if (isEmpty(database)) createTables(database);
    refuseForeign(database);
    return database;
  } catch (cause) {
    throw new SyncError(
      'sandbox-data-file',
      `The sandbox can't use ${file} as its data file: ${reasonOf(cause)}.`,
      { hint: 'Use a new file, or one that a sandbox created.', cause },
    );
  }
}

/** Of several processes that begin with the same new file, the first creates them. */
function createTables(database: DatabaseSync): void {
  atomically(database, () => {
    if (isEmpty(database)) database.exec(schema);
  });
  try {
    database.exec('PRAGMA journal_mode = WAL');
  } catch {
    // Another one is using the file already. It goes without, only slower.
  }
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

function refuseForeign(database: DatabaseSync): void {
  const found = database.prepare('PRAGMA application_id').get()?.['application_id'];
  if (found !== applicationId) throw new Error('it is the database of another program');
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** The secret that signs tokens; it lives with the contracts, so tokens survive a restart. */
export function signingSecret(database: DatabaseSync): Uint8Array {
  const secret = database.prepare('SELECT secret FROM secrets').get()?.['secret'];
  if (!(secret instanceof Uint8Array)) throw new TypeError('The data file has lost its secret.');
  return secret;
}

/** The text of a column that was declared to hold text. */
export function columnText(value: SQLOutputValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError('A text is missing from the data file.');
  return value;
}

/** All of the work is stored, or none of it: a process killed half-way leaves none. */
export function atomically<Result>(database: DatabaseSync, work: () => Result): Result {
  // Locks before it reads: another process on the same file cannot change what is read here.
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

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
