import { Hono } from 'hono';
import { PatchError } from '../patch/evaluate.ts';
import { limitBody } from './body.ts';
import { authenticate, delay, permit, refuseMethod, type Environment } from './gate.ts';
import {
  listContracts,
  listVersions,
  patchContract,
  searchContracts,
  showVersion,
} from './operations.ts';
import { Problem, problemBody } from './problem.ts';
import type { Store } from './store.ts';
import type { Tokens } from './tokens.ts';

export type CatalogParts = {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly now: () => number;
  readonly latencyMs: number;
};

const contracts = '/v1/dataContracts';
const contract = `${contracts}/:id`;
const versions = `${contract}/versions`;
const version = `${versions}/:version`;
const search = '/v1/search/query';

/** Every operation of the interface (§4), under `/api`. */
export function makeRoutes({ store, tokens, now, latencyMs }: CatalogParts): Hono<Environment> {
  const app = new Hono<Environment>().basePath('/api');
  if (latencyMs > 0) app.use(delay(latencyMs));
  app.use(authenticate(tokens));

  app.get(contracts, permit('list'), (call) => listContracts(call, store));
  app.patch(contract, permit('update'), limitBody, (call) => patchContract(call, store, now));
  app.get(versions, permit('view'), (call) => listVersions(call, store));
  app.get(version, permit('view'), (call) => showVersion(call, store));
  app.get(search, permit('view'), (call) => searchContracts(call, store));

  for (const path of [contracts, versions, version, search]) app.all(path, refuseMethod('GET'));
  app.all(contract, refuseMethod('PATCH'));

  app.notFound(({ req }) => answer(new Problem(404, `There is nothing at ${req.path}.`)));
  app.onError((error) => answer(toProblem(error)));
  return app;
}

function toProblem(error: Error): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof PatchError) return new Problem(400, error.message);
  return new Problem(500, `The sandbox failed: ${error.message}`);
}

function answer(problem: Problem): Response {
  return Response.json(problemBody(problem), { status: problem.status, headers: problem.headers });
}
