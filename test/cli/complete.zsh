# Prints what zsh completes: zsh -f complete.zsh SCRIPT LINE…, with `--` behind each line's words.
# They are noted where a real completion adds them, since a terminal would show them in columns, cut.
if [[ -n $completion ]]; then
  # The shell in which it happens.
  unset zle_bracketed_paste
  PROMPT= RPROMPT=
  autoload -U compinit && compinit -D -u
  source $completion
  compadd() {
    local -a found
    # Calls that only ask what would match add nothing.
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
      builtin compadd -A found "$@"
      print -rl -- "<${^found[@]}>"
    fi
    builtin compadd "$@"
  }
  setopt no_auto_list no_auto_menu
  # Each completion takes them off the list.
  noted() { print '<>'; comppostfuncs=(noted) }
  comppostfuncs=(noted)
  bindkey '^I' complete-word
  print '<>'
  return
fi
zmodload zsh/zpty
zpty shell 'TERM=dumb zsh -f -i'
zpty -w shell "completion=${(q)1} source ${(q)0:A}"
while zpty -r shell line && [[ $line != *'<>'* ]]; do :; done
for typed in "${@[2,-1]}"; do
  # Ctrl-U takes away what was typed before.
  zpty -w -n shell $'\x15'"$typed"$'\t'
  while zpty -r shell line && [[ $line != *'<>'* ]]; do
    [[ $line == *'<'*'>'* ]] && print -r -- "${${line##*<}%%>*}"
  done
  print -- --
done
zpty -d shell
