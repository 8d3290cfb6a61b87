/** Makes names safe for archives: unpacked on any system, they stay inside their folder and are no devices. */
import { maxNameBytes } from '../../api/limits.ts'
import { cutToBytes, usableName } from '../../api/names.ts'

/** Windows device names, with or without an extension (Microsoft's "Naming Files, Paths, and Namespaces"). */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\.|$)/i

/**
 * Returns a safe form of a name, nearly always the name itself. A damaged or foreign database may hold invalid names;
 * these are made valid first. On Windows, `\` and the colon of a leading drive letter end a folder's name, and trailing
 * dots and spaces are dropped, so that `.. ` would lead out of the folder; all of these characters become `_`.
 */
export function safeName(name: string): string {
  const plain = usableName(name)
    .replaceAll('\\', '_')
    .replace(/^([a-z]):/i, '$1_')
    .replace(/[. ]+$/, end => '_'.repeat(end.length))
  return deviceName.test(plain) ? cutToBytes(`_${plain}`, maxNameBytes) : plain
}
