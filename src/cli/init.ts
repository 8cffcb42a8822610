import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import { findExample } from './demo.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

/** What is written, and the example that it is a copy of. */
type Starter = { readonly target: string; readonly example: string; readonly name: string };

const files: readonly Starter[] = [
  { target: 'contract-sync.yaml', example: 'starter', name: 'contract-sync.yaml' },
  {
    target: '.github/workflows/contract-sync-plan.yml',
    example: 'workflows',
    name: 'contract-sync-plan.yml',
  },
  {
    target: '.github/workflows/contract-sync-apply.yml',
    example: 'workflows',
    name: 'contract-sync-apply.yml',
  },
];

/** For a repository without contracts: beside others it could claim what one of them claims. */
const contract: Starter = {
  target: 'contracts/example.yaml',
  example: 'starter',
  name: 'example.yaml',
};

/** `contract-sync init`: writes the files that a repository begins with; never overwrites one. */
export function runInit(terminal: Terminal): ExitCode {
  const hasContracts = globSync('contracts/**/*.{yaml,yml}', { cwd: terminal.folder }).length > 0;
  for (const { target, example, name } of hasContracts ? files : [...files, contract]) {
    const content = readFileSync(join(findExample(example), name), 'utf8');
    const written = writeNew(join(terminal.folder, target), content);
    terminal.write(written ? `wrote ${target}\n` : `kept  ${target}\n`);
  }
  terminal.write(hasContracts ? next : `${next}${first}`);
  return exitCode.done;
}

const next = `
Next: set the catalog's URL in contract-sync.yaml, and run contract-sync doctor.
The workflows need repository variables: see docs/github.md.
`;

const first = `If the catalog has contracts, delete contracts/example.yaml and run contract-sync import.
If not, describe a contract in contracts/example.yaml and run contract-sync validate.
`;

/** False where there is one already: it stays as it is. */
function writeNew(path: string, content: string): boolean {
  if (existsSync(path)) return false;
  try {
    mkdirSync(dirname(path), { recursive: true });
    // `wx`: a file that appeared just now is not overwritten either.
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    throw new ConfigError('unwritable-file', `${path} cannot be written.`, {
      hint: 'Run init in a folder that may be written to.',
      cause: error,
    });
  }
}
