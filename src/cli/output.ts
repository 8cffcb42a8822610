import { resolve } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import { FolderError, LinkError, placeOfOutput, writeOutput } from '../disk.ts';
import { whyUnwritable } from '../files/write.ts';
import type { Terminal } from './terminal.ts';

export type OutputFile = { readonly write: (text: string) => void };

/**
 * Checked before the run, which must be able to report what it did. No link may lead out of the
 * named folder, nor out of the run's folder where the name stays in it.
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
