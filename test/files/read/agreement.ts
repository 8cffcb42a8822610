import { loadAll } from 'js-yaml';
import { parseAllDocuments, Schema } from 'yaml';
import { readDocuments } from '../../../src/files/read/document.ts';

export type Agreement = 'refused' | 'agree' | `differ: ${string}`;

/** Compares what we read in a text with what js-yaml and the package `yaml` read by themselves. */
export function agreementOn(text: string): Agreement {
  const { documents, errors } = readDocuments(text);
  const values = documents.map(({ value }) => value);
  // A document of one scalar is no contract.
  const isRefused = errors.length > 0 || documents.some((each) => each.errors.length > 0);
  if (isRefused || values.some((value) => typeof value !== 'object')) return 'refused';
  for (const read of [valuesByYaml, valuesByJsYaml]) {
    const others = read(text);
    const [own, theirs] = [values, others].map(written);
    // Only merged members may come in another order.
    const isSame = own === theirs || (text.includes('<<') && sorted(own) === sorted(theirs));
    if (others && !isSame) return `differ: ${own} is ${theirs} to ${read.name}`;
  }
  return 'agree';
}

// Readers count documents without content differently.
function written(values: readonly unknown[] | undefined): string | undefined {
  return values && JSON.stringify(values.filter((value) => value !== null));
}

function sorted(text = ''): string {
  return text.split('').toSorted().join('');
}

const schema = new Schema({ schema: 'core', merge: true, resolveKnownTags: false });

function valuesByYaml(text: string): readonly unknown[] | undefined {
  const all = [...parseAllDocuments(text, { schema, uniqueKeys: false, logLevel: 'silent' })];
  if (all.some(({ errors, warnings }) => errors.length + warnings.length > 0)) return undefined;
  return all.map((document) => document.toJS({ maxAliasCount: -1 }));
}

/** Undefined also for merge keys, which its core schema leaves alone. */
function valuesByJsYaml(text: string): readonly unknown[] | undefined {
  try {
    return text.includes('<<') ? undefined : loadAll(text);
  } catch {
    return undefined;
  }
}
