import { resolve } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import { FolderError, LinkError, placeOfOutput, writeOutput } from '../disk.ts';
import { whyUnwritable } from '../files/write.ts';
import type { Terminal } from './terminal.ts';

/** A file that a flag names, for a document that is written at the end of a run. */
export type OutputFile = { readonly write: (text: string) => void };

type Named = { readonly flag: string; readonly name: string; readonly document: string };

/**
 * Checks that the file can be written, so that a run which could not tell what it did never begins.
 * It leads nowhere else: no link leaves the folder that is named, nor the folder of the run where
 * the name does not.
 */
export function openOutput(named: Named, { folder, redactor }: Terminal): OutputFile {
  const path = resolve(folder, named.name);
  attempt(named, () => placeOfOutput(path, folder));
  return {
    write: (text) => attempt(named, () => writeOutput(path, folder, redactor.redact(text))),
  };
}

function attempt(named: Named, work: () => void): void {
  try {
    work();
  } catch (cause) {
    throw cause instanceof LinkError ? leadsElsewhere(named) : unwritable(named, cause);
  }
}

function leadsElsewhere({ flag, name, document }: Named): ConfigError {
  return new ConfigError(
    'link-outside-folder',
    `${document} can't be written to ${name}: a symbolic link leads out of the folder.`,
    { hint: `Remove the link, or name the file that it leads to with ${flag}.` },
  );
}

function unwritable({ flag, name, document }: Named, cause: unknown): ConfigError {
  const reason = cause instanceof FolderError ? 'it is a folder' : whyUnwritable(cause);
  const why = reason === undefined ? '' : `: ${reason}`;
  return new ConfigError('unwritable-file', `${document} can't be written to ${name}${why}.`, {
    hint: `Name a file in a folder that exists and you can write to with ${flag}.`,
    cause,
  });
}
