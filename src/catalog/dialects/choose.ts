import type { ContractHead } from '../../contract/contract.ts';
import { adoptLifecycle, type Lifecycle, writableStatuses } from '../../contract/lifecycle.ts';
import type { Dialect } from './dialect.ts';
import { standard } from './standard.ts';
import { entityNameOf } from './openmetadata/names.ts';
import { openmetadata } from './openmetadata/openmetadata.ts';
import { reviewed } from './openmetadata/statuses.ts';

export type DialectSetting = 'auto' | Dialect['name'];

/**
 * The dialect that is set, or else the one that a contract speaks by its name. A catalog that tells
 * its release is OpenMetadata: no other is known to.
 */
export function chooseDialect(
  setting: DialectSetting,
  sample?: ContractHead,
  release?: string,
): Dialect {
  switch (setting) {
    case 'standard':
      return standard;
    case 'openmetadata':
      return openmetadata;
    case 'auto': {
      const isNamed = sample !== undefined && entityNameOf(sample) !== undefined;
      return isNamed || release !== undefined ? openmetadata : standard;
    }
  }
}

/** A lifecycle that is configured in part, and the dialect's own for the rest. */
export function completeLifecycle(
  setting: DialectSetting,
  configured: Partial<Lifecycle>,
): Lifecycle {
  return { ...chooseDialect(setting).lifecycle, ...configured };
}

/** The statuses that files may name, as far as the dialect is known before the catalog is asked. */
export function acceptedStatuses(setting: DialectSetting, lifecycle: Lifecycle): readonly string[] {
  const dialects = setting === 'auto' ? [standard, openmetadata] : [chooseDialect(setting)];
  const all = dialects.flatMap((dialect) => writableStatuses(adoptLifecycle(lifecycle, dialect)));
  return [...new Set(all)];
}

/**
 * The statuses that may be a reviewer's to give, as files name them. Until the dialect is known, a
 * word that the interface has too is no reason to ask every catalog for reviewers.
 */
export function reviewedStatuses(setting: DialectSetting): readonly string[] {
  if (setting === 'standard') return [];
  return setting === 'auto' ? reviewed : [...reviewed, ...synonymsOf(reviewed)];
}

function synonymsOf(words: readonly string[]): string[] {
  const { synonyms = {} } = openmetadata.lifecycle;
  return Object.keys(synonyms).filter((word) => words.includes(synonyms[word] ?? ''));
}
