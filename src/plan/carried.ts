import type { DesiredContract } from '../contract/contract.ts';
import type { Problem } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import type { Rules } from './rules.ts';
import type { Sides } from './change.ts';

/** What a change becomes so that its catalog stores it. */
export type CarriedTarget = {
  readonly target: JsonObject;
  /** The field that is changed for that alone. */
  readonly carrier?: string;
  readonly problems: readonly Problem[];
};

/** Adds to a change what its catalog needs to store it; where that cannot be, it is blocked. */
export function addCarrier(
  { live, target }: Sides,
  { managed, locate, source }: DesiredContract,
  { conventions, carrier: setting }: Rules,
): CarriedTarget {
  const found = conventions.findCarrier({ live, target, managed, setting });
  switch (found.kind) {
    case 'none':
      return { target, problems: [] };
    case 'field': {
      const { field, value, reason: message } = found;
      const { [field]: _, ...rest } = target;
      return {
        target: value === null ? rest : { ...rest, [field]: value },
        carrier: field,
        problems: [{ code: 'change-carried', severity: 'information', message, source }],
      };
    }
    case 'impossible': {
      const { message, hint } = found;
      const place = locate(
        Object.keys(managed)
          .filter((field) => live[field] !== target[field])
          .slice(0, 1),
      );
      return {
        target,
        problems: [{ code: 'change-not-stored', severity: 'error', message, hint, source: place }],
      };
    }
  }
}
