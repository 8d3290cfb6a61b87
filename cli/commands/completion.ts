/** `filestore completion`: a script that lets a shell complete the words of the command tree. */
import type { Command, Option } from 'commander'
import { dataStream } from '../output.ts'

/** Both shells take this form of quoting. */
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

const listOf = (words: readonly string[]): string => `candidates=(${words.map(quote).join(' ')})`

const optionsOf = (command: Command): Option[] => command.createHelp().visibleOptions(command)
const childrenOf = (command: Command): Command[] => command.createHelp().visibleCommands(command)

const flagsOf = ({ short, long }: Option): string[] => [short, long].filter(flag => flag !== undefined)

/** Commands of the server name folders of this machine, the client's those of the server. */
function takesLocalFolder(command: Command, option: Option): boolean {
  return option.flags.includes('<folder>') && !optionsOf(command).some(({ long }) => long === '--profile')
}

/** What stands behind an option that takes a value, as cases of `"$chosen $previous"`. */
function valueCases(command: Command, way: string): string[] {
  return optionsOf(command)
    .filter(option => option.required || option.optional)
    .map(option => {
      const patterns = flagsOf(option).map(flag => quote(`${way} ${flag}`))
      const act = option.argChoices === undefined ? '' : listOf(option.argChoices)
      return `${patterns.join(' | ')}) ${takesLocalFolder(command, option) ? 'files=1' : act} ;;`
    })
}

/** What may be typed next in a command, as a case of `"$chosen"`. */
function wordCase(command: Command, way: string): string {
  const names = childrenOf(command).map(child => child.name())
  const choices = command.registeredArguments.flatMap(argument => argument.argChoices ?? [])
  const words = [...names, ...choices, ...optionsOf(command).map(option => flagsOf(option).at(-1) ?? '')]
  return `${quote(way)}) ${listOf(words)}${command.usage().includes('local') ? '; files=1' : ''} ;;`
}

interface Cases {
  /** Every command by the words that lead to it: ` trash ls`. */
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

/** Sets `candidates`, or `files` for paths of this machine, from the words before (`before`) and `previous`. */
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

const bashScript = (program: Command): string => `# Completion for bash. To load it: eval "$(filestore completion bash)"
_filestore() {
  local line=\${COMP_LINE:0:COMP_POINT} chosen='' files='' word previous current index
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
  local chosen='' files='' word previous=\${words[CURRENT-1]}
  local -a before candidates
  before=("\${(@)words[2,CURRENT-1]}")
${commonPart(program)}
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
