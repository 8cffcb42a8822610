import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeProgram } from '../../src/cli/program.ts';
import { built } from '../support/built.ts';
import { run } from '../support/process.ts';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder } from '../support/workspace.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

async function scriptFor(shell: Shell): Promise<string> {
  return (await runInProcess(['completion', shell], { folder: makeFolder() })).stdout;
}

const silent = { write: () => undefined, report: () => undefined };
const { commands } = describeProgram(silent, async () => Promise.resolve());

async function answer(...typed: readonly string[]): Promise<readonly string[]> {
  const args = ['completion', 'bash', '--', ...typed];
  const { stdout } = await runInProcess(args, { folder: makeFolder() });
  return stdout.split('\n').filter((line) => line !== '');
}

test('every command and every flag is completed', async () => {
  const names = commands.map((command) => command.name());
  expect(await answer('')).toEqual([...names, 'help']);
  for (const command of commands) {
    const flags = command.options.map(({ long }) => long);
    expect(await answer(command.name(), '--')).toEqual([...flags, '--help']);
  }
});

const folders = (process.env['PATH'] ?? '').split(delimiter);
const isThere = (shell: Shell) => folders.some((folder) => existsSync(join(folder, shell)));

/** What a shell is made to do to print what it completes, one word to a line and `--` behind each line's. */
const askings: { readonly [shell in Shell]: readonly string[] } = {
  bash: [
    '--norc',
    '-c',
    // The keyboard would have it take words apart at `=` too.
    `source "$0"; for line; do
       read -ra COMP_WORDS <<< "\${line//=/ = }"; [[ $line == *[\\ =] ]] && COMP_WORDS+=('')
       COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _contract_sync
       # As a keyboard does by \`-o default\`.
       if [[ \${#COMPREPLY[@]} == 0 && $(complete -p contract-sync) == *'-o default'* ]]; then
         mapfile -t COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
       fi
       printf '%s\\n' "\${COMPREPLY[@]}" --
     done`,
  ],
  zsh: ['-f', join(import.meta.dirname, 'complete.zsh')],
  fish: [
    '--no-config',
    '-c',
    'source $argv[1]; for line in $argv[2..]; complete -C $line; echo -- --; end',
  ],
};

/** A folder with a configuration and contracts, and a PATH in which the command is found. */
async function complete(shell: Shell, lines: readonly string[]): Promise<string[][]> {
  const bin = makeFolder({ script: await scriptFor(shell) });
  const command = join(bin, 'contract-sync');
  const main = await built('cli.js');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(command, 0o755);
  const folder = makeFolder({
    'contract-sync.yaml': 'unmanaged: report\n',
    'our contracts/a b.yaml': 'fullyQualifiedName: w.sales.orders\n',
  });
  const env = { HOME: bin, PATH: [bin, ...folders].join(delimiter) };
  const args = [...askings[shell], join(bin, 'script'), ...lines];
  const { code, stdout } = await run(shell, args, { cwd: folder, env });
  expect(code).toBe(0);
  return stdout
    .replaceAll('\r', '')
    .split(/^--\n/mu)
    .map((words) =>
      words
        .split('\n')
        .map(plainWord)
        .filter((word) => word !== ''),
    );
}

/** Without what some shells put around it: a description, a quote, the slash of a folder, the flag. */
function plainWord(word: string): string {
  return word
    .replace(/\t.*$/u, '')
    .replace(/\/$/u, '')
    .replace('\\ ', ' ')
    .replace(/^--format=/u, '');
}

const formats = ['github', 'html', 'json', 'junit', 'markdown', 'text'];

const lines: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['contract-sync pl', ['plan']],
  ['contract-sync plan --form', ['--format']],
  ['contract-sync plan --format ', formats],
  ['contract-sync plan --format m', ['markdown']],
  ['contract-sync validate our', ['our contracts']],
  ['contract-sync plan --config c', ['contract-sync.yaml']],
  ['contract-sync schema pl', ['plan']],
  ['contract-sync schema plan --', ['--help']],
];

describe.each(shells)('%s', (shell) => {
  const skipped = isThere(shell) ? '' : ` (skipped: no ${shell} in PATH)`;

  test.skipIf(!isThere(shell))(`completes what somebody types${skipped}`, async () => {
    const found = await complete(
      shell,
      lines.map(([line]) => line),
    );
    expect(lines.map(([line], at) => [line, found[at]?.toSorted()])).toEqual(lines);
  });
});
