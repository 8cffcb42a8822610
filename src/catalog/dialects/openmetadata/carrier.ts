import type { Carrier, CarriedChange } from '../../../contract/carrier.ts';
import { isNothing, type JsonValue } from '../../../core/json.ts';
import { isRecorded } from './recorded.ts';

/**
 * A change of nothing that the server records is answered with yes and lost. It is stored beside
 * one that is recorded, and one shows nowhere: a display name that is the contract's name.
 */
export function findCarrier({ live, target, managed, setting }: CarriedChange): Carrier {
  if (isRecorded(live, target)) return { kind: 'none' };
  const { name = null, displayName } = live;
  if (setting === 'none' || name === null) return impossible(`C${otherwise.slice(1)}`);
  if (Object.hasOwn(managed, 'displayName')) {
    return impossible(`Leave \`displayName\` out of the file, or ${otherwise}`);
  }
  if (isNothing(displayName))
    return carrier(name, 'sets the display name to the name of the contract');
  if (displayName === name)
    return carrier(null, 'removes the display name, which is the name of the contract');
  return impossible(`Remove the contract's display name in the catalog, or ${otherwise}`);
}

const notStored = 'The catalog accepts this change but stores it only together with another';

const otherwise =
  'also change something in the file that the catalog stores by itself, such as the description.';

function carrier(value: JsonValue, what: string): Carrier {
  const reason = `${notStored}. So the patch also ${what}, which changes nothing that people see.`;
  return { kind: 'field', field: 'displayName', value, reason };
}

function impossible(hint: string): Carrier {
  return { kind: 'impossible', message: `${notStored}.`, hint };
}
