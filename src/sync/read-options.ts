import { acceptedStatuses, productOf, type DialectSetting } from '../catalog/products/products.ts';
import type { ReadOptions } from '../files/files.ts';
import type { OdcsRules } from '../files/formats/odcs/settings.ts';
import type { Rules } from '../plan/rules.ts';

type Settings = {
  readonly rules: Pick<Rules, 'lifecycle' | 'names'>;
  readonly odcs?: OdcsRules | undefined;
  readonly dialect: DialectSetting;
};

/** What files are checked for before the catalog is asked. */
export function readOptionsOf({ rules, odcs, dialect }: Settings): ReadOptions {
  return {
    statuses: acceptedStatuses(dialect, rules.lifecycle),
    odcs,
    names: rules.names,
    ...(dialect !== 'auto' && { check: productOf(dialect).checkFields }),
  };
}
