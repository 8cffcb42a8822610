import type { Diagnostic } from '../core/diagnostic.ts';
import type { Redactor } from '../core/redact.ts';

/** Files to be written, and what is to be said of others. */
type Files<File> = { readonly files: readonly File[]; readonly problems: readonly Diagnostic[] };

/** A catalog may quote a secret of this run: a file that would hold it is not written. */
export function withoutSecretTexts<
  File extends { readonly file: string },
  Some extends Files<File>,
>(some: Some & Files<File>, textOf: (file: File) => string, { redact }: Redactor): Some {
  const tells = (file: File): boolean => redact(textOf(file)) !== textOf(file);
  const problems = some.files.filter(tells).map(({ file }) => quotesSecret(file));
  return {
    ...some,
    files: some.files.filter((file) => !tells(file)),
    problems: [...some.problems, ...problems],
  };
}

function quotesSecret(file: string): Diagnostic {
  return {
    code: 'secret-in-catalog',
    severity: 'error',
    message: 'The catalog contains a secret of this run: the file is not written.',
    hint: 'Remove it from the contract in the catalog, and replace the secret.',
    source: { file, line: 1, column: 1 },
  };
}
