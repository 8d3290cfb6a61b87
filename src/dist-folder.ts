/** What the build made, found from the sources as from dist itself. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The path of a file or folder of dist. Throws where the product has not been built. */
export function findInDist(name: string): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'dist', name)
    if (existsSync(path)) return path
  }
  throw new Error(`dist/${name} is missing: run 'npm run build'`)
}
