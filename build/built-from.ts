/** Records which sources dist/ was built from, so that the tests rebuild it only when a source has changed. */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Everything that a build reads except the packages; the lock file stands for these, since it names their versions. */
const sourceFolders = ['bin', 'build', 'cli', 'migrations', 'src', 'terminal', 'web']
const sourceFiles = ['package.json', 'package-lock.json', 'tsconfig.json']

const stampOf = (root: string): string => join(root, 'dist/.built-from')

/** Returns the SHA-256, in hex, over the paths and contents of all sources. */
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

/** Records the digest of the sources. Call it at the end of a complete build. */
export async function noteBuilt(root: string): Promise<void> {
  await writeFile(stampOf(root), await digestSources(root))
}

/** Whether dist/ was built from the current sources. */
export async function isBuilt(root: string): Promise<boolean> {
  try {
    return (await readFile(stampOf(root), 'utf8')) === (await digestSources(root))
  } catch {
    return false
  }
}
