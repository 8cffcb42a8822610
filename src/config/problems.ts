import type { ErrorObject } from 'ajv';
import { hasPlaces } from '../compatibility/rule.ts';
import { identityFields, managedFields, serverFields } from '../contract/contract.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import {
  complainAboutPattern,
  count,
  didYouMean,
  lazyPattern,
  quote,
  suggest,
} from '../core/text.ts';
import { isDay } from '../core/time.ts';
import { typeNames } from '../files/formats/format.ts';
import { unknownKey } from '../files/formats/native/native.ts';
import type { PointerDiagnostic } from '../files/read/document.ts';
import { validate } from '../generated/config.js';
import { formatPointer, parsePointer, type Pointer } from '../patch/pointer.ts';

/** What the text of a configuration file shows to be wrong, all at once. */
export function configProblems(document: JsonValue): PointerDiagnostic[] {
  const problems = validate(document) ? [] : shapeProblems();
  const told = new Set(problems.map(({ pointer }) => formatPointer(pointer)));
  const ofExceptions = isObject(document) ? exceptionProblems(document) : [];
  return [...problems, ...ofExceptions.filter(({ pointer }) => !told.has(formatPointer(pointer)))];
}

function shapeProblems(): PointerDiagnostic[] {
  const errors = validate.errors ?? [];
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf');
  const isOfBranch = ({ keyword, instancePath }: ErrorObject): boolean =>
    keyword !== 'anyOf' &&
    choices.some((choice) => `${instancePath}/`.startsWith(`${choice.instancePath}/`));
  const problems = errors
    .filter((error) => error.propertyName === undefined && !isOfBranch(error))
    .map(describe);
  return [...new Map(problems.map((each) => [JSON.stringify(each), each])).values()];
}

function describe(error: ErrorObject): PointerDiagnostic {
  if (error.keyword === 'additionalProperties') return unknownKey(error, 'the configuration');
  const pointer = parsePointer(error.instancePath) ?? [];
  const name = pointer.length === 0 ? 'The configuration' : `\`${pointer.join('.')}\``;
  const hint = hintFor(error, pointer.at(-1));
  const complaint =
    complaints[error.keyword]?.(error) ??
    `must be ${error.parentSchema?.['$comment'] ?? 'of another form'}`;
  const message = `${name} ${complaint}.`;
  return { code: 'invalid-config', message, ...(hint !== undefined && { hint }), pointer };
}

// By schema keyword; for all others the schema's `$comment` has the words.
const complaints: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ schema, parentSchema }) => {
    const types = [schema].flat().map((type) => typeNames[String(type)]);
    const form = schema === 'string' ? parentSchema?.['$comment'] : undefined;
    return `must be ${form ?? types.join(' or ')}`;
  },
  enum: ({ schema }) => `must be one of ${[schema].flat().join(', ')}`,
  required: ({ params }) => `lacks \`${params['missingProperty']}\``,
  minimum: ({ params }) => `must be at least ${params['limit']}`,
  exclusiveMinimum: ({ params }) => `must be more than ${params['limit']}`,
  maximum: ({ params }) => `must be at most ${params['limit']}`,
  minLength: ({ schema }) => `needs at least ${count(Number(schema), 'character', 'characters')}`,
  minItems: ({ schema }) => `needs at least ${count(Number(schema), 'item', 'items')}`,
  uniqueItems: () => 'has the same item twice',
  propertyNames: ({ schema }) => `has a key that is not ${Object(schema).$comment}`,
};

function hintFor({ keyword, schema, parentSchema, data }: ErrorObject, key: string | undefined) {
  if (keyword === 'enum' && typeof data === 'string')
    return didYouMean(data, [schema].flat().map(String));
  if (keyword !== 'type' || key === undefined) return undefined;
  if (schema === 'object') {
    const { required = [], properties = {} } = parentSchema ?? {};
    const [member = 'KEY'] = [...required, ...Object.keys(properties)];
    return `Write \`${/^\d+$/u.test(key) ? '' : `${key}: `}{ ${member}: … }\`.`;
  }
  return schema === 'array' ? hintForList(key, data) : undefined;
}

function hintForList(key: string, data: unknown): string {
  return key === 'protected' && /^(?:true|yes|on)$/iu.test(String(data))
    ? 'Write `protected: ["**"]` for all contracts, or `protected: true` in an environment, whose apply then asks.'
    : `Write \`${key}: [${typeof data === 'string' ? JSON.stringify(data) : '…'}]\`.`;
}

/** What the schema can't say of the entries of `allow`, also of those of teams and environments. */
function exceptionProblems(document: JsonObject): PointerDiagnostic[] {
  const parts: [Pointer, JsonValue][] = [[[], document]];
  for (const key of ['teams', 'environments']) {
    const named = document[key];
    if (isObject(named))
      for (const [name, part] of Object.entries(named)) parts.push([[key, name], part]);
  }
  const problems: PointerDiagnostic[] = [];
  for (const [pointer, part] of parts) {
    const { allow = null } = isObject(part) ? part : {};
    if (!isArray(allow)) continue;
    for (const [index, entry] of allow.entries())
      if (isObject(entry))
        problems.push(...entryProblems(entry, [...pointer, 'allow', String(index)]));
  }
  return problems;
}

function entryProblems(entry: JsonObject, pointer: Pointer): PointerDiagnostic[] {
  const { contract, rule, place, reason, until } = entry;
  const problems: PointerDiagnostic[] = [];
  const refuse = (key: string, message: string, hint: string): void => {
    problems.push({ code: 'invalid-config', message, hint, pointer: [...pointer, key] });
  };
  const pattern = typeof contract === 'string' ? patternProblem(contract) : undefined;
  if (pattern) refuse('contract', pattern.message, pattern.hint);
  if (typeof rule === 'string' && place !== undefined && !hasPlaces(rule))
    refuse('place', `${rule} is about the whole contract.`, 'Remove `place`.');
  if (typeof reason === 'string' && !isReason(reason))
    refuse('reason', `The reason ${quote(reason)} says nothing.`, reasonHint);
  if (typeof until === 'string' && !isDay(until))
    refuse('until', `Invalid day ${quote(until)}.`, 'Write it like 2027-01-31.');
  return problems;
}

export function patternProblem(text: string) {
  const complaint = complainAboutPattern(text);
  if (complaint === undefined) return undefined;
  const hint =
    'Use * for any text within a segment and ** for any number of segments, or list several patterns.';
  return { message: `The pattern ${quote(text)} ${complaint}.`, hint };
}

/** A pattern that is no pointer or can't match: elements of lists have no names in patterns. */
export function ignoreProblem(text: string): { message: string; hint: string } | undefined {
  const [field = '', ...below] = parsePointer(text) ?? [];
  if (field === '') {
    const hint = 'Write it like /schema/*/tags: `*` matches one step, `**` any number.';
    return { message: `Invalid pointer pattern ${quote(text)}.`, hint };
  }
  const known: readonly string[] = [...managedFields, ...identityFields, ...serverFields];
  const [element = '*', ...rest] = below;
  const isNamed = ['schema', 'semantics'].includes(field) && !element.startsWith('*');
  if (field.startsWith('*') || (known.includes(field) && !isNamed)) return undefined;
  const message = `${quote(text)} in \`ignore\` matches no place of a contract.`;
  const asPattern = isNamed
    ? formatPointer([field, '*', ...rest])
    : text.replace(/\[[^\]]*\]/gu, '/*').replaceAll('*.', '*/');
  if (asPattern !== text)
    return { message, hint: `Write \`${asPattern}\`: \`*\` is each element.` };
  const near = suggest(field, known);
  const hint = near && `Did you mean "${formatPointer([near, ...below])}"?`;
  return { message, hint: hint ?? `Its fields are ${managedFields.join(', ')}.` };
}

export const reasonHint =
  'Say who agreed to it and why: `agreed with finance, DATA-812`. A reason has at least four different letters or digits, and does not start with todo, tbd or fixme.';

/** Excludes blanks, `x` and `todo`; people judge the rest. */
export function isReason(text: string): boolean {
  const signs = new Set(text.toLowerCase().match(letterOrDigit()));
  return signs.size >= 4 && !duty().test(text);
}

const letterOrDigit = lazyPattern(String.raw`[\p{L}\p{N}]`, 'gu');
const duty = lazyPattern(String.raw`^\P{L}*(?:todo|tbd|fixme)\b`, 'iu');
