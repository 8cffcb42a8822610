import { isNode, LineCounter, parseDocument } from 'yaml';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { createShape } from './contract-shapes.ts';
import { type Create, requireCreate } from './create-request.ts';
import { badRequest, ErrorAnswer, PlainError, unhandled } from './error-answer.ts';
import type { ApiCall } from './router.ts';
import { parseJavaJson } from './java-json.ts';
import { bindObject, ShapeError } from './shape.ts';

/** Media types in which a contract may be sent. */
export const contractTypes = ['application/json', 'application/yaml', 'text/yaml'];

/** A create request in JSON or YAML, that fits its class and has what it needs. */
export function readCreate<Result>(call: ApiCall, use: (create: Create) => Result): Result {
  if (call.mediaType === 'application/json') return use(requireCreate(bindJson(call.body)));
  try {
    return use(requireCreate(bindYaml(call.body)));
  } catch (error) {
    // Whatever goes wrong with a contract in YAML is said to be wrong with its YAML.
    if (!(error instanceof ErrorAnswer) || error.status !== 400) throw error;
    throw badRequest(`Invalid YAML content: ${error.message}`);
  }
}

/** A create request that fits its class, whatever else is wrong with it. */
export function bindJson(text: string): JsonObject {
  const value = parseRequestBody(text);
  if (value === null) throw unhandled('Cannot invoke "getName()" because "create" is null');
  return bindCreate(
    value,
    text,
    'REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)',
  );
}

/** A JSON body; none is null. */
export function parseRequestBody(text: string): JsonValue {
  if (text.trim() === '') return null;
  try {
    return parseJavaJson(text);
  } catch (error) {
    throw new PlainError(error instanceof Error ? error.message : String(error));
  }
}

function bindYaml(text: string): JsonObject {
  if (text.trim() === '') {
    throw badRequest(
      'No content to map due to end-of-input\n at [Source: (StringReader); line: 1, column: 1]',
    );
  }
  const document = parseDocument(text);
  const bound = bindCreate(document.toJS(), text, '(StringReader)');
  const [error] = document.errors;
  if (error) throw badRequest(error.message);
  return bound;
}

function bindCreate(value: JsonValue, text: string, source: string): JsonObject {
  try {
    return bindObject(createShape, value);
  } catch (error) {
    if (error instanceof ShapeError) throw badRequest(explainMisfit(error, text, source));
    throw error;
  }
}

/** The words of the JSON library about a value that does not fit: what, where, and on which way. */
function explainMisfit(error: ShapeError, text: string, source: string): string {
  const { line, column } = locate(error, text);
  const chain = error.at.chain.join('->');
  return `${error.message}\n at [Source: ${source}; line: ${line}, column: ${column}] (through reference chain: ${chain})`;
}

type Location = { readonly line: number; readonly column: number };

/** JSON is YAML: one parser knows where the values of both stand. */
function locate({ at, noticed }: ShapeError, text: string): Location {
  const lines = new LineCounter();
  const node = parseDocument(text, { lineCounter: lines, uniqueKeys: false }).getIn(at.path, true);
  const [start = 0, end = 0] = (isNode(node) ? node.range : undefined) ?? [];
  // Of texts, objects and lists the JSON parser has read no more than the first character yet.
  const behind = /["[{]/u.test(text.charAt(start)) ? start + 1 : end;
  const { line, col } = lines.linePos(noticed === 'start' ? start : behind);
  return { line, column: col };
}
