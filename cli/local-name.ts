/** Which names of the server's can be files on this machine, and which of them mean one and the same. */
import { nameProblem } from '../src/api/names.ts'
import { processContext } from '../src/base/process-context.ts'

/** Reserved with and without an extension, and in any case, as are the characters below (Microsoft, "Naming Files"). */
const deviceName = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i
const reservedCharacter = /[\\<>:"|?*]/

function windowsProblem(name: string): string | null {
  const [character] = reservedCharacter.exec(name) ?? []
  if (character !== undefined) return `Name cannot contain '${character}' on Windows`
  if (/[. ]$/.test(name)) return 'Name cannot end in a dot or a space on Windows'
  return deviceName.test(name) ? 'Name is a device on Windows' : null
}

/** Why a name cannot be used on this machine, as a sentence, or null when it can. */
export const localNameProblem = (name: string): string | null =>
  nameProblem(name) ?? (processContext().platform === 'win32' ? windowsProblem(name) : null)

/** The same text for all paths that mean one file: Windows and macOS know no case, and macOS no two forms of `é`. */
export const localKey = (path: string): string =>
  ['win32', 'darwin'].includes(processContext().platform) ? path.normalize('NFC').toLowerCase() : path
