import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { parseLiveContract } from '../../src/contract/contract.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { startOpenMetadata } from '../../src/sandbox/openmetadata/server.ts';
import { permissions, startSandbox } from '../../src/sandbox/sandbox.ts';
import { listen } from './listen.ts';
import { initGit } from './git-folder.ts';
import { outputOf } from './process.ts';
import type { CliRun } from './run-cli.ts';
import { runInProcess } from './run-program.ts';
import { accessTo, makeFolder } from './workspace.ts';

export type PastDialect = 'standard' | 'openmetadata';
export const pastDialects = ['standard', 'openmetadata'] as const;

const minute = 60_000;
const start = Date.UTC(2023, 10, 14, 8, 0);

/** A repository and a catalog that have lived through something, at times that a test chooses. */
export type Past = {
  readonly folder: string;
  /** The name of the contract of orders. */
  readonly name: string;
  readonly id: string;
  /** Runs the command line as the admin. */
  readonly run: (...args: string[]) => Promise<CliRun>;
  readonly runIn: (folder: string, ...args: string[]) => Promise<CliRun>;
  readonly environment: Readonly<Record<string, string>>;
  readonly runWith: (environment: Past['environment'], ...args: string[]) => Promise<CliRun>;
  /** The environment to run in where no history can be read. */
  readonly withoutHistory: () => Promise<Past['environment']>;
  /** The environment in which a history tells of each version what is left of it. */
  readonly withVersions: (leave: LeaveOf) => Promise<Past['environment']>;
  /** The same where somebody edits between the list and the history. */
  readonly editBeforeHistory: (user: string, fields: JsonObject) => Promise<Past['environment']>;
  readonly git: (...args: readonly string[]) => string;
  /** Lets time go by. */
  readonly pass: (minutes: number) => void;
  /** Writes files and commits them, at the catalog's time. */
  readonly commit: (files: Readonly<Record<string, string>>, author?: string) => void;
  /** Adds a line to the configuration, without a commit. */
  readonly configure: (line: string) => void;
  /** Sets fields of the contract of orders, or of another, in the catalog, as somebody; null removes one. */
  readonly edit: (user: string, fields: JsonObject, contract?: string) => Promise<void>;
  /** Takes a user out of the catalog for good; only OpenMetadata keeps any. */
  readonly deleteUser: (name: string) => Promise<void>;
  /** A JSON file of the folder. */
  readonly read: (name: string) => JsonObject;
  readonly live: () => Promise<JsonObject>;
  readonly versions: () => Promise<readonly JsonObject[]>;
};

const users = ['ada', 'mira', 'zoe'];

const orders: JsonObject = {
  name: 'orders',
  entity: { type: 'table', fullyQualifiedName: 'shop.sales.web.orders' },
  description: 'One row per order.',
  entityStatus: 'Draft',
  schema: [
    { name: 'id', dataType: 'BIGINT' },
    { name: 'amount', dataType: 'DECIMAL' },
    { name: 'city', dataType: 'VARCHAR' },
  ],
  updatedBy: 'ada',
  updatedAt: start,
};

/** What a random edit may add to the contract is there already: else this catalog refuses it. */
const tableColumns = ['id', 'amount', 'city', 'note'].map((name) => ({ name, dataType: 'INT' }));

export async function openPast(
  dialect: PastDialect,
  more: readonly JsonObject[] = [],
): Promise<Past> {
  let now = start;
  const { url, token, tokenOf, close } = await startCatalog(dialect, () => now, more);
  onTestFinished(close);
  // A contract that is Draft is no evidence of a standard catalog.
  const catalog = dialect === 'standard' ? 'catalog: { dialect: standard }\n' : '';
  const config = `contracts:\n  include: [contracts]\nlimits: { from: 100 }\n${catalog}`;
  const folder = makeFolder({ 'contract-sync.yaml': config });
  const git = (...args: readonly string[]): string =>
    outputOf('git', args, { cwd: folder, env: identityAt(now) });
  initGit(folder);
  const askCatalog = async (path: string, init: RequestInit = {}, bearer = token) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': patchType };
    const answer = await fetch(`${url}/v1${path}`, { headers, ...init });
    expect(answer.status).toBe(200);
    const body: ReturnType<typeof JSON.parse> = await answer.json();
    return body;
  };
  const ask = async (path: string, init?: RequestInit, bearer?: string) =>
    askCatalog(`/dataContracts${path}`, init, bearer);
  const list = async (): Promise<JsonObject[]> =>
    (await ask('?fields=owners,reviewers,extension')).data;
  const environment = accessTo({ url, token });
  const { id, fullyQualifiedName: name = '' } = requireHead(named(await list(), 'orders'));
  const edit: Past['edit'] = async (user, fields, contract = 'orders') => {
    const live = named(await list(), contract);
    const body = JSON.stringify(patchTo(fields, live));
    await ask(`/${requireHead(live).id}`, { method: 'PATCH', body }, await tokenOf(user));
  };
  const behind = async (meet: MeetHistory, leave?: LeaveOf) =>
    accessTo({ url: await standBefore(url, meet, leave), token });
  return {
    folder,
    git,
    id,
    name,
    environment,
    run: (...args) => runInProcess(args, { folder, environment }),
    runWith: (own, ...args) => runInProcess(args, { folder, environment: own }),
    withoutHistory: () => behind(() => Promise.resolve(403)),
    withVersions: (leave) => behind(() => Promise.resolve(undefined), leave),
    editBeforeHistory: (user, fields) =>
      behind(async () => {
        now += minute;
        await edit(user, fields);
        return undefined;
      }),
    runIn: (other, ...args) => runInProcess(args, { folder: other, environment }),
    pass: (minutes) => {
      now += minutes * minute;
    },
    configure: (line) => appendFileSync(join(folder, 'contract-sync.yaml'), `${line}\n`),
    commit: (files, author = 'Ada Lovelace') => {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      const written = { GIT_AUTHOR_NAME: author, GIT_AUTHOR_EMAIL: 'author@example.com' };
      const env = { ...identityAt(now), ...written };
      outputOf('sh', ['-c', commitAll], { cwd: folder, env });
    },
    edit,
    deleteUser: async (user) => {
      const { id: known } = await askCatalog(`/users/name/${user}`);
      await askCatalog(`/users/${known}?hardDelete=true`, { method: 'DELETE' });
    },
    read: (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')),
    live: async () => named(await list(), 'orders'),
    versions: async () => {
      const { versions } = await ask(`/${id}/versions`);
      return versions.map((each: string | JsonObject) =>
        typeof each === 'string' ? JSON.parse(each) : each,
      );
    },
  };
}

/** What happens before a history is told; a status is answered instead of it. */
type MeetHistory = () => Promise<number | undefined>;

type LeaveOf = (version: JsonObject) => JsonObject;

/** A server in front of another one, by its address. */
async function standBefore(
  url: string,
  meet: MeetHistory,
  leave: LeaveOf = (version) => version,
): Promise<string> {
  const pass = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '', headers } = incoming;
    const isHistory = path.endsWith('/versions');
    const status = isHistory ? await meet() : undefined;
    if (status !== undefined) {
      answer.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const { authorization = '', 'content-type': type = '' } = headers;
    const body = method === 'GET' ? null : await text(incoming);
    const reply = await fetch(new URL(path, url), {
      method,
      headers: { authorization, 'content-type': type },
      body,
    });
    answer.writeHead(reply.status, { 'content-type': 'application/json' });
    answer.end(isHistory ? leaveOfHistory(await reply.text(), leave) : await reply.text());
  };
  const server = createServer((incoming, answer) => void pass(incoming, answer));
  return `http://127.0.0.1:${await listen(server)}${new URL(url).pathname}`;
}

/** Each version is a text in itself (interface §2.5). */
function leaveOfHistory(history: string, leave: LeaveOf): string {
  const { versions, ...rest }: ReturnType<typeof JSON.parse> = JSON.parse(history);
  const left = versions.map((each: string) => JSON.stringify(leave(JSON.parse(each))));
  return JSON.stringify({ ...rest, versions: left });
}

const patchType = 'application/json-patch+json';

function named(contracts: readonly JsonObject[], name: string): JsonObject {
  const found = contracts.find((contract) => contract['name'] === name);
  if (!found) throw new Error(`There is no contract ${name}.`);
  return found;
}

function requireHead(document: JsonObject) {
  const contract = parseLiveContract(document);
  if (!contract) throw new Error('It is no contract.');
  return contract;
}

function patchTo(fields: JsonObject, live: JsonObject): JsonValue {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value !== null) return [{ op: 'add', path: `/${name}`, value }];
    return Object.hasOwn(live, name) ? [{ op: 'remove', path: `/${name}` }] : [];
  });
}

async function startCatalog(dialect: PastDialect, now: () => number, more: readonly JsonObject[]) {
  if (dialect === 'openmetadata') {
    const people = users.map((name) => ({ name, isAdmin: true }));
    const tables = [{ fullyQualifiedName: 'shop.sales.web.orders', columns: tableColumns }];
    return startOpenMetadata({
      now,
      seed: { users: people, tables, contracts: [orders, ...more] },
    });
  }
  const seed = [{ ...orders, fullyQualifiedName: 'shop.sales.web.orders' }, ...more];
  const sandbox = await startSandbox({ now, seed });
  return {
    ...sandbox,
    tokenOf: (subject: string) => sandbox.issueToken({ subject, permissions }),
  };
}

/** As one process of this one, which takes long to start any. */
const commitAll = 'git add . && git commit --quiet --allow-empty --message Change';

function identityAt(time: number) {
  const date = `${time / 1000} +0000`;
  return {
    PATH: process.env['PATH'],
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
    GIT_CONFIG_GLOBAL: process.env['GIT_CONFIG_GLOBAL'],
  };
}

/** A file of the contract of orders, with these lines behind its identity. */
export function ordersFile(name: string, ...lines: readonly string[]): string {
  return [`fullyQualifiedName: ${name}`, ...lines, ''].join('\n');
}

/** Text without what is another in each run. */
export function withoutIds(text: string, { id }: Past): string {
  return text.replaceAll(id, 'ID');
}
