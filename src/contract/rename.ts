/** One set of files for several catalogs: how the names of files become those of a catalog. Pure. */

import { composed } from './canonical-name.ts';
import type { Identity } from './contract.ts';

/** What a qualified name begins with in files, and what with in the catalog. */
export type NameRule = { readonly from: string; readonly to: string };

/** The name that a file's has in the catalog, by the first rule that fits. */
export function nameInCatalog(name: string, rules: readonly NameRule[]): string {
  return replaceStart(name, rules);
}

/** The name that a catalog's has in files. */
export function nameInFiles(name: string, rules: readonly NameRule[]): string {
  return replaceStart(
    name,
    rules.map(({ from, to }) => ({ from: to, to: from })),
  );
}

/** A pattern on names as it is meant in the catalog: in patterns case does not count. */
export function patternInCatalog(pattern: string, rules: readonly NameRule[]): string {
  const folded = pattern.toLowerCase();
  const rule = rules.find(({ from }) => folded.startsWith(from.toLowerCase()));
  return rule ? `${rule.to}${pattern.slice(rule.from.length)}` : pattern;
}

function replaceStart(name: string, rules: readonly NameRule[]): string {
  const whole = composed(name);
  const rule = rules.find(({ from }) => whole.startsWith(composed(from)));
  return rule ? `${rule.to}${whole.slice(composed(rule.from).length)}` : name;
}

/** The same with its qualified names called otherwise. */
export function renameIdentity<Named extends Identity>(
  identity: Named,
  rename: (name: string) => string,
): Named {
  const { fullyQualifiedName, entity } = identity;
  const ofAsset = entity?.fullyQualifiedName;
  return {
    ...identity,
    ...(fullyQualifiedName !== undefined && { fullyQualifiedName: rename(fullyQualifiedName) }),
    ...(ofAsset !== undefined && { entity: { ...entity, fullyQualifiedName: rename(ofAsset) } }),
  };
}
