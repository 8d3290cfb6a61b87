/** Tells which names from the server are allowed on this machine, and which paths mean the same file. */
import { nameProblem } from '../src/api/names.ts'
import { processContext } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'

/**
 * Device names are reserved with and without an extension, in any case; so are the characters below (Microsoft, "Naming
 * Files").
 */
const deviceName = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i
const reservedCharacter = /[\\<>:"|?*]/

function windowsProblem(name: string): string | null {
  const [character] = reservedCharacter.exec(name) ?? []
  if (character !== undefined) return `Name cannot contain '${character}' on Windows`
  if (/[. ]$/.test(name)) return 'Name cannot end in a dot or a space on Windows'
  return deviceName.test(name) ? 'Name is a device on Windows' : null
}

/** Returns why a name cannot be used on this machine, as a sentence, or null if it can. */
export const localNameProblem = (name: string): string | null =>
  nameProblem(name) ?? (processContext().platform === 'win32' ? windowsProblem(name) : null)

/**
 * Returns the same key for all paths that mean the same file: Windows and macOS ignore case, and macOS does not
 * distinguish the two forms of `é`.
 */
export const localKey = (path: string): string =>
  ['win32', 'darwin'].includes(processContext().platform) ? path.normalize('NFC').toLowerCase() : path

/**
 * Throws `usage` for a hidden name that the person did not type: whoever else chose it could hand over settings and keys,
 * which many programs read from such files. `given` is what the person typed instead.
 */
export function refuseHidden(name: string, given: string): void {
  if (!name.startsWith('.')) return
  const advice = "name a local place for it, such as '.' for the current folder"
  throw new CommandError('usage', `${given} '${name}', a name that begins with a dot: ${advice}`)
}
