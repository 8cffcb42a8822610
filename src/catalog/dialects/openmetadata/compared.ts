import type { JsonValue } from '../../../core/json.ts';
import type { Equivalence } from '../../../contract/equality.ts';
import { asStored } from './words.ts';

/**
 * What release 1.12.6 answers for members that nobody has set. Columns that came from a crawler have
 * the length 1 where their type has none.
 */
const defaults: readonly (readonly [pointer: string, value: JsonValue])[] = [
  ['semantics/*/enabled', true],
  ['semantics/*/provider', 'user'],
  ['semantics/*/inherited', false],
  ['schema/**/dataLength', 1],
  ['sla/timezone', 'GMT+00:00 (Europe/London)'],
  ['sla/inherited', false],
  ['termsOfUse/inherited', false],
  ['security/inherited', false],
];

/** How contracts are compared. Lists that are empty, null or absent are one: so are their defaults. */
export const compared: Omit<Equivalence, 'ignore'> = {
  // The columns of other releases, and those chosen in the web interface, have these beside the rest.
  serverAdded: [
    ['schema', '**', 'fullyQualifiedName'],
    ['schema', '**', 'dataTypeDisplay'],
  ],
  defaults: defaults.map(([pointer, value]) => ({ pattern: pointer.split('/'), value })),
  emptyIsAbsent: true,
  asStored,
};
