import { onTestFinished } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.ts';
import {
  type OpenMetadataOptions,
  type OpenMetadataSandbox,
  startOpenMetadata,
} from '../../../src/sandbox/openmetadata/server.ts';
import { type Answered, send, type Sent } from './http.ts';

export type Served = OpenMetadataSandbox & {
  /** Sends a request as one of the users, by default as the admin. */
  readonly ask: (
    method: string,
    path: string,
    sent?: Partial<Sent>,
    user?: string,
  ) => Promise<Answered>;
  /** Moves the clock. */
  readonly pass: (milliseconds: number) => void;
};

/** A sandbox with a table `shop.sales.web.orders`, three users and a team; it ends with the test. */
export async function serve(options: OpenMetadataOptions = {}): Promise<Served> {
  let passed = 0;
  const sandbox = await startOpenMetadata({
    seed: everybody,
    now: () => 1_790_000_000_000 + passed,
    ...options,
  });
  onTestFinished(sandbox.close);
  return {
    ...sandbox,
    ask: async (method, path, sent = {}, user = 'admin') =>
      send(sandbox.url, { method, path: `/v1${path}`, ...sent }, await sandbox.tokenOf(user)),
    pass: (milliseconds) => {
      passed += milliseconds;
    },
  };
}

const people = [{ name: 'ada' }, { name: 'mira' }, { name: 'zoe' }];

const ordersTable = {
  fullyQualifiedName: 'shop.sales.web.orders',
  columns: [
    { name: 'id', dataType: 'BIGINT' },
    { name: 'amount', dataType: 'DECIMAL' },
    { name: 'address', dataType: 'STRUCT', children: [{ name: 'city', dataType: 'VARCHAR' }] },
  ],
};

export const everybody = {
  users: people,
  teams: [{ name: 'crew', users: ['ada'] }],
  tables: [ordersTable],
};

/** The id of a user, a team or a table. */
export async function idOf(served: Served, collection: string, name: string): Promise<string> {
  const { body } = await served.ask('GET', `/${collection}/name/${name}`);
  return body.id;
}

/** A create request for the table of orders. */
async function request(served: Served, content: JsonObject = {}): Promise<JsonObject> {
  const id = await idOf(served, 'tables', 'shop.sales.web.orders');
  return { name: 'orders', entity: { id, type: 'table' }, ...content };
}

export async function create(served: Served, content: JsonObject = {}): Promise<Answered> {
  return served.ask('POST', '/dataContracts', { body: await request(served, content) });
}

export const everything = '?fields=owners,reviewers,extension';

/** A contract that is there, to read and to patch. */
export async function makeContract(served: Served, content: JsonObject = {}) {
  const { body } = await create(served, content);
  const path = `/dataContracts/${body.id}`;
  return {
    id: String(body.id),
    path,
    patch: (operations: JsonValue, user?: string, headers: Sent['headers'] = {}) =>
      served.ask('PATCH', path, { body: operations, headers }, user),
    read: async () => (await served.ask('GET', `${path}${everything}`)).body,
    versions: async (): Promise<readonly ReturnType<typeof JSON.parse>[]> => {
      const answer = await served.ask('GET', `${path}/versions`);
      return answer.body.versions.map((text: string) => JSON.parse(text));
    },
  };
}
