import {
  listAt,
  type MappingScope,
  objectAt,
  objectsIn,
  type Placed,
  type PlacedObject,
  type Section,
  textAt,
  withObject,
} from './scope.ts';
import { isNothing, isObject, type JsonObject } from '../../../core/json.ts';
import { type Stated, stateValue } from './refine.ts';

/** An empty description of a file removes the live one. */
export function mapDescription(scope: MappingScope): Stated | undefined {
  const { document, object } = scope;
  const parts = objectAt(document, 'description');
  const stated =
    object && isOwnDescription(object, document)
      ? scope.text(object, 'description')
      : parts
        ? joined(parts, scope)
        : scope.text(document, 'description');
  return stated && stateValue(stated.pointer, stated.value === '' ? null : stated.value);
}

/** The document's description comes first, but not where it is for several objects. */
export function isOwnDescription(object: PlacedObject, document: PlacedObject): boolean {
  const own = textAt(object, 'description')?.value;
  const isOneOfMany = objectsIn(listAt(document, 'schema')).length > 1;
  const parts = objectAt(document, 'description');
  const texts = parts
    ? Object.keys(headings).map((key) => textAt(parts, key))
    : [textAt(document, 'description')];
  const isSaid = texts.some((text) => text !== undefined && text.value !== '');
  return own !== undefined && (!isSaid || (isOneOfMany && own !== ''));
}

/** A text without headings is the purpose. */
export function splitDescription(text: string) {
  const limitations = partBehind(text, headings.limitations);
  const rest = limitations ? limitations.behind : text;
  const usage = partBehind(rest, headings.usage);
  const first = limitations ?? usage;
  return {
    purpose: first ? first.before : text,
    ...(limitations && { limitations: usage ? usage.before : limitations.behind }),
    ...(usage && { usage: usage.behind }),
  };
}

function partBehind(text: string, heading: string) {
  const mark = headingOf(heading);
  const start = text.indexOf(mark, 1);
  if (start === -1) return undefined;
  return { before: text.slice(0, start), behind: text.slice(start + mark.length) };
}

function headingOf(heading: string): string {
  return `\n\n**${heading}:**\n`;
}

const headings = { purpose: undefined, limitations: 'Limitations', usage: 'Usage' } as const;

// Joined as a catalog's own import does: a heading follows other text. Empty parts, which
// spreadsheets leave, are skipped; if all are empty, the live description is removed.
function joined(description: PlacedObject, scope: MappingScope): Placed<string> | undefined {
  const parts = Object.entries(headings).flatMap(([key, heading]) => {
    const part = scope.text(description, key);
    return part ? [{ ...part, heading }] : [];
  });
  const [first, ...others] = parts.filter(({ value }) => value.trim() !== '');
  if (!first) return parts[0] && { pointer: parts[0].pointer, value: '' };
  const rest = others.map(({ heading = '', value }) => `${headingOf(heading)}${value}`);
  return { pointer: first.pointer, value: [first.value, ...rest].join('') };
}

export function restateDescription({ scope, live }: Section): JsonObject {
  const { object } = scope;
  const document = scope.document.value;
  const text = typeof live['description'] === 'string' ? live['description'] : '';
  if (object && isOwnDescription(object, scope.document))
    return withObject(scope, { ...object.value, description: text });
  const { description } = document;
  return { ...document, description: isObject(description) ? partsOf(text, description) : text };
}

function partsOf(text: string, former: JsonObject): JsonObject {
  const parts: JsonObject = splitDescription(text);
  const names = Object.keys(headings);
  const [said, another] = names.filter((name) => !isNothing(former[name]));
  const isOne = said !== undefined && another === undefined && Object.keys(parts).length === 1;
  const restated = isOne ? { [said]: text } : parts;
  const stay = Object.entries(former).filter(
    ([name]) => !names.includes(name) || Object.hasOwn(restated, name),
  );
  return { ...Object.fromEntries(stay), ...restated };
}
