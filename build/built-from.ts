/** Remembers which sources dist/ was built from, so that the tests build it only when a source has changed. */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Everything that a build reads, beside the packages, whose versions the lock file names. */
const sourceFolders = ['bin', 'build', 'cli', 'migrations', 'src', 'terminal', 'web']
const sourceFiles = ['package.json', 'package-lock.json', 'tsconfig.json']

const stampOf = (root: string): string => join(root, 'dist/.built-from')

/** The SHA-256, in hex, over the paths and contents of all sources. */
async function digestSources(root: string): Promise<string> {
  const listed = await Promise.all(
    sourceFolders.map(folder => readdir(join(root, folder), { recursive: true, withFileTypes: true })),
  )
  const found = listed.flat().filter(entry => entry.isFile())
  const paths = [...sourceFiles, ...found.map(entry => relative(root, join(entry.parentPath, entry.name)))].sort()
  const digest = createHash('sha256')
  for (const path of paths) {
    const content = await readFile(join(root, path))
    digest.update(`${path}\0${content.length}\0`).update(content)
  }
  return digest.digest('hex')
}

/** Notes, at the end of a whole build, what it was made of. */
export async function noteBuilt(root: string): Promise<void> {
  await writeFile(stampOf(root), await digestSources(root))
}

/** Whether dist/ is what a build of today's sources would make. */
export async function isBuilt(root: string): Promise<boolean> {
  try {
    return (await readFile(stampOf(root), 'utf8')) === (await digestSources(root))
  } catch {
    return false
  }
}
