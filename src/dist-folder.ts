/** Finds the build's output, from the sources as well as from dist itself. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The path of a file or folder in dist. Throws when the product has not been built. */
export function findInDist(name: string): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'dist', name)
    if (existsSync(path)) return path
  }
  throw new Error(`dist/${name} is missing: run 'npm run build'`)
}
