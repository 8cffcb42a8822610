import fastJsonPatch from 'fast-json-patch';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { type Contract, isContract, makeNextVersion, shapeProblem } from './contract.ts';
import {
  ErrorAnswer,
  findRoute,
  type ReceivedRequest,
  openServer,
  type Parameters,
  type Reply,
  type Routes,
} from './http.ts';
import { isList, isRecord } from './json.ts';
import { makeStore, selectPage, type Store } from './list.ts';
import { completeSeed } from './seed.ts';
import { makeTokens, type Tokens } from './tokens.ts';

export { parseSeed } from './seed.ts';

export type SandboxOptions = {
  readonly port?: number;
  readonly seed?: readonly JsonObject[];
  /** An additional token with every permission, of OpenMetadata's admin, accepted as it is. */
  readonly token?: string;
  readonly now?: () => number;
};

/** The interface names list and update (§5); reading versions needs `view`. */
export const permissions = ['list', 'view', 'update'] as const;
type TokenPermission = (typeof permissions)[number];

type Principal = { readonly subject: string; readonly permissions: readonly TokenPermission[] };

type Issue = Principal & { readonly expiresInSeconds?: number };

export type Sandbox = Readonly<Awaited<ReturnType<typeof startSandbox>>>;

export async function startSandbox(options: SandboxOptions = {}) {
  const { port = 0, seed = [], token: staticToken, now = Date.now } = options;
  const histories = completeSeed(seed, now());
  const store = makeStore(histories);
  const tokens = makeTokens(now);
  const answer = async (request: ReceivedRequest): Promise<Reply> => {
    const { method, path } = request;
    if (!path.startsWith('/api/')) throw nothingAt(path);
    const principal = await authenticate(request, tokens, staticToken);
    const found = findRoute(routes, request);
    if (!found) throw nothingAt(path);
    const { endpoint, params, methods } = found;
    if (!endpoint) {
      const headers = { Allow: methods.join(', ') };
      throw new ErrorAnswer(405, `${method} is not supported here.`, { headers });
    }
    const [permission, run] = endpoint;
    const { subject, permissions } = principal;
    if (permissions.includes(permission))
      return { document: run({ request, principal, store, now, params }) };
    throw new ErrorAnswer(403, `${subject} lacks the permission to ${permission} data contracts.`);
  };
  const issueToken = ({ subject: sub, permissions, expiresInSeconds }: Issue): Promise<string> =>
    tokens.issue({ sub, permissions }, expiresInSeconds);
  return {
    ...(await openServer(port, () => ({ answer, explain, zips: false, now }))),
    token: await issueToken({ subject: 'admin', permissions }),
    readOnlyToken: await issueToken({ subject: 'viewer', permissions: ['list', 'view'] }),
    issueToken,
    /** The id of the first contract of the seed. */
    first: histories[0]?.[0]?.id,
  };
}

// By HTTP status: the first four are the interface's (§7), the others HTTP's own.
const errorTypes: { readonly [status: number]: string } = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'CONTENT_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  500: 'INTERNAL_ERROR',
};

// The interface leaves the shape of errors open (§7): this one is from real servers.
function explain(error: unknown): Reply {
  const reason = error instanceof Error ? error.message : String(error);
  const { status, message, headers } =
    error instanceof ErrorAnswer ? error : new ErrorAnswer(500, `The sandbox failed: ${reason}`);
  const errorType = errorTypes[status] ?? 'INTERNAL_ERROR';
  return { status, document: { code: status, errorType, message }, headers };
}

function nothingAt(path: string): ErrorAnswer {
  return new ErrorAnswer(404, `There is nothing at ${path}.`);
}

// Interface §5.1, §5.2. Without a token, the challenge names no error (RFC 6750 §3.1).
async function authenticate(
  { headers }: ReceivedRequest,
  tokens: Tokens,
  staticToken: string | undefined,
): Promise<Principal> {
  const token = /^Bearer +(\S+)$/iu.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) {
    const message = 'A bearer token is missing: send `Authorization: Bearer <token>`.';
    throw unauthorized(message, 'Bearer');
  }
  if (token === staticToken) return { subject: 'static-token', permissions };
  const claims = tokens.verify(token);
  if (typeof claims === 'string' || claims.sub === undefined) {
    const challenge = 'Bearer error="invalid_token"';
    throw unauthorized('The bearer token is invalid or has expired.', challenge);
  }
  const claimed: unknown = claims['permissions'];
  const granted = permissions.filter((one) => Array.isArray(claimed) && claimed.includes(one));
  return { subject: claims.sub, permissions: granted };
}

function unauthorized(message: string, challenge: string): ErrorAnswer {
  return new ErrorAnswer(401, message, { headers: { 'WWW-Authenticate': challenge } });
}

type Call = {
  readonly request: ReceivedRequest;
  readonly principal: Principal;
  readonly store: Store;
  readonly now: () => number;
  readonly params: Parameters;
};

// Interface §4, under `/api/v1`.
const routes: Routes<readonly [TokenPermission, run: (call: Call) => JsonObject]> = {
  'GET /dataContracts': [
    'list',
    ({ store, request }) => selectPage(store.current(), request.query),
  ],
  'PATCH /dataContracts/{id}': ['update', patchContract],
  'GET /dataContracts/{id}/versions': ['view', listVersions],
  'GET /dataContracts/{id}/versions/{version}': ['view', showVersion],
};

// Interface §4.3.
function listVersions({ store, params }: Call): JsonObject {
  const { id = '' } = params;
  const versions = store.versions(id).map((each) => JSON.stringify(each));
  if (versions.length > 0) return { entityType: 'dataContract', versions: versions.toReversed() };
  throw new ErrorAnswer(404, `There is no data contract ${id}.`);
}

// Interface §4.4: the version is a number with its decimal.
function showVersion({ store, params }: Call): JsonObject {
  const { id = '', version: wanted = '' } = params;
  const found = store.versions(id).findLast(({ version }) => version.toFixed(1) === wanted);
  if (found) return found;
  throw new ErrorAnswer(404, `There is no version ${wanted} of a data contract ${id}.`);
}

// Interface §4.2: whole or not at all. The answer is the full contract, with the members that a
// list returns only on request.
function patchContract({ store, request, params, principal, now }: Call): JsonObject {
  const { id = '' } = params;
  const operations = readPatchBody(request);
  const current = store.versions(id).at(-1);
  if (!current || current['deleted'] === true)
    throw new ErrorAnswer(404, `There is no data contract with the id ${id}.`);
  const author = { subject: principal.subject, now: now() };
  const next = makeNextVersion(current, evaluatePatch(current, operations), author);
  // Nothing is stored, and the answer does not repeat the changes of an earlier update.
  if (!next) return { ...current, changeDescription: { fieldsUpdated: [] } };
  if (!isContract(next))
    throw new ErrorAnswer(400, `The patch leaves no contract: ${shapeProblem(next)}`);
  store.advance(next);
  return next;
}

// RFC 6902 §6 names the first; the interface shows neither (§4.2).
const patchTypes = ['application/json-patch+json', 'application/json'];

function readPatchBody({ headers, body }: ReceivedRequest): string {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!patchTypes.includes(type))
    throw new ErrorAnswer(415, `A patch must be sent as ${patchTypes.join(' or ')}.`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (!isTooDeep(JSON.parse(text))) return text;
  } catch {
    throw new ErrorAnswer(400, 'The request body is not JSON in UTF-8.');
  }
  throw new ErrorAnswer(400, 'The request body is nested too deeply.');
}

// Far deeper than a contract needs, and far below the limit of recursion.
const maximumDepth = 200;

// Level by level, since recursion would fail on values that are too deep.
function isTooDeep(value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; depth <= maximumDepth && level.length > 0; depth += 1)
    level = level.flatMap((each) => (isList(each) || isRecord(each) ? Object.values(each) : []));
  return level.length > 0;
}

// A third-party library shows faults of the product's own evaluator.
function evaluatePatch(contract: Contract, operations: string): JsonObject {
  const document = parseBare(JSON.stringify(contract));
  let patched: unknown;
  try {
    const patch = parseBare(operations);
    patched = fastJsonPatch.applyPatch(document, patch, true, true, false).newDocument;
  } catch (error) {
    // The library's messages end with the whole document.
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    throw new ErrorAnswer(400, `The patch does not apply: ${reason}.`);
  }
  const result: JsonValue = JSON.parse(JSON.stringify(patched ?? null));
  if (isRecord(result)) return result;
  throw new ErrorAnswer(400, 'The patch leaves something that is not an object.');
}

// The members that the library expects objects to inherit.
const prototype: object = Object.assign(Object.create(null), {
  // oxlint-disable-next-line typescript/unbound-method -- called on each object
  hasOwnProperty: Object.prototype.hasOwnProperty,
});

// Without JavaScript's prototype, `__proto__` and `toString` are members like others.
function parseBare(text: string) {
  return JSON.parse(text, (_, value: JsonValue) =>
    isRecord(value) ? Object.assign(Object.create(prototype), value) : value,
  );
}
