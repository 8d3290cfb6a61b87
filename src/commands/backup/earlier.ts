/** Checks the snapshots of a folder when another is made, without reading what `--verify` reads. */
import { AppError } from '../../base/errors.ts'
import { isWhole } from './contents.ts'
import { listSnapshots, type Manifest, type Part, readManifest } from './manifest.ts'
import type { Place } from './place.ts'

/** A part of a snapshot that is missing, cut or changed. */
interface DamagedPart {
  part: Part
  sentence: string
}

interface EarlierDamage {
  /** Sentences about manifests. */
  manifests: string[]
  parts: DamagedPart[]
}

const isPartWhole = ({ contents }: Place, part: Part): Promise<boolean> => isWhole(contents, part.sha256, part)

/** Finds damaged parts. Snapshots share most of them, so each is read once. */
function openPartCheck(place: Place) {
  const checked = new Map<string, Promise<boolean>>()
  const isKnownWhole = (part: Part): Promise<boolean> => {
    const found = checked.get(part.sha256) ?? isPartWhole(place, part)
    checked.set(part.sha256, found)
    return found
  }
  return async ({ snapshot, tables }: Manifest): Promise<DamagedPart[]> => {
    const damaged: DamagedPart[] = []
    for (const { name, parts } of tables) {
      for (const part of parts) {
        if (await isKnownWhole(part)) continue
        const sentence = `snapshot ${snapshot}: rows of ${name}: blobs/${part.sha256} is missing or damaged`
        damaged.push({ part, sentence })
      }
    }
    return damaged
  }
}

/**
 * Finds snapshots whose manifest is damaged, or whose rows are gone or damaged. It reads all rows, which are few bytes
 * beside the files'; these are read by `--verify` alone.
 */
export async function findEarlierDamage(place: Place): Promise<EarlierDamage> {
  const findDamagedParts = openPartCheck(place)
  const found: EarlierDamage = { manifests: [], parts: [] }
  for (const name of await listSnapshots(place)) {
    const manifest = await readManifest(place, name).catch((error: Error) => error)
    if (!(manifest instanceof Error)) found.parts.push(...(await findDamagedParts(manifest)))
    // An AppError says that a newer filestore wrote it.
    else if (!(manifest instanceof AppError)) found.manifests.push(manifest.message)
  }
  return found
}

/** One sentence for each damage, after another snapshot has brought again the parts that it shares. */
export async function tellEarlierDamage(place: Place, { manifests, parts }: EarlierDamage): Promise<string[]> {
  const told = [...manifests]
  for (const { part, sentence } of parts) {
    told.push((await isPartWhole(place, part)) ? `${sentence}; it is whole again` : sentence)
  }
  return told
}
