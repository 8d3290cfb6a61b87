/** Finds the contents of a backup that are missing or damaged. */
import { type Content, type CopyOptions, checkContent, DamagedError } from './contents.ts'
import type { Place } from './place.ts'
import type { Saved } from './rows.ts'

/** What is wrong with each content that does not match its hash. */
export type Damages = ReadonlyMap<string, string>

/** Reads all contents of a folder, and compares them with their hashes. */
export async function findDamages({ contents }: Place, { signal, onBytes }: CopyOptions) {
  const damages = new Map<string, string>()
  const read = { count: 0, bytes: 0 }
  for await (const { key } of contents.list()) {
    signal.throwIfAborted()
    const size = (await contents.size(key)) ?? 0
    try {
      await checkContent(contents, key, { sha256: key, size })
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      damages.set(key, error.message)
    }
    read.count += 1
    read.bytes += size
    onBytes(size)
  }
  return { damages, read }
}

/** What is wrong with a content, in two or three words; undefined when it is intact. */
export async function problemOf(
  { contents }: Saved,
  damages: Damages,
  { sha256, size }: Content,
): Promise<string | undefined> {
  const found = await contents.size(sha256)
  if (found === null) return 'is missing'
  if (found !== size) return `has ${found} bytes instead of ${size}`
  return damages.get(sha256)
}
