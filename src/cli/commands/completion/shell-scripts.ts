import type { ShellName } from './shell-names.ts'

/** Scripts that ask `pipe completion words` what can stand at the cursor. They know no flag themselves, so they never grow old. */
export const shellScripts: Readonly<Record<ShellName, string>> = {
  bash: `# Completes pipe in bash. In ~/.bashrc: eval "$(pipe completion bash)"
_pipe_complete() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default 2>/dev/null || while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$2") ;;
      :folders) compopt -o dirnames 2>/dev/null || while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$2") ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(command pipe completion words bash -- "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" </dev/null 2>/dev/null)
}
complete -F _pipe_complete pipe
`,
  zsh: `#compdef pipe
# Completes pipe in zsh. In ~/.zshrc, after compinit: eval "$(pipe completion zsh)"
_pipe() {
  local line value
  local -a found
  for line in "\${(@f)$(command pipe completion words zsh -- "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" </dev/null 2>/dev/null)}"; do
    value=\${line%%$'\\t'*}
    case $line in
      '') ;;
      :files) compset -P '--[^=]##='; compset -P '@'; _files ;;
      :folders) compset -P '--[^=]##='; _files -/ ;;
      *) found+=("\${value//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#found )) && _describe -V pipe found
}
if [[ $funcstack[1] = _pipe ]]; then _pipe "$@"; else compdef _pipe pipe; fi
`,
  fish: `# Completes pipe in fish. Write it to ~/.config/fish/completions/pipe.fish
function __pipe_complete
    set -l word (commandline -ct)
    for line in (command pipe completion words fish -- (commandline -opc) "$word" </dev/null 2>/dev/null)
        switch $line
            case :files :folders
                set -l kept (string match -r -- '^(?:--[^=]+=|@)' $word)
                set -l lookup __fish_complete_path
                test $line = :folders; and set lookup __fish_complete_directories
                for path in ($lookup (string sub -s (math 1 + (string length -- "$kept")) -- "$word"))
                    printf '%s%s\\n' "$kept" $path
                end
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c pipe -e
complete -c pipe -f -a '(__pipe_complete)'
`,
}
