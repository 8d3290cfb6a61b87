/** Checks the snapshots of a folder after another was made, without reading what `--verify` reads. */
import { AppError } from '../../base/errors.ts'
import { listSnapshots, type Manifest, type Part, readManifest } from './manifest.ts'
import type { Place } from './place.ts'

/** Finds parts that are not there, or not whole. Snapshots share most parts, so each is looked up once. */
function openPartCheck({ contents }: Place) {
  const sizes = new Map<string, Promise<number | null>>()
  const isThere = async ({ sha256, size }: Part): Promise<boolean> => {
    const found = sizes.get(sha256) ?? contents.size(sha256)
    sizes.set(sha256, found)
    return (await found) === size
  }
  return async ({ snapshot, tables }: Manifest): Promise<string[]> => {
    const problems: string[] = []
    for (const { name, parts } of tables) {
      for (const part of parts) {
        if (await isThere(part)) continue
        problems.push(`snapshot ${snapshot}: rows of ${name}: blobs/${part.sha256} is missing or cut`)
      }
    }
    return problems
  }
}

/** Names the snapshots whose manifest is damaged or whose rows are gone: the new one shares most rows with them. */
export async function tellDamagedSnapshots(place: Place): Promise<string[]> {
  const findMissingParts = openPartCheck(place)
  const problems: string[] = []
  for (const name of await listSnapshots(place)) {
    const manifest = await readManifest(place, name).catch((error: Error) => error)
    if (!(manifest instanceof Error)) problems.push(...(await findMissingParts(manifest)))
    // An AppError says that a newer filestore wrote it.
    else if (!(manifest instanceof AppError)) problems.push(manifest.message)
  }
  return problems
}
