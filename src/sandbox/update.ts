import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { evaluate } from '../patch/evaluate.ts';
import type { Patch } from '../patch/operation.ts';
import { FailedRequest } from './middleware.ts';
import { type ContractAuthor, makeNextVersion } from './next-version.ts';
import { type Contract, isContract, shapeProblem } from './shape.ts';
import type { Store } from './store.ts';

/**
 * Patches one contract (interface §4.2): whole or not at all. The answer is the full contract,
 * the members included that a list would have to be asked for.
 */
export function updateContract(
  store: Store,
  id: string,
  patch: Patch,
  author: ContractAuthor,
): JsonObject {
  const current = findLive(store, id);
  const next = makeNextVersion(current, requireObject(evaluate(current, patch)), author);
  // Nothing is stored, and the answer does not repeat what an earlier update changed.
  if (!next) return { ...current, changeDescription: { fieldsUpdated: [] } };
  store.advance(current, requireContract(next));
  return next;
}

function findLive(store: Store, id: string): Contract {
  const contract = store.find(id);
  if (contract && contract['deleted'] !== true) return contract;
  throw new FailedRequest(404, `There is no data contract with the id ${id}.`);
}

function requireObject(patched: JsonValue): JsonObject {
  if (isObject(patched)) return patched;
  throw new FailedRequest(400, 'The patch leaves something that is not an object.');
}

function requireContract(document: JsonObject): Contract {
  if (isContract(document)) return document;
  throw new FailedRequest(400, `The patch leaves no contract: ${shapeProblem(document)}`);
}
