import { objectAt, type Placed, type PlacedObject, textAt } from './place.ts';
import type { MappingScope } from './scope.ts';
import { type Stated, stateValue } from './stated.ts';

/** The document's description, else the object's; an empty one is to be removed. */
export function mapDescription(
  object: PlacedObject | undefined,
  scope: MappingScope,
): Stated | undefined {
  const ofDocument = documentDescription(scope);
  const stated =
    ofDocument && ofDocument.value !== ''
      ? ofDocument
      : ((object && scope.text(object, 'description')) ?? ofDocument);
  return stated && stateValue(stated.pointer, stated.value === '' ? null : stated.value);
}

/** Whether a document describes itself, so that its objects' descriptions stay unsaid. */
export function describesItself(document: PlacedObject): boolean {
  const parts = objectAt(document, 'description');
  const texts = parts
    ? Object.keys(headings).map((key) => textAt(parts, key))
    : [textAt(document, 'description')];
  return texts.some((text) => text !== undefined && text.value !== '');
}

/** A mere text, which some tools write, is the purpose. */
function documentDescription(scope: MappingScope): Placed<string> | undefined {
  const parts = objectAt(scope.document, 'description');
  return parts ? joined(parts, scope) : scope.text(scope.document, 'description');
}

const headings = { purpose: undefined, limitations: 'Limitations', usage: 'Usage' } as const;

/** Exactly the text that OpenMetadata's import makes: a heading only behind other text. */
function joined(description: PlacedObject, scope: MappingScope): Placed<string> | undefined {
  let all: Placed<string> | undefined;
  for (const [key, heading] of Object.entries(headings)) {
    const part = scope.text(description, key);
    if (!part) continue;
    const before = all?.value ?? '';
    const between = before === '' || !heading ? '' : `\n\n**${heading}:**\n`;
    all = { pointer: all?.pointer ?? part.pointer, value: `${before}${between}${part.value}` };
  }
  return all;
}
