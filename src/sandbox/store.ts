import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { formatVersion } from '../contract/version.ts';
import { atomically, documentSql, recordSql, columnText, toRecord } from './database.ts';
import {
  type ContractPage,
  type ListFilter,
  makeCounter,
  type PageRequest,
  selectPage,
} from './page.ts';
import type { Contract, SeededContract } from './shape.ts';

/** The contracts of a catalog with their whole history; texts are JSON documents. */
export type Store = {
  readonly isEmpty: () => boolean;
  /** Puts contracts into a store that is empty; into any other, none. */
  readonly fill: (contracts: readonly SeededContract[]) => void;
  readonly page: (request: PageRequest) => ContractPage;
  /** How many contracts match, wherever a page lies (interface §2.4). */
  readonly count: (filter: ListFilter) => number;
  readonly find: (id: string) => Contract | undefined;
  /** Puts the next version of a contract in the place of the current one, which becomes history. */
  readonly advance: (current: Contract, next: Contract) => void;
  /** Every version of a contract, newest first; none where there is no such contract. */
  readonly history: (id: string) => readonly string[];
  /** One version, named with its decimal, `1.0`. */
  readonly snapshot: (id: string, version: string) => string | undefined;
  /** Contracts, in list order, with the text in their name, qualified name or description. */
  readonly search: (text: string, limit: number) => SearchResult;
  /** All of the work is stored, or none of it. */
  readonly atomically: <Result>(work: () => Result) => Result;
};

type SearchResult = { readonly total: number; readonly contracts: readonly string[] };

type Row = Readonly<Record<string, SQLOutputValue>>;

export function openStore(database: DatabaseSync): Store {
  return {
    isEmpty: () => hasNone(database),
    fill: (contracts) => fill(database, contracts),
    count: makeCounter(database),
    page: (request) => selectPage(database, request),
    find: (id) => {
      const text = findCurrent(database, id);
      return text === undefined ? undefined : JSON.parse(text);
    },
    advance: (current, next) => advance(database, current, next),
    history: (id) => readHistory(database, id),
    snapshot: (id, version) => findVersion(database, id, version),
    search: (text, limit) => searchText(database, text, limit),
    atomically: (work) => atomically(database, work),
  };
}

function hasNone(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM contracts LIMIT 1').get() === undefined;
}

function fill(database: DatabaseSync, contracts: readonly SeededContract[]): void {
  const insert = database.prepare(`INSERT INTO contracts VALUES ${recordSql}`);
  atomically(database, () => {
    // By another process, that began with the same file.
    if (!hasNone(database)) return;
    for (const { current, earlier } of contracts) {
      insert.run(toRecord(current));
      for (const version of earlier) keepSnapshot(database, version);
    }
  });
}

function keepSnapshot(database: DatabaseSync, contract: Contract): void {
  database
    .prepare('INSERT INTO snapshots VALUES (?, ?, ?)')
    .run(contract.id, formatVersion(contract.version), JSON.stringify(contract));
}

function findCurrent(database: DatabaseSync, id: string): string | undefined {
  const row = database.prepare(`SELECT ${documentSql()} AS document FROM contracts WHERE id = ?`);
  return documentOf(row.get(id));
}

function advance(database: DatabaseSync, current: Contract, next: Contract): void {
  keepSnapshot(database, current);
  database.prepare(`REPLACE INTO contracts VALUES ${recordSql}`).run(toRecord(next));
}

function readHistory(database: DatabaseSync, id: string): string[] {
  const current = findCurrent(database, id);
  const earlier = database
    .prepare('SELECT document FROM snapshots WHERE contract = ? ORDER BY rowid DESC')
    .all(id);
  return [
    ...(current === undefined ? [] : [current]),
    ...earlier.map(({ document }) => columnText(document)),
  ];
}

function findVersion(database: DatabaseSync, id: string, version: string): string | undefined {
  const row = database
    .prepare(
      `SELECT ${documentSql()} AS document FROM contracts WHERE id = ?1 AND version = ?2
       UNION ALL SELECT document FROM snapshots WHERE contract = ?1 AND version = ?2`,
    )
    .get(id, version);
  return documentOf(row);
}

function searchText(database: DatabaseSync, text: string, limit: number): SearchResult {
  const found = 'FROM contracts WHERE NOT deleted AND instr(searched, ?)';
  const folded = text.toLowerCase();
  const rows = database
    .prepare(`SELECT ${documentSql([])} AS document ${found} ORDER BY name, id LIMIT ?`)
    .all(folded, limit);
  const count = database.prepare(`SELECT count(*) AS n ${found}`).get(folded);
  return {
    total: Number(count?.['n']),
    contracts: rows.map(({ document }) => columnText(document)),
  };
}

function documentOf(row: Row | undefined): string | undefined {
  return row && columnText(row['document']);
}
