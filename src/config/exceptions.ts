import { hasPlaces } from '../compatibility/rule.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { complainAboutPattern, lazyPattern, quote } from '../core/text.ts';
import { isDay } from '../core/time.ts';
import type { PointerDiagnostic } from '../files/read/document.ts';
import type { Pointer } from '../patch/pointer.ts';

/** What the schema can't say of the entries of `allow`, also of those of teams and environments. */
export function exceptionProblems(document: JsonObject): PointerDiagnostic[] {
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

export const reasonHint =
  'Say who agreed to it and why: `agreed with finance, DATA-812`. A reason has at least four different letters or digits, and does not start with todo, tbd or fixme.';

/** Excludes blanks, `x` and `todo`; people judge the rest. */
export function isReason(text: string): boolean {
  const signs = new Set(text.toLowerCase().match(letterOrDigit()));
  return signs.size >= 4 && !duty().test(text);
}

const letterOrDigit = lazyPattern(String.raw`[\p{L}\p{N}]`, 'gu');
const duty = lazyPattern(String.raw`^\P{L}*(?:todo|tbd|fixme)\b`, 'iu');
