import { isArray, isObject, type JsonValue } from '../core/json.ts';
import { suggest } from '../core/text.ts';
import { type Matching, type Pattern, startMatching } from './pattern.ts';

/** Which members documents have and where; `*` stands for the elements of an array. */
export type Outline = ReadonlyMap<string, Outline>;

type Growing = Map<string, Growing>;

const anyElement = '*';

/** Bounds on what hostile documents can make of an outline. */
const mostPlaces = 10_000;
const deepest = 100;

/** Draws the outline of documents as they come. */
export type OutlineDrawer = {
  readonly add: (document: JsonValue) => void;
  /** Undefined where there was too much to keep: then what is not in it may be there all the same. */
  readonly outline: () => Outline | undefined;
};

export function drawOutline(): OutlineDrawer {
  const root: Growing = new Map();
  let places = 0;
  let isWhole = true;

  function add(value: JsonValue, at: Growing, depth: number): void {
    const isLeaf = !isArray(value) && !isObject(value);
    if (isLeaf || !isWhole) return;
    if (depth > deepest) isWhole = false;
    else if (isArray(value)) for (const each of value) addBelow(anyElement, each, at, depth);
    else for (const name of Object.keys(value)) addBelow(name, value[name] ?? null, at, depth);
  }

  function addBelow(name: string, value: JsonValue, at: Growing, depth: number): void {
    const below = at.get(name) ?? grow(at, name);
    if (below) add(value, below, depth + 1);
  }

  function grow(at: Growing, name: string): Growing | undefined {
    places += 1;
    if (places > mostPlaces) {
      isWhole = false;
      return undefined;
    }
    const below: Growing = new Map();
    at.set(name, below);
    return below;
  }

  return {
    add: (document) => add(document, root, 0),
    outline: () => (isWhole ? root : undefined),
  };
}

/** Whether a pattern matches anything that one of the documents has. */
export function isInOutline(pattern: Pattern, outline: Outline): boolean {
  return isFound(startMatching([pattern]), outline);
}

function isFound(matching: Matching, outline: Outline): boolean {
  if (matching.isMatch) return true;
  return (
    matching.goesOn &&
    outline.entries().some(([name, below]) => isFound(matching.below(name), below))
  );
}

/** The pattern that was probably meant by one that matches nothing: step by step, what is there. */
export function nearestPointer(pattern: Pattern, outline: Outline): Pattern | undefined {
  const fitted: string[] = [];
  let at: readonly Outline[] = [outline];
  for (const [depth, token] of pattern.entries()) {
    if (token === '**') {
      fitted.push(...pattern.slice(depth));
      break;
    }
    const step = stepFor(token, new Set(at.flatMap((each) => [...each.keys()])));
    if (step === undefined) return undefined;
    at = at.flatMap((each) => childrenAt(each, step));
    fitted.push(step);
  }
  return isInOutline(fitted, outline) ? fitted : undefined;
}

function stepFor(token: string, names: ReadonlySet<string>): string | undefined {
  if (token === anyElement || names.has(token)) return token;
  // Patterns know no indices.
  const isIndex = names.has(anyElement) && /^(?:\d+|-)$/u.test(token);
  return isIndex ? anyElement : suggest(token, [...names]);
}

function childrenAt(outline: Outline, token: string): Outline[] {
  if (token === anyElement) return [...outline.values()];
  const child = outline.get(token);
  return child ? [child] : [];
}

/** The members that elements of arrays have, by the name of the member that holds the array. */
export function elementMembers(outline: Outline): ReadonlyMap<string, ReadonlySet<string>> {
  const members = new Map<string, Set<string>>();
  const visit = (at: Outline): void => {
    for (const [name, below] of at) {
      const element = below.get(anyElement);
      if (element) {
        members.set(name, new Set([...(members.get(name) ?? []), ...element.keys()]));
      }
      visit(below);
    }
  };
  visit(outline);
  return members;
}
