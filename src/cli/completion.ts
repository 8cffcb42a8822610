import type { Command } from 'commander';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

/** A command as a shell completes it. */
type Completed = {
  readonly name: string;
  readonly description: string;
  /** What its first argument may be, where that is one of a few words. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  readonly options: readonly {
    readonly flag: string;
    readonly description: string;
    readonly takesValue: boolean;
    /** What its value may be, where that is one of a few words. */
    readonly values: readonly string[];
  }[];
};

const writers = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `contract-sync completion`: prints a script that has the shell complete commands and flags. */
export function runCompletion(
  { write }: Terminal,
  shell: keyof typeof writers,
  _flags: object,
  { parent }: Command,
): ExitCode {
  write(writers[shell]((parent?.commands ?? []).map(describe)));
  return exitCode.done;
}

function describe(command: Command): Completed {
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    description: command.description(),
    words: argument?.argChoices ?? [],
    takesFiles: argument !== undefined && argument.argChoices === undefined,
    options: command.options.flatMap(({ long, description, required, argChoices }) =>
      long ? [{ flag: long, description, takesValue: required, values: argChoices ?? [] }] : [],
    ),
  };
}

function bashScript(commands: readonly Completed[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ flag, takesValue, values: words }) => {
      if (!takesValue) return [];
      const found = words.length > 0 ? `compgen -W '${words.join(' ')}'` : 'compgen -f';
      return [`    ${name}:${flag}) COMPREPLY=($(${found} -- "$cur")); return ;;`];
    }),
  );
  const words = commands.map(
    ({ name, options, words: own, takesFiles }) =>
      `    ${name}) flags='${options.map(({ flag }) => flag).join(' ')}' words='${own.join(' ')}' files=${takesFiles ? 1 : ''} ;;`,
  );
  return `# To have it in each shell: contract-sync completion bash >> ~/.bashrc
_contract_sync() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local command=\${COMP_WORDS[1]} flags words files
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$cur"))
    return
  fi
  case "$command:$prev" in
${values.join('\n')}
  esac
  case "$command" in
${words.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif [[ $files ]]; then
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -o filenames -F _contract_sync contract-sync
`;
}

/** What zsh takes for a word and what it means. */
function item(name: string, description: string): string {
  return quoted(`${name}:${description}`);
}

/** In single quotes nothing but a quote has a meaning, in fish also a backslash. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/gu, '’')}'`;
}

function zshScript(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, options, words, takesFiles }) => {
    const values = options.flatMap(({ flag, values: own }) =>
      own.length > 0 ? [`        ${flag}) compadd ${own.join(' ')}; return ;;`] : [],
    );
    const flags = options.map(({ flag, description }) => item(flag, description));
    const rest = takesFiles ? '_files' : `compadd ${words.join(' ')}`;
    return `    ${name})
      case $words[CURRENT-1] in
${[...values, '        *) ;;'].join('\n')}
      esac
      flags=(${flags.join(' ')})
      if [[ $words[CURRENT] == -* ]]; then _describe flag flags; else ${rest}; fi
      ;;`;
  });
  return `#compdef contract-sync
# To have it in each shell: contract-sync completion zsh > "\${fpath[1]}/_contract-sync"
_contract_sync() {
  local -a commands flags
  if (( CURRENT == 2 )); then
    commands=(${commands.map(({ name, description }) => item(name, description)).join(' ')})
    _describe command commands
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _contract-sync ]]; then _contract_sync "$@"; else compdef _contract_sync contract-sync; fi
`;
}

function fishScript(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, description, options, words, takesFiles }) => {
    const within = `complete -c contract-sync -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c contract-sync -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
      ...(takesFiles ? [] : [`${within} -f${words.length > 0 ? ` -a '${words.join(' ')}'` : ''}`]),
      ...options.map(({ flag, description: what, takesValue, values }) => {
        const value = values.length > 0 ? ` -x -a '${values.join(' ')}'` : ' -r';
        return `${within} -l ${flag.slice(2)} -d ${quoted(what)}${takesValue ? value : ''}`;
      }),
    ];
  });
  return `# To have it in each shell: contract-sync completion fish > ~/.config/fish/completions/contract-sync.fish
${lines.join('\n')}
`;
}
