import { staticToken } from '../../src/auth/token.ts';
import type { CatalogConnection } from '../../src/catalog/catalog.ts';
import { createReader, createWriter } from '../../src/catalog/client.ts';
import {
  type DesiredContract,
  type LiveContract,
  parseLiveContract,
} from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { makePlan } from '../../src/plan/seal.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { lenientRules } from '../support/rules.ts';

export const rules = lenientRules;

/** No wait is waited for. */
export const hasty = { sleep: () => Promise.resolve(), random: () => 0 };

export function connectTo(
  { url, token }: { readonly url: string; readonly token: string },
  changes: Partial<CatalogConnection> = {},
): CatalogConnection {
  return {
    baseUrl: new URL(url),
    token: staticToken(token),
    pageSize: 100,
    timeoutMs: 5000,
    version: 'test',
    effects: hasty,
    ...changes,
  };
}

/** A reader and a writer, as an apply is given them. */
export function clientOf(connection: CatalogConnection) {
  return { reader: createReader(connection), writer: createWriter(connection) };
}

/** The plan that brings each live contract to what is wanted of it, by its id. */
export async function planFor(
  wanted: Readonly<Record<string, JsonObject>>,
  connection: CatalogConnection,
): Promise<Plan> {
  const contracts = [];
  for (const live of await listAll(connection)) {
    const managed = wanted[live.id];
    if (managed) contracts.push(planUpdate(live, desiredOf(live, managed), rules));
  }
  return makePlan(connection.baseUrl.href, contracts, []);
}

export async function listAll(connection: CatalogConnection): Promise<LiveContract[]> {
  const found: LiveContract[] = [];
  const fields = ['owners', 'reviewers', 'extension'] as const;
  for await (const page of createReader(connection).list({ fields })) found.push(...page.contracts);
  return found;
}

/** What a file asks of a live contract. */
export function desiredOf(live: LiveContract, managed: JsonObject): DesiredContract {
  const source = { file: `${live.name}.yaml`, line: 1, column: 1 };
  return { identity: { id: live.id }, managed, source, locate: () => source };
}

/** The versions of a contract, oldest first: the catalog's own record of who did what. */
export async function historyOf(
  id: string,
  connection: CatalogConnection,
): Promise<LiveContract[]> {
  const { versions } = await createReader(connection).versions(id);
  return versions.toReversed().map(liveOf);
}

export function liveOf(document: JsonObject): LiveContract {
  const live = parseLiveContract(document);
  if (!live) throw new Error('It has no id.');
  return live;
}
