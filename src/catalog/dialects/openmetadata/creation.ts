import { isObject, type JsonObject } from '../../../core/json.ts';
import { asStored } from './words.ts';

/** What a create request has in common with a patch; terms of use are a text in it. */
export function bodyOf(managed: JsonObject): JsonObject {
  const given = Object.entries(asStored(managed, {})).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([field, value]) => {
      const terms = field === 'termsOfUse' && isObject(value) ? value['content'] : undefined;
      return [field, terms ?? value];
    }),
  );
}
