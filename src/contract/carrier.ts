import type { JsonObject, JsonValue } from '../core/json.ts';

/** Whether changes that a catalog forgets may ride on one of the display name. */
export type CarrierSetting = 'displayName' | 'none';

/** A change of one contract, as a catalog's dialect looks at it. */
export type CarriedChange = {
  readonly live: JsonObject;
  readonly target: JsonObject;
  /** The fields that the file manages. */
  readonly managed: JsonObject;
  readonly setting: CarrierSetting;
};

/** What it takes to have a change stored: nothing, another change beside it, or more than we can do. */
export type Carrier =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'field';
      readonly field: string;
      /** Null takes the field out. */
      readonly value: JsonValue;
      readonly reason: string;
    }
  | {
      readonly kind: 'impossible';
      readonly message: string;
      readonly hint: string;
    };

/** Finds what has to go with a change of this catalog. */
export type FindCarrier = (change: CarriedChange) => Carrier;
