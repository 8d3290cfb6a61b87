/** Removes old snapshots from a place, and contents that no snapshot needs. */
import { listSnapshots, readManifest, removeSnapshot, wasWhole } from './manifest.ts'
import type { Place } from './place.ts'
import { partsOf, readBlobs } from './rows.ts'

/** Whether a snapshot was whole when it was taken; one whose manifest cannot be read is none. */
const isWhole = (place: Place, name: string): Promise<boolean> => readManifest(place, name).then(wasWhole, () => false)

/** The newest of some snapshots that was whole when it was taken. */
async function findWhole(place: Place, names: readonly string[]): Promise<string | undefined> {
  for (const name of [...names].reverse()) if (await isWhole(place, name)) return name
  return undefined
}

interface Pruned {
  removed: string[]
  /** An old one that stays, for none that is newer was whole when it was taken. */
  kept: string | undefined
}

/** Removes what is not among the newest `keep`, but for the one just made and the last that was whole. */
export async function pruneSnapshots(place: Place, keep: number, made: string): Promise<Pruned> {
  const names = await listSnapshots(place)
  const whole = await findWhole(place, names)
  const old = names.slice(0, -keep).filter(name => name !== made)
  const removed = old.filter(name => name !== whole)
  for (const name of removed) await removeSnapshot(place, name)
  return { removed, kept: old.find(name => name === whole) }
}

/**
 * A set of SHA-256 in the same memory for any number, a Bloom filter: one in a thousand of what was not added may seem
 * to be in it where twenty million were, and then only stays a little longer.
 */
function openHashSet() {
  const bits = new Uint8Array(2 ** 25)
  const placesOf = (sha256: string): number[] =>
    [0, 8, 16, 24].map(start => Number.parseInt(sha256.slice(start, start + 7), 16))
  return {
    add(sha256: string): void {
      for (const place of placesOf(sha256)) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
    },
    has: (sha256: string): boolean =>
      placesOf(sha256).every(place => ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0),
  }
}

type HashSet = ReturnType<typeof openHashSet>

/** What all snapshots of a place need. Throws where one of them is damaged, so that nobody can tell. */
async function findNeeded(place: Place): Promise<HashSet> {
  const needed = openHashSet()
  /** Snapshots have most parts in common: each is read once. */
  const read = new Set<string>()
  for (const name of await listSnapshots(place)) {
    const manifest = await readManifest(place, name)
    for (const { sha256 } of manifest.tables.flatMap(({ parts }) => parts)) needed.add(sha256)
    const parts = partsOf(manifest, 'blobs').filter(({ sha256 }) => !read.has(sha256))
    for await (const blobs of readBlobs(place, parts)) for (const { sha256 } of blobs) needed.add(sha256)
    for (const { sha256 } of parts) read.add(sha256)
  }
  return needed
}

/** Removes contents that no snapshot needs, and that `mayKeep` refuses; gives back how many. Throws as `findNeeded`. */
export async function sweepPlace(
  place: Place,
  mayKeep: (sha256: string) => Promise<boolean> = async () => false,
): Promise<number> {
  const needed = await findNeeded(place)
  let removed = 0
  for await (const { key } of place.contents.list()) {
    if (needed.has(key) || (await mayKeep(key))) continue
    await place.contents.remove(key)
    removed += 1
  }
  return removed
}
