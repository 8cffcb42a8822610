import type { Diagnostic } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonValue } from '../core/json.ts';
import type { Redactor } from '../core/redact.ts';
import { valuesIn } from '../files/read/document.ts';

type Files<File> = { readonly files: readonly File[]; readonly problems: readonly Diagnostic[] };

/** The catalog may contain a secret of this run; a file with one is not written. */
export function withoutSecretTexts<
  File extends { readonly file: string },
  Some extends Files<File>,
>(some: Some & Files<File>, textOf: (file: File) => string, { redact }: Redactor): Some {
  const quoting = new Set(some.files.filter((file) => hasSecret(textOf(file), redact)));
  const problems = [...some.problems, ...[...quoting].map(quotesSecret)];
  return { ...some, files: some.files.filter((file) => !quoting.has(file)), problems };
}

// Checks the parsed values too: YAML may break a text anywhere.
function hasSecret(text: string, redact: Redactor['redact']): boolean {
  const said = valuesIn(text).flatMap(textsIn);
  return [text, said.join('\n')].some((each) => redact(each) !== each);
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}

function quotesSecret({ file }: { readonly file: string }): Diagnostic {
  const message = 'The catalog contains a secret of this run: the file is not written.';
  const hint = 'Remove it from the contract in the catalog, and replace the secret.';
  const source = { file, line: 1, column: 1 };
  return { code: 'secret-in-catalog', severity: 'error', message, hint, source };
}
