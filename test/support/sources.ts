/** Reads the server's own sources, for tests about what they must not contain. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface SourceText {
  /** Relative to the root: `src/http/app.ts`. */
  path: string
  text: string
}

export const serverSources = (): SourceText[] =>
  readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))

/** The paths of the sources that match. */
export const sourcesWith = (pattern: RegExp): string[] =>
  serverSources().flatMap(({ path, text }) => (pattern.test(text) ? [path] : []))
