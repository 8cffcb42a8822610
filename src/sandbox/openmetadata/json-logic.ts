import { deepEqual, isArray, isObject, type JsonValue } from '../../core/json.ts';
import { toText } from './java-json.ts';

/** Whether a rule, written as JSON Logic, holds for an asset; one that cannot be read does not. */
export function holds(rule: string, asset: JsonValue): boolean {
  try {
    return isTruthy(evaluateLogic(JSON.parse(rule), asset));
  } catch {
    return false;
  }
}

type Operator = (values: readonly JsonValue[]) => JsonValue;

const asNumber = (value: JsonValue | undefined): number => Number(value ?? Number.NaN);

/** A comparison of two values, or of three for what lies between. */
function ordered(inOrder: (a: number, b: number) => boolean): Operator {
  return (values) =>
    values.slice(1).every((value, index) => inOrder(asNumber(values[index]), asNumber(value)));
}

const isEqual: Operator = ([a = null, b = null]) =>
  deepEqual(a, b) || (!isArray(a) && !isObject(a) && toText(a) === toText(b));

const operators: { readonly [name: string]: Operator } = {
  '==': isEqual,
  '===': ([a = null, b = null]) => deepEqual(a, b),
  '!=': (values) => !isEqual(values),
  '!==': ([a = null, b = null]) => !deepEqual(a, b),
  '>': ordered((a, b) => a > b),
  '>=': ordered((a, b) => a >= b),
  '<': ordered((a, b) => a < b),
  '<=': ordered((a, b) => a <= b),
  '!': ([value = null]) => !isTruthy(value),
  '!!': ([value = null]) => isTruthy(value),
  and: (values) => values.find((value) => !isTruthy(value)) ?? values.at(-1) ?? null,
  or: (values) => values.find(isTruthy) ?? values.at(-1) ?? null,
  in: ([a = null, b = null]) =>
    isArray(b) ? b.some((element) => deepEqual(element, a)) : toText(b).includes(toText(a)),
};

function evaluateLogic(logic: JsonValue, asset: JsonValue): JsonValue {
  if (isArray(logic)) return logic.map((element) => evaluateLogic(element, asset));
  if (!isObject(logic)) return logic;
  const [entry] = Object.entries(logic);
  if (!entry) return logic;
  const [name, given] = entry;
  const values = (isArray(given) ? given : [given]).map((value) => evaluateLogic(value, asset));
  if (name === 'var') return findVariable(asset, values);
  const operator = operators[name];
  if (!operator) throw new Error(`Undefined operation '${name}'`);
  return operator(values);
}

function findVariable(
  asset: JsonValue,
  [path = '', fallback = null]: readonly JsonValue[],
): JsonValue {
  let found: JsonValue | undefined = asset;
  for (const step of toText(path).split('.').filter(Boolean)) {
    if (isArray(found)) found = found[Number(step)];
    else found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found ?? fallback;
}

/** An empty list is false to JSON Logic. */
function isTruthy(value: JsonValue): boolean {
  return isArray(value) ? value.length > 0 : Boolean(value);
}
