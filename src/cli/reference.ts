/** What the tool says of itself: schemas, rules, codes, and what a shell completes. */

import { type Command, Help, type Option } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRoot, loadFile } from '../config/file.ts';
import { compatibilityRules } from '../compatibility/rule.ts';
import { ConfigError, SyncError } from '../core/diagnostic.ts';
import { didYouMean, quote } from '../core/text.ts';
import { runGit } from '../files/git/run-git.ts';
import { limitNames } from '../plan/rules.ts';
import type { Block } from '../report/blocks.ts';
import { renderText } from '../report/text.ts';
import { wrapWords } from '../report/text-contract.ts';
import { completedLists, type RunCommand } from './flags.ts';
import { pages } from '../version.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';
import codes from '../report/codes.json' with { type: 'json' };

export const printSchema: RunCommand = ({ write }, _, [name]) => {
  const text = readFileSync(findPackaged(`schemas/${name}.schema.json`), 'utf8');
  write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`, 'json');
  return exitCode.done;
};

export function printRules({ write, layouts }: Terminal): ExitCode {
  const { palette, width } = layouts.write;
  const head = row('rule', 'forward', 'backward');
  const lines = Object.entries(compatibilityRules).flatMap(([id, { forward, backward, says }]) =>
    wrapWords(row(id, forward, backward) + palette.faint(says), width, head.length),
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
        example: `allow:\n  - contract: warehouse.sales.orders\n    rule: ${id}\n    reason: agreed with finance, DATA-812`,
      },
    ]),
  ),
};

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

export const runCompletion: RunCommand = async (terminal, _, [wanted = ''], program) => {
  const script = { bash: bashScript, zsh: zshScript, fish: fishScript }[wanted];
  const list = completedLists.find((name) => name === wanted);
  if (script) terminal.write(script(new Help().visibleCommands(program)));
  if (list) for (const word of await wordsOf(list, terminal)) terminal.write(`${word}\n`);
  return exitCode.done;
};

type List = (typeof completedLists)[number];

// Mistakes of the configuration would disturb in the middle of a word.
async function wordsOf(list: List, terminal: Terminal): Promise<readonly string[]> {
  const { folder } = terminal;
  try {
    const root = findRoot(folder);
    if (list === 'names') {
      const { declaredNames } = await import('../commands/validate.ts');
      return await declaredNames(root, terminal.environment);
    }
    if (list === 'revisions') {
      const kinds = ['refs/heads', 'refs/remotes', 'refs/tags'];
      const { output } = runGit(['for-each-ref', '--format=%(refname:short)', ...kinds], folder);
      return output.toString().split('\n').filter(Boolean);
    }
    return Object.keys(loadFile(undefined, root).settings[list] ?? {});
  } catch (error) {
    if (error instanceof SyncError) return [];
    throw error;
  }
}

type Values = readonly string[] | 'files' | 'anything' | List;

function operandOf(command: Command, commands: readonly Command[]): Values {
  const [operand] = command.registeredArguments;
  switch (operand?.name()) {
    case undefined:
      return 'anything';
    case 'code':
      return Object.keys(explanations);
    case 'contract':
    case 'contracts':
      return 'names';
    case 'command':
      return commands.map((each) => each.name()).filter((name) => name !== command.name());
    default:
      return operand?.argChoices ?? 'files';
  }
}

function flagsOf({ options }: Command) {
  const own = options.map((option) => ({
    flag: option.long ?? '',
    says: option.description,
    values: option.required ? valuesOf(option) : undefined,
  }));
  return [...own, { flag: '--help', says: 'print help', values: undefined }];
}

function valuesOf({ long, flags, argChoices }: Option): Values {
  if (argChoices) return argChoices;
  if (long === '--allow-limit') return limitNames;
  if (long === '--env' && flags.endsWith('<name>')) return 'environments';
  if (long === '--team') return 'teams';
  if (flags.endsWith('<revision>')) return 'revisions';
  if (flags.endsWith('<pattern>')) return 'names';
  return /<(?:file|path)>$/u.test(flags) ? 'files' : 'anything';
}

const asking = (list: List): string => `contract-sync completion ${list} 2>/dev/null`;

function inBash(values: Values): string {
  if (values === 'files') return '_contract_sync_files';
  if (values === 'anything') return 'COMPREPLY=()';
  const words = typeof values === 'string' ? `"$(${asking(values)})"` : `'${values.join(' ')}'`;
  return `COMPREPLY=($(compgen -W ${words} -- "$cur"))`;
}

function bashScript(commands: readonly Command[]): string {
  const values = commands.flatMap((command) =>
    flagsOf(command).flatMap(({ flag, values: taken }) =>
      taken ? [`    ${command.name()}:${flag}) ${inBash(taken)}; return ;;`] : [],
    ),
  );
  const words = commands.map((command) => {
    const flags = flagsOf(command).map(({ flag }) => flag);
    const operand = inBash(operandOf(command, commands));
    return `    ${command.name()}) flags='${flags.join(' ')}'; [[ $cur == -* ]] || { ${operand}; return; } ;;`;
  });
  return `# To have it in each shell: contract-sync completion bash >> ~/.bashrc
_contract_sync_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$cur"))
}
_contract_sync() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local command=\${COMP_WORDS[1]} flags
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${commands.map((each) => each.name()).join(' ')}' -- "$cur"))
    return
  fi
  case "$command:$prev" in
${values.join('\n')}
  esac
  case "$command" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$flags" -- "$cur"))
}
complete -o filenames -F _contract_sync contract-sync
`;
}

function inZsh(values: Values): string {
  if (values === 'files') return '_files';
  if (values === 'anything') return ' ';
  return typeof values === 'string' ? `_contract_sync_${values}` : `(${values.join(' ')})`;
}

function zshScript(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const specs = flagsOf(command).map(({ flag, says, values }) => {
      const words = withoutQuotes(says).replaceAll(/[[\]:]/gu, String.raw`\$&`);
      // In zsh, a star lets an option be given again.
      return values ? `'*${flag}=[${words}]:value:${inZsh(values)}'` : `'${flag}[${words}]'`;
    });
    const all = [...specs, `'*:argument:${inZsh(operandOf(command, commands))}'`];
    return `    ${command.name()}) _arguments ${all.map((spec) => `\\\n      ${spec}`).join(' ')} ;;`;
  });
  const items = commands.map((each) => `'${each.name()}:${withoutQuotes(each.description())}'`);
  return `#compdef contract-sync
# To have it in each shell: contract-sync completion zsh > "\${fpath[1]}/_contract-sync"
${completedLists.map((list) => `_contract_sync_${list}() { compadd -- \${(f)"$(${asking(list)})"} }`).join('\n')}
_contract_sync() {
  local -a commands
  if (( CURRENT == 2 )); then
    commands=(${items.join(' ')})
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _contract-sync ]]; then _contract_sync "$@"; else compdef _contract_sync contract-sync; fi
`;
}

// In single quotes only a quote has a meaning, in fish also a backslash.
function withoutQuotes(text: string): string {
  return text.replaceAll(/['\\]/gu, '’');
}

function inFish(values: Values): string {
  if (values === 'files') return '-F';
  if (values === 'anything') return '-f';
  return `-f -a '${typeof values === 'string' ? `(${asking(values)})` : values.join(' ')}'`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const says = withoutQuotes(command.description());
    const within = `complete -c contract-sync -n '__contract_sync_is ${command.name()}'`;
    return [
      `complete -c contract-sync -n __contract_sync_is -f -a ${command.name()} -d '${says}'`,
      `${within} ${inFish(operandOf(command, commands))}`,
      ...flagsOf(command).map(({ flag, says: what, values }) => {
        const taken = values ? ` -r ${inFish(values)}` : '';
        return `${within} -l ${flag.slice(2)} -d '${withoutQuotes(what)}'${taken}`;
      }),
    ];
  });
  return `# To have it in each shell: contract-sync completion fish > ~/.config/fish/completions/contract-sync.fish
function __contract_sync_is
  set -l before (commandline -opc)
  test "$before[2]" = "$argv[1]"
end
${lines.join('\n')}
`;
}
