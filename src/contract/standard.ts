import { quote } from '../core/text.ts';
import type { JsonObject } from '../core/json.ts';
import type { Conventions } from './conventions.ts';
import type { FieldProblem } from './field-check.ts';
import { defaultLifecycle } from './lifecycle.ts';
import { predictVersions } from './version.ts';

/** What the interface says, and nothing beyond it. */
export const standardConventions: Conventions = {
  lifecycle: defaultLifecycle,
  predictVersions,
  checkFields: unknownToInterface,
  checkChange: () => [],
  isTestable: () => true,
  asWritten: (_field, value) => value,
  findCarrier: () => ({ kind: 'none' }),
};

/** Fields of a file that the interface (§2.1) does not have. `displayName` is in its §3. */
const beyond = [
  'termsOfUse',
  'security',
  'effectiveFrom',
  'effectiveUntil',
  'sourceUrl',
  'qualityExpectations',
] as const;

function unknownToInterface(fields: JsonObject): FieldProblem[] {
  return beyond
    .filter((field) => Object.hasOwn(fields, field))
    .map((field) => ({
      code: 'field-not-in-interface',
      severity: 'error',
      message: `The documented interface has no field ${quote(field)}.`,
      hint: `Remove it, or set \`catalog.dialect: openmetadata\` if that is what the catalog is.`,
      pointer: [field],
    }));
}
