import { identityFields, managedFields } from '../../contract/contract.ts';
import { parseYaml } from './yaml.ts';

/** What each contract of a file has at least one of. */
export const contractMarks: readonly string[] = ['id', 'fullyQualifiedName', 'entity'];

/**
 * Whether a file is none of ours, so that nothing that stands in it may be shown: `.git/config` and
 * the like hold secrets. Ours has the ending of YAML or JSON, behind all links too, or is a mapping
 * with a key of these.
 */
export function isForeign(realPath: string, text: string, marks: readonly string[]): boolean {
  if (/\.(?:ya?ml|json)$/iu.test(realPath) || text.trim() === '') return false;
  return !hasKey(text, marks);
}

/** Whether a file, whatever its name, has something of a contract: then its lines may be shown. */
export function isContractLike(text: string): boolean {
  return hasKey(text, [...identityFields, ...managedFields]);
}

function hasKey(text: string, keys: readonly string[]): boolean {
  const { documents } = parseYaml(text);
  return documents.some((document) => keys.some((key) => document.has(key)));
}
