import { adoptLifecycle, type Lifecycle, writableStatuses } from '../../contract/lifecycle.ts';
import type { Dialect } from './dialect.ts';
import { standard } from './standard.ts';
import { openmetadata } from './openmetadata/openmetadata.ts';
import { reviewed } from './openmetadata/statuses.ts';

export type DialectSetting = Dialect['name'];

/**
 * Of a catalog whose kind is not known nothing is sent that the kinds would have otherwise. What is
 * left is read and compared so that it holds for both.
 */
const undecided: Dialect = {
  ...standard,
  name: 'auto',
  equivalence: openmetadata.equivalence,
  comparesNumbers: false,
};

const dialects: Readonly<Record<DialectSetting, Dialect>> = {
  auto: undecided,
  standard,
  openmetadata,
};

/** The dialect that is set; for `auto` the one for a catalog whose kind is not known. */
export function chooseDialect(setting: DialectSetting): Dialect {
  return dialects[setting];
}

/** The dialects that a catalog may speak by the setting alone. */
export function possibleDialects(setting: DialectSetting): readonly [Dialect, ...Dialect[]] {
  return setting === 'auto' ? [standard, openmetadata] : [dialects[setting]];
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
  const all = possibleDialects(setting).flatMap((dialect) =>
    writableStatuses(adoptLifecycle(lifecycle, dialect)),
  );
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
