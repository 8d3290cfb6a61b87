/** Names as an archive may hold them: unpacked on any system, they stay in their folder and are files. */
import { maxNameBytes } from '../../api/limits.ts'
import { cutToBytes, usableName } from '../../api/names.ts'

/** Devices of Windows, with any extension too (Microsoft's "Naming Files, Paths, and Namespaces"). */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\.|$)/i

/**
 * The name itself in nearly every case. What the rules for names refuse may stand in a database that was damaged or is
 * somebody else's, and is made a name first. `\` and the colon of a leading drive letter end a folder's name on Windows,
 * which also drops dots and spaces at the end, so that `.. ` would lead out; all of them become `_`.
 */
export function safeName(name: string): string {
  const plain = usableName(name)
    .replaceAll('\\', '_')
    .replace(/^([a-z]):/i, '$1_')
    .replace(/[. ]+$/, end => '_'.repeat(end.length))
  return deviceName.test(plain) ? cutToBytes(`_${plain}`, maxNameBytes) : plain
}
