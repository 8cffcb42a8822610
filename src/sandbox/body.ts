import { bodyLimit } from 'hono/body-limit';
import { isArray, isObject, type JsonValue } from '../core/json.ts';
import { type Call, type Middleware, FailedRequest } from './middleware.ts';

const maximumBytes = 10 * 1024 * 1024;

/** Far deeper than a contract needs, and far from what recursion over a value can bear. */
const maximumDepth = 200;

/** RFC 6902 §6 names the first; the interface shows neither (§4.2). */
const patchTypes = ['application/json-patch+json', 'application/json'];

export const limitBody: Middleware = bodyLimit({
  maxSize: maximumBytes,
  onError: () => {
    throw new FailedRequest(413, `A request body may have ${maximumBytes} bytes at most.`);
  },
});

/** The JSON value that a patch request carries. */
export async function readPatchBody({ req }: Call): Promise<JsonValue> {
  const type = req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!patchTypes.includes(type)) {
    throw new FailedRequest(415, `A patch must be sent as ${patchTypes.join(' or ')}.`);
  }
  const value = parseJson(await req.arrayBuffer());
  if (isTooDeep(value)) throw new FailedRequest(400, 'The request body is nested too deeply.');
  return value;
}

function parseJson(bytes: ArrayBuffer): JsonValue {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new FailedRequest(400, 'The request body is not JSON in UTF-8.');
  }
}

/** Goes level by level: recursion would fail on the very values that are looked for. */
function isTooDeep(value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; depth <= maximumDepth && level.length > 0; depth += 1) {
    level = level.flatMap(children);
  }
  return level.length > 0;
}

function children(value: JsonValue): readonly JsonValue[] {
  if (isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}
