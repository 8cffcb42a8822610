/** The word of an ODCS document for a status of the catalog. Pure. */

import type { RestateRules } from '../../contract/equality.ts';
import type { JsonValue } from '../../core/json.ts';
import type { MappingScope } from '../../files/formats/odcs/scope.ts';
import { wordsFor } from '../../files/formats/odcs/status.ts';

/** Files may call a status otherwise than the catalog does. */
export function statusWord(
  status: JsonValue | undefined,
  { equivalence }: Pick<RestateRules, 'equivalence'>,
  scope: Pick<MappingScope, 'settings' | 'run'>,
): string | undefined {
  if (typeof status !== 'string') return undefined;
  const [word] = wordsFor(status, scope, (meant) => {
    const stored = equivalence.asStored?.({ entityStatus: meant }, {})['entityStatus'];
    return typeof stored === 'string' ? stored : meant;
  });
  return word;
}
