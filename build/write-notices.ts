/**
 * Writes the licences of every bundled package, because whoever distributes the bundle must distribute them with it.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** Matches the package folder (`node_modules/@scope/name`) of a file in it, also for nested packages. */
const packageFolder = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/

async function describePackage(folder: string): Promise<string> {
  const { name, version, license, licenses = [] } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  // `licenses` is npm's old form; a few packages still use it.
  const terms = license ?? licenses.map(({ type }: { type: string }) => type).join(', ')
  const files = (await readdir(folder)).filter(file => /^(licen[cs]e|notice|copying)/i.test(file)).sort()
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))
  return [`${name} ${version} (${terms})`, ...texts.map(text => text.trim())].join('\n\n')
}

/** Writes `dist/NOTICES.txt`. `root` is the project's folder, to which the inputs' paths are relative. */
export async function writeNotices(root: string, metafiles: readonly Metafile[]): Promise<void> {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs))
  const folders = new Set(inputs.flatMap(path => packageFolder.exec(path) ?? []))
  const notices = await Promise.all([...folders].sort().map(folder => describePackage(join(root, folder))))
  await writeFile(join(root, 'dist/NOTICES.txt'), `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
}
