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
  const quoting = some.files.filter((file) => {
    const text = textOf(file);
    // Checks the parsed values too: YAML may break a text anywhere.
    const said = valuesIn(text).flatMap(textsIn).join('\n');
    return [text, said].some((each) => redact(each) !== each);
  });
  const problems = quoting.map(({ file }): Diagnostic => {
    const message = 'The catalog contains a secret of this run: the file is not written.';
    const hint = 'Remove it from the contract in the catalog, and replace the secret.';
    const source = { file, line: 1, column: 1 };
    return { code: 'secret-in-catalog', severity: 'error', message, hint, source };
  });
  const files = some.files.filter((file) => !quoting.includes(file));
  return { ...some, files, problems: [...some.problems, ...problems] };
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}
