/** `filestore completion`: a script that lets a shell complete the words of the command tree. */
import type { Command, Option } from 'commander'
import { dataStream } from '../../terminal/output.ts'

/** Both shells understand this form of quoting. */
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

const listOf = (words: readonly string[]): string => `candidates=(${words.map(quote).join(' ')})`

const optionsOf = (command: Command): Option[] => command.createHelp().visibleOptions(command)
const childrenOf = (command: Command): Command[] => command.createHelp().visibleCommands(command)

const flagsOf = ({ short, long }: Option): string[] => [short, long].filter(flag => flag !== undefined)

/** Whether an option takes a folder of this machine. Server commands do; client commands name folders on the server. */
function takesLocalFolder(command: Command, option: Option): boolean {
  return option.flags.includes('<folder>') && !optionsOf(command).some(({ long }) => long === '--profile')
}

/** Returns the shell code that completes the value of an option. */
function valueAct(command: Command, option: Option): string {
  if (option.long === '--profile') return 'profiles=1'
  if (takesLocalFolder(command, option)) return 'files=1'
  return option.argChoices === undefined ? '' : listOf(option.argChoices)
}

/** Returns the cases of `"$chosen $previous"` that complete the values of options. */
function valueCases(command: Command, way: string): string[] {
  return optionsOf(command)
    .filter(option => option.required || option.optional)
    .map(option => {
      const patterns = flagsOf(option).map(flag => quote(`${way} ${flag}`))
      return `${patterns.join(' | ')}) ${valueAct(command, option)} ;;`
    })
}

/** Returns the case of `"$chosen"` that completes the next word of a command. */
function wordCase(command: Command, way: string): string {
  const names = childrenOf(command).map(child => child.name())
  const choices = command.registeredArguments.flatMap(argument => argument.argChoices ?? [])
  const words = [...names, ...choices, ...optionsOf(command).map(option => flagsOf(option).at(-1) ?? '')]
  const isLocal = command.usage().includes('local')
  const more = isLocal ? '; files=1' : way === ' profiles use' ? '; profiles=1' : ''
  return `${quote(way)}) ${listOf(words)}${more} ;;`
}

interface Cases {
  /** Every command as the words that lead to it: ` trash ls`. */
  ways: string[]
  values: string[]
  words: string[]
}

function readCases(command: Command, way = ''): Cases {
  const own = { ways: way === '' ? [] : [way], values: valueCases(command, way), words: [wordCase(command, way)] }
  return childrenOf(command).reduce<Cases>((cases, child) => {
    const below = readCases(child, `${way} ${child.name()}`)
    return {
      ways: [...cases.ways, ...below.ways],
      values: [...cases.values, ...below.values],
      words: [...cases.words, ...below.words],
    }
  }, own)
}

/**
 * Returns the shell code that sets `candidates`, `files` (complete local paths) or `profiles`, from the words `before`
 * and `previous`.
 */
function commonPart(program: Command): string {
  const { ways, values, words } = readCases(program)
  return `  for word in "\${before[@]}"; do
    case "$chosen $word" in
      ${ways.map(quote).join(' | ')}) chosen="$chosen $word" ;;
    esac
  done
  case "$chosen $previous" in
    ${values.join('\n    ')}
    *)
      case "$chosen" in
        ${words.join('\n        ')}
      esac
      ;;
  esac`
}

/** The profiles that `cli/profile.ts` stores, as a pattern for both shells. */
const profileFiles = `"\${XDG_CONFIG_HOME:-$HOME/.config}"/filestore/*.json`

const bashScript = (program: Command): string => `# Completion for bash. To load it: eval "$(filestore completion bash)"
_filestore() {
  local line=\${COMP_LINE:0:COMP_POINT} chosen='' files='' profiles='' word previous current index
  local -a typed before candidates=()
  read -ra typed <<< "$line"
  [[ $line == *[[:space:]] ]] && typed+=('')
  current=\${typed[\${#typed[@]}-1]}
  previous=\${typed[\${#typed[@]}-2]}
  before=("\${typed[@]:1:\${#typed[@]}-2}")
${commonPart(program)}
  if [[ -n $files && $current != -* ]]; then
    COMPREPLY=()
    compopt -o default 2> /dev/null
    return
  fi
  if [[ -n $profiles ]]; then
    for word in ${profileFiles}; do
      word=\${word##*/}
      [[ $word == '*.json' ]] || candidates+=("\${word%.json}")
    done
  fi
  COMPREPLY=($(compgen -W "\${candidates[*]}" -- "$current"))
  # Readline splits words at colons, and takes only what stands behind the last one.
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    for index in "\${!COMPREPLY[@]}"; do
      COMPREPLY[index]=\${COMPREPLY[index]#"\${current%"\${current##*:}"}"}
    done
  fi
}
complete -F _filestore filestore
`

const zshScript = (program: Command): string => `#compdef filestore
# Completion for zsh. To load it: eval "$(filestore completion zsh)" behind compinit
_filestore() {
  local chosen='' files='' profiles='' word previous=\${words[CURRENT-1]}
  local -a before candidates
  before=("\${(@)words[2,CURRENT-1]}")
${commonPart(program)}
  [[ -n $profiles ]] && candidates+=(${profileFiles}(N:t:r))
  if [[ -n $files && $PREFIX != -* ]]; then
    _files
  else
    compadd -a candidates
  fi
}
if [[ \${funcstack[1]} == _filestore ]]; then
  _filestore "$@"
else
  compdef _filestore filestore
fi
`

/** Prints the script for one of the shells. */
export function printCompletion(program: Command, shell: 'bash' | 'zsh'): void {
  dataStream().write(shell === 'bash' ? bashScript(program) : zshScript(program))
}
