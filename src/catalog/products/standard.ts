import { standardConventions } from '../../contract/conventions.ts';
import { quote } from '../../core/text.ts';
import type { Product } from './product.ts';

const certain: ReadonlySet<number> = new Set([400, 401, 403, 404]);

// The interface has 400 for a failed `test` (§7), RFC 5789 §2.2 has 422.
const ofTests: ReadonlySet<number> = new Set([400, 422]);

export const standard: Product = {
  ...standardConventions,
  title: 'standard',
  contractSchema: 'contract',
  detect: { statuses: ['Active'] },
  equivalence: { fill: [], emptyIsAbsent: false },
  addressOf: () => undefined,
  comparesNumbers: true,
  knowsTests: false,
  movesStatus: false,
  // 409 and 412 don't show a failed `test`: a lock gives them too.
  meaning: ({ status = 0 }) => ({
    isRefusal: certain.has(status),
    isRefusedTest: ofTests.has(status),
    isRefusedGuard: ofTests.has(status),
    isOwnedStatus: false,
    mayLeave: [],
  }),
  reviewedStatuses: [],
  takesAnyUnit: true,
  checkFields: (fields) =>
    beyond
      .filter((field) => Object.hasOwn(fields, field))
      .map((field) => ({
        code: 'field-not-in-interface',
        severity: 'error',
        message: `The documented interface has no field ${quote(field)}.`,
        hint: 'Remove it, or set `catalog.dialect` if the catalog is of another kind.',
        pointer: [field],
      })),
};

// Fields of a file that the interface (§2.1) does not have. `displayName` is in its §3.
const beyond = [
  'termsOfUse',
  'security',
  'effectiveFrom',
  'effectiveUntil',
  'sourceUrl',
  'qualityExpectations',
  'odcsQualityRules',
] as const;
