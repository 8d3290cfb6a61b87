/** Writes the licences of every package that is bundled: who passes the bundle on passes these on with it. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** `node_modules/@scope/name` of a file in it, also where packages lie in packages. */
const packageFolder = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/

async function describePackage(folder: string): Promise<string> {
  const { name, version, license, licenses = [] } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  // The list is npm's old form, of which a few are left.
  const terms = license ?? licenses.map(({ type }: { type: string }) => type).join(', ')
  const files = (await readdir(folder)).filter(file => /^(licen[cs]e|notice|copying)/i.test(file)).sort()
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))
  return [`${name} ${version} (${terms})`, ...texts.map(text => text.trim())].join('\n\n')
}

/** Into `dist/NOTICES.txt`; `root` is the project's folder, from which the inputs' paths go. */
export async function writeNotices(root: string, metafiles: readonly Metafile[]): Promise<void> {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs))
  const folders = new Set(inputs.flatMap(path => packageFolder.exec(path) ?? []))
  const notices = await Promise.all([...folders].sort().map(folder => describePackage(join(root, folder))))
  await writeFile(join(root, 'dist/NOTICES.txt'), `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
}
