/** What the tool says of itself: schemas, rules, codes, and what a shell completes. */

import { type Command, Help } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compatibilityRules, hasPlaces } from '../compatibility/rule.ts';
import { ConfigError, SyncError } from '../core/diagnostic.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { Block } from '../report/blocks.ts';
import { renderText } from '../report/text.ts';
import type { RunCommand } from './flags.ts';
import { pages } from '../version.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';
import codes from '../report/codes.json' with { type: 'json' };

export const printSchema: RunCommand = ({ write }, _, [name]) => {
  const text = readFileSync(findPackaged(`schemas/${name}.schema.json`), 'utf8');
  write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`, 'json');
  return exitCode.done;
};

export function printRules({ write, layouts }: Terminal): ExitCode {
  const { palette } = layouts.write;
  const head = row('rule', 'forward', 'backward');
  const lines = Object.entries(compatibilityRules).map(
    ([id, { forward, backward, says }]) => row(id, forward, backward) + palette.faint(says),
  );
  write(`${[palette.strong(`${head}what happened`), ...lines].join('\n')}\n`);
  return exitCode.done;
}

function row(id: string, forward: string, backward: string): string {
  return `${id.padEnd(25)}${forward.padEnd(13)}${backward.padEnd(13)}`;
}

type Explanation = {
  readonly failure: string;
  readonly means: string;
  readonly wayOut: string;
  readonly example?: string;
};

export const explanations: Readonly<Record<string, Explanation>> = {
  ...codes,
  ...Object.fromEntries(
    Object.entries(compatibilityRules).map(([id, { forward, backward, says }]) => [
      id,
      {
        failure: 'policy',
        means: `${says} For consumers that is ${forward} in mode forward, ${backward} in mode backward.`,
        wayOut:
          'Revert the change, or agree it with consumers and add an exception to `allow` in the configuration.',
        example: exampleOf(id),
      },
    ]),
  ),
};

function exampleOf(rule: string): string {
  const place = rule === 'sla-worsened' ? 'sla.maxLatency' : 'schema.fax_number';
  const lines = [
    'allow:',
    '  - contract: warehouse.sales.orders',
    `    rule: ${rule}`,
    ...(hasPlaces(rule) ? [`    place: ${place}`] : []),
    '    reason: agreed with finance, DATA-812',
    '    until: 2027-01-31',
  ];
  return lines.join('\n');
}

export const runExplain: RunCommand = ({ write, layouts }, _, [given = '']) => {
  const code = given.replaceAll(/[[\]]/gu, '');
  const explanation = Object.hasOwn(explanations, code) ? explanations[code] : undefined;
  if (!explanation)
    throw new ConfigError('unknown-code', `Unknown code ${quote(code)}.`, {
      hint:
        didYouMean(code, Object.keys(explanations)) ??
        `Codes are in brackets at the end of a message; ${pages}/codes.md lists them all.`,
    });
  const { failure, means, example, wayOut } = explanation;
  const blocks: readonly Block[] = [
    {
      kind: 'heading',
      words: [{ text: code, as: 'strong' }, '  ', { text: failure, as: 'faint' }],
    },
    { kind: 'note', words: [`  ${means}`] },
    ...(example === undefined ? [] : [listOf('For example', example)]),
    listOf('What to do', wayOut),
  ];
  write(renderText({ blocks }, layouts.write));
  return exitCode.done;
};

function listOf(title: string, text: string): Block {
  return { kind: 'list', title, items: text.split('\n').map((label) => ({ label, lines: [] })) };
}

/** Beside `src` in a clone, beside `dist` in the package. */
export function findPackaged(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, name))) {
    const parent = dirname(folder);
    if (parent === folder) {
      const hint = 'Install contract-sync again.';
      throw new SyncError('no-example', `${name} is missing from the package.`, { hint });
    }
    folder = parent;
  }
  return join(folder, name);
}

/** Prints the script for a shell, which calls this again with what is typed, and completes files where this knows no word. */
export const runCompletion: RunCommand = ({ write }, _, [shell = '', ...typed], program) => {
  const words = wordsFor(typed, program).map((word) => `${word}\n`);
  write(typed.length === 0 ? (scripts[shell] ?? '') : words.join(''));
  return exitCode.done;
};

function wordsFor(typed: readonly string[], program: Command): readonly string[] {
  // bash takes words apart at `=`.
  const [name = '', ...words] = typed.filter((word) => word !== '=');
  const last = words.at(-1);
  const commands = new Help().visibleCommands(program);
  if (last === undefined)
    return commands.map((each) => each.name()).filter((word) => word.startsWith(name));
  const command = commands.find((each) => each.name() === name);
  const { options = [], registeredArguments: [operand] = [] } = command ?? {};
  const option = options.find(({ long, required }) => required && long === words.at(-2));
  if (!option && last.startsWith('-')) {
    const flags = [...options.map(({ long }) => long ?? ''), '--help'];
    return flags.filter((word) => word.startsWith(last));
  }
  const { argChoices = [] } = option ?? operand ?? {};
  return argChoices.filter((word) => word.startsWith(last));
}

const scripts: Readonly<Record<string, string>> = {
  bash: `# To have it in each shell: contract-sync completion bash >> ~/.bashrc
_contract_sync() {
  local IFS=$'\\n'
  COMPREPLY=($(contract-sync completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _contract_sync contract-sync
`,
  zsh: `#compdef contract-sync
# To have it in each shell: contract-sync completion zsh > "\${fpath[1]}/_contract-sync"
_contract_sync() {
  local -a found
  found=(\${(f)"$(contract-sync completion zsh -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
if [[ $funcstack[1] == _contract-sync ]]; then _contract_sync "$@"; else compdef _contract_sync contract-sync; fi
`,
  fish: `# To have it in each shell: contract-sync completion fish > ~/.config/fish/completions/contract-sync.fish
function __contract_sync
  set -l before (commandline -opc)
  set -l found (contract-sync completion fish -- $before[2..] "$(commandline -ct)" 2>/dev/null)
  if test -n "$found"
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c contract-sync -f -a '(__contract_sync)'
`,
};
