import { resolve } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import { FolderError, LinkError, placeOfOutput, writeOutput } from '../disk.ts';
import { whyUnwritable } from '../files/write.ts';
import type { Terminal } from './terminal.ts';

/** A file that a flag names, for a document that is written at the end of a run. */
export type OutputFile = { readonly write: (text: string) => void };

/**
 * Checks that the file can be written, so that a run which could not tell what it did never begins.
 * It leads nowhere else: no link leaves the folder that is named, nor the folder of the run where
 * the name does not.
 */
export function openOutput(
  flag: '--out' | '--report',
  name: string | undefined,
  { folder, redactor }: Terminal,
): OutputFile | undefined {
  if (name === undefined) return undefined;
  const path = resolve(folder, name);
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      throw cause instanceof LinkError ? leadsElsewhere(flag, path) : unwritable(flag, path, cause);
    }
  };
  attempt(() => placeOfOutput(path, folder));
  return { write: (text) => attempt(() => writeOutput(path, folder, redactor.redact(text))) };
}

const documents = { '--out': 'The plan', '--report': 'The report' };

function leadsElsewhere(flag: keyof typeof documents, path: string): ConfigError {
  return new ConfigError(
    'link-outside-folder',
    `${documents[flag]} can't be written to ${path}: a symbolic link leads out of the folder.`,
    { hint: `Remove the link, or name the file that it leads to with ${flag}.` },
  );
}

function unwritable(flag: keyof typeof documents, path: string, cause: unknown): ConfigError {
  const reason = cause instanceof FolderError ? 'it is a folder' : whyUnwritable(cause);
  const why = reason === undefined ? '' : `: ${reason}`;
  return new ConfigError(
    'unwritable-file',
    `${documents[flag]} can't be written to ${path}${why}.`,
    {
      hint: `Name a file in a folder that exists and you can write to with ${flag}.`,
      cause,
    },
  );
}
