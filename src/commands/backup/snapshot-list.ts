/** The list of a folder's snapshots, by which one is missed that was deleted by hand. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../../base/errors.ts'
import { readText } from '../../base/read-text.ts'
import { isSnapshotName, listedFormat, listSnapshots, readManifest, writeWhole } from './manifest.ts'
import { listName, type Place } from './place.ts'

/** Marks a folder as unfinished while a backup runs, and after one that was interrupted. */
export const markOf = (place: Place): string => join(place.folder, 'unfinished')

export const isInterrupted = (place: Place): Promise<boolean> =>
  stat(markOf(place)).then(
    () => true,
    () => false,
  )

interface List {
  names: string[]
  /** What is wrong with it, as the rest of a sentence. */
  problem: string | null
}

/** Reads the list; undefined when there is none, as in a folder of an older filestore. */
async function readList(place: Place): Promise<List | undefined> {
  try {
    const lines = (await readText(join(place.folder, listName))).split('\n').filter(line => line !== '')
    const names = lines.filter(isSnapshotName)
    return { names, problem: names.length === lines.length ? null : 'it has lines that are no name of a snapshot' }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    if (!(error instanceof Error)) throw error
    return { names: [], problem: `it cannot be read: ${error.message}` }
  }
}

/** Whether the list must have this snapshot: only one of an older filestore or of an unpacked file may be unlisted. */
const mustBeListed = (place: Place, name: string): Promise<boolean> =>
  readManifest(place, name).then(
    ({ format }) => format === listedFormat,
    () => false,
  )

interface Compared {
  /** Snapshots that the list has and the folder lacks, oldest first. */
  missing: string[]
  /** What is wrong with the list itself. */
  problems: string[]
}

/** Compares the list with the snapshots. An interrupted backup may have left its snapshot unlisted, or a removed one. */
export async function compareList(place: Place): Promise<Compared> {
  const list = await readList(place)
  const there = await listSnapshots(place)
  const names = list?.names ?? []
  const missing = names.filter(name => !there.includes(name)).sort()
  const found = [list?.problem ?? null]
  for (const name of (await isInterrupted(place)) ? [] : there.filter(other => !names.includes(other))) {
    if (await mustBeListed(place, name)) found.push(list === undefined ? 'it is missing' : `it lacks ${name}`)
  }
  const problems = [...new Set(found.filter(problem => problem !== null))]
  return {
    missing,
    problems: problems.map(problem => `${listName}: ${problem}, so nobody knows whether more snapshots are missing`),
  }
}

/** Writes the list anew: the snapshots that are there, and those that are missed. */
export const writeList = (place: Place, names: readonly string[]): Promise<void> =>
  writeWhole(
    place,
    join(place.folder, listName),
    [...names]
      .sort()
      .map(name => `${name}\n`)
      .join(''),
  )

export const tellMissing = (name: string): string =>
  `snapshot ${name}: snapshots/${name}.json is missing, and --keep did not remove it; bring it back, or delete its line in ${listName}`
