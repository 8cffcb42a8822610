/** What shells take to complete a command line. */

/** A command as a shell completes it. */
export type CompletedCommand = {
  readonly name: string;
  readonly description: string;
  /** What its arguments may be. */
  readonly argument: CompletedValue;
  readonly options: readonly CompletedOption[];
};

export type CompletedOption = {
  readonly flag: string;
  readonly description: string;
  /** Absent where it takes none. */
  readonly value?: CompletedValue;
};

/** What may stand in a place; of anything else a shell knows nothing. */
export type CompletedValue =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'environments' | 'anything' };

const environments = 'contract-sync completion environments 2>/dev/null';

export function bashScript(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ flag, value }) =>
      value ? [`    ${name}:${flag}) ${inBash(value)}; return ;;`] : [],
    ),
  );
  const words = commands.map(({ name, options, argument }) => {
    const flags = options.map(({ flag }) => flag).join(' ');
    return `    ${name}) flags='${flags}'; [[ $cur == -* ]] || { ${inBash(argument)}; return; } ;;`;
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
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$cur"))
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

function inBash(value: CompletedValue): string {
  switch (value.kind) {
    case 'words':
      return `COMPREPLY=($(compgen -W '${value.words.join(' ')}' -- "$cur"))`;
    case 'environments':
      return `COMPREPLY=($(compgen -W "$(${environments})" -- "$cur"))`;
    case 'files':
      return '_contract_sync_files';
    case 'anything':
      return 'COMPREPLY=()';
  }
}

export function zshScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options, argument }) => {
    const specs = [...options.map(zshOption), `'*:argument:${inZsh(argument)}'`];
    return `    ${name}) _arguments ${specs.map((spec) => `\\\n      ${spec}`).join(' ')} ;;`;
  });
  const items = commands.map(({ name, description }) => `'${name}:${withoutQuotes(description)}'`);
  return `#compdef contract-sync
# To have it in each shell: contract-sync completion zsh > "\${fpath[1]}/_contract-sync"
_contract_sync_environments() { compadd -- \${(f)"$(${environments})"} }
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

function zshOption({ flag, description, value }: CompletedOption): string {
  const words = withoutQuotes(description).replaceAll(/[[\]:]/gu, String.raw`\$&`);
  // With a star it may be given again.
  return value ? `'*${flag}=[${words}]:value:${inZsh(value)}'` : `'${flag}[${words}]'`;
}

function inZsh(value: CompletedValue): string {
  switch (value.kind) {
    case 'words':
      return `(${value.words.join(' ')})`;
    case 'environments':
      return '_contract_sync_environments';
    case 'files':
      return '_files';
    case 'anything':
      return ' ';
  }
}

/** In single quotes nothing but a quote has a meaning, in fish also a backslash. */
function withoutQuotes(text: string): string {
  return text.replaceAll(/['\\]/gu, '’');
}

export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, description, options, argument }) => {
    const within = `complete -c contract-sync -n '__contract_sync_is ${name}'`;
    return [
      `complete -c contract-sync -n __contract_sync_is -f -a ${name} -d '${withoutQuotes(description)}'`,
      `${within} ${inFish(argument)}`,
      ...options.map(({ flag, description: what, value }) => {
        const taken = value ? ` -r ${inFish(value)}` : '';
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

function inFish(value: CompletedValue): string {
  switch (value.kind) {
    case 'words':
      return `-f -a '${value.words.join(' ')}'`;
    case 'environments':
      return `-f -a '(${environments})'`;
    case 'files':
      return '-F';
    case 'anything':
      return '-f';
  }
}
