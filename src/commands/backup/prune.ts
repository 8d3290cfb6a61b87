/** Chooses old snapshots to remove, and removes contents that no snapshot needs. */
import { listSnapshots, readManifest, wasWhole } from './manifest.ts'
import type { Place } from './place.ts'
import { partsOf, readBlobs } from './rows.ts'
import { compareList, tellMissing } from './snapshot-list.ts'

/** Whether a snapshot's data was intact when it was taken. An unreadable manifest counts as damaged. */
const isWhole = (place: Place, name: string): Promise<boolean> => readManifest(place, name).then(wasWhole, () => false)

/** The newest intact one of some snapshots. */
async function findWhole(place: Place, names: readonly string[]): Promise<string | undefined> {
  for (const name of [...names].reverse()) if (await isWhole(place, name)) return name
  return undefined
}

interface Pruning {
  /** The snapshots to remove. */
  removed: string[]
  /** An old snapshot that is kept because no newer one was intact. */
  kept: string | undefined
}

/** All but the newest `keep` snapshots are to be removed; the one just made and the last intact one always stay. */
export async function choosePruned(place: Place, keep: number, made: string): Promise<Pruning> {
  const names = await listSnapshots(place)
  const whole = await findWhole(place, names)
  const old = names.slice(0, -keep).filter(name => name !== made)
  return { removed: old.filter(name => name !== whole), kept: old.find(name => name === whole) }
}

/**
 * A set of SHA-256 in constant memory: a Bloom filter. With twenty million entries one in a thousand lookups is a false
 * positive, which only keeps a content longer.
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

/** The contents that all snapshots need. Throws when one is damaged or missing, because its needs are unknown. */
async function findNeeded(place: Place): Promise<HashSet> {
  const { missing } = await compareList(place)
  if (missing[0] !== undefined) throw new Error(tellMissing(missing[0]))
  const needed = openHashSet()
  /** Snapshots share most parts, so each is read once. */
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

/** Removes contents that no snapshot needs, unless `mayKeep` accepts them; returns how many. Throws as `findNeeded`. */
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
