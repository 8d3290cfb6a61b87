/** The list of a folder's snapshots, by which one is missed that was deleted by hand. */
import { join } from 'node:path'
import { systemCode } from '../../base/errors.ts'
import { readText } from '../../base/read-text.ts'
import { isSnapshotName, listedFormat, listSnapshots, readManifest, writeWhole } from './manifest.ts'
import { listName, type Place } from './place.ts'

/** Marks a folder as unfinished while a backup runs, and after one that was interrupted. */
export const markOf = (place: Place): string => join(place.folder, 'unfinished')

/** What a run does to the list, which may lack this when the run is interrupted. */
interface Mark {
  /** The snapshots that it makes and removes. */
  unlisted: readonly string[]
  /** Whether there is no list before it. */
  isFirst: boolean
}

const firstLine = 'first'

/** Writes the mark, before the list may lack what is in it. */
export const writeMark = (place: Place, { unlisted, isFirst }: Mark): Promise<void> =>
  writeLines(place, markOf(place), [...(isFirst ? [firstLine] : []), ...unlisted])

/** Reads the mark; null if no run was interrupted. One that cannot be read explains nothing. */
export async function readMark(place: Place): Promise<Mark | null> {
  try {
    const lines = linesOf(await readText(markOf(place)))
    return { unlisted: lines.filter(isSnapshotName), isFirst: lines.includes(firstLine) }
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : { unlisted: [], isFirst: false }
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter(line => line !== '')

const writeLines = (place: Place, path: string, lines: readonly string[]): Promise<void> =>
  writeWhole(place, path, lines.map(line => `${line}\n`).join(''))

interface List {
  names: string[]
  /** What is wrong with it, as the rest of a sentence. */
  problem: string | null
}

/** Reads the list; undefined when there is none, as in a folder of an older filestore. */
async function readList(place: Place): Promise<List | undefined> {
  try {
    const lines = linesOf(await readText(join(place.folder, listName)))
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

/**
 * Whether an interrupted backup explains that the list lacks a snapshot. The mark of an older filestore names none: it
 * explains one that is newer than the list.
 */
function isExplained({ unlisted, isFirst }: Mark, names: readonly string[], others: readonly string[], name: string) {
  if (names.length === 0 && !isFirst) return false
  if (unlisted.length > 0) return unlisted.includes(name)
  return others.length === 1 && names.every(listed => listed < name)
}

interface Compared {
  /** Snapshots that are there, oldest first. */
  there: string[]
  /** Snapshots that the list has and the folder lacks, oldest first. */
  missing: string[]
  /** What is wrong with the list itself. */
  problems: string[]
}

/**
 * Compares the list with the snapshots. An interrupted backup may have left its snapshot unlisted, or one that it was to
 * remove; that it left more, or no list, it does not explain.
 */
export async function compareList(place: Place): Promise<Compared> {
  const list = await readList(place)
  const there = await listSnapshots(place)
  const names = list?.names ?? []
  const missing = names.filter(name => !there.includes(name)).sort()
  const found = [list?.problem ?? null]
  const mark = await readMark(place)
  const others = there.filter(name => !names.includes(name))
  for (const name of others) {
    if (mark !== null && isExplained(mark, names, others, name)) continue
    if (await mustBeListed(place, name)) found.push(list === undefined ? 'it is missing' : `it lacks ${name}`)
  }
  const problems = [...new Set(found.filter(problem => problem !== null))]
  return {
    there,
    missing,
    problems: problems.map(problem => `${listName}: ${problem}, so nobody knows whether more snapshots are missing`),
  }
}

/** Writes the list anew: the snapshots that are there, and those that are missed. */
export const writeList = (place: Place, names: readonly string[]): Promise<void> =>
  writeLines(place, join(place.folder, listName), [...names].sort())

export const tellMissing = (name: string): string =>
  `snapshot ${name}: snapshots/${name}.json is missing, and --keep did not remove it; bring it back, or delete its line in ${listName}`
