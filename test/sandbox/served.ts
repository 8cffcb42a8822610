import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** Of any shape: each test knows what it looks for. */
  readonly body: ReturnType<typeof JSON.parse>;
};

/** A sandbox that ends with the test. */
export async function serve(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(sandbox.close);
  return sandbox;
}

/** Sends a request with the read-write token unless the headers say otherwise. */
export async function send(
  { url, token }: Sandbox,
  path: string,
  init: RequestInit = {},
): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${token}`);
  const response = await fetch(`${url}${path}`, { ...init, headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

export function list(sandbox: Sandbox, query = ''): Promise<Answer> {
  return send(sandbox, `/v1/dataContracts${query}`);
}

export function patch(sandbox: Sandbox, id: string, operations: Patch): Promise<Answer> {
  return sendPatch(sandbox, id, JSON.stringify(operations));
}

/** Sends a body as it is, whatever it holds. */
export function sendPatch(
  sandbox: Sandbox,
  id: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(sandbox, `/v1/dataContracts/${id}`, {
    method: 'PATCH',
    body,
    headers: { 'Content-Type': 'application/json-patch+json', ...headers },
  });
}

export const ordersId = '0a000000-0000-4000-8000-000000000001';
export const entityId = '0b000000-0000-4000-8000-000000000001';

/** A contract with every field of the interface that a client can see or change. */
export const orders: JsonObject = {
  id: ordersId,
  name: 'orders',
  fullyQualifiedName: 'warehouse.sales.public.orders.dataContract_orders',
  description: 'One row per order.',
  entityStatus: 'Draft',
  entity: {
    id: entityId,
    type: 'table',
    name: 'orders',
    fullyQualifiedName: 'warehouse.sales.public.orders',
  },
  version: 0.1,
  updatedAt: 1_700_000_000_000,
  updatedBy: 'ada',
  owners: [{ type: 'team', name: 'data-platform' }],
  reviewers: [{ type: 'user', name: 'grace' }],
  extension: { domain: 'sales' },
  semantics: [
    { name: 'amount is positive', rule: '{">": [{"var": "amount"}, 0]}' },
    { name: 'order has an id', rule: '{"!!": {"var": "order_id"}}' },
  ],
  sla: { refreshFrequency: { interval: 1, unit: 'day' } },
  schema: [{ name: 'order_id', dataType: 'BIGINT' }],
};

/** The orders contract as a list shows it unless asked for more. */
export function listed(contract: JsonObject): JsonObject {
  const { owners: _o, reviewers: _r, extension: _e, changeDescription: _c, ...rest } = contract;
  return rest;
}
