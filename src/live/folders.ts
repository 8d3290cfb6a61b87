/** The folders whose listings show a change. */
import type { Actor } from '../access/actor.ts'
import { findStandings, isOwn } from '../access/reach.ts'
import type { Change, ChangeMessage } from '../api/changes.ts'
import type { Database } from '../db/database.ts'
import { findEventsAfter, type Position } from '../events/revisions.ts'
import { findRowsById } from '../files/find.ts'
import type { LivePlaces } from './places.ts'
import { openShown } from './shown.ts'

/** Changes that are looked through one by one; of more at once in one's own tree all folders are named as changed. */
const mostLooked = 250
/** Slices of as many that are looked through in others' spaces; the rest is left to the next look. */
const mostSlices = 4

/** The details of a change that name folders. */
const namingFolders = ['from', 'to', 'parent_id'] as const

/** The folders that changes name, and those of their items; undefined if one of the items is gone. */
async function findFolders(db: Database, changes: readonly Change[]): Promise<Set<number | null> | undefined> {
  const folders = new Set<number | null>()
  const rows = await findRowsById(
    db,
    changes.map(({ item_id }) => item_id).filter(id => id !== null),
  )
  for (const { item_id, detail, action } of changes) {
    const row = item_id === null || !/^(file|folder|share|link)\./.test(action) ? undefined : rows.get(item_id)
    if (row === undefined) return undefined
    folders.add(row.parent_id)
    // The folder itself shows its name and who has access.
    if (row.is_directory === 1) folders.add(row.id)
    for (const name of namingFolders) {
      const id = detail?.[name]
      if (id === null || typeof id === 'number') folders.add(id)
    }
  }
  return folders
}

interface Told {
  /** Null for nothing. */
  message: ChangeMessage | null
  /** The revision up to which was looked. */
  revision: number
}

/** The changes behind a revision that an actor sees, and up to which revision they were looked for. */
async function findShown(
  db: Database,
  actor: Actor,
  { teams }: LivePlaces,
  { space, from, to }: { space: number; from: number; to: number },
): Promise<{ shown: Change[]; revision: number }> {
  const show = openShown(db, actor, teams)
  const shown: Change[] = []
  let position: Position = { revision: from, id: null }
  // A revision is looked through as a whole, however many its events are.
  for (let slice = 0; slice < mostSlices || position.revision === from + 1; slice += 1) {
    const events = await findEventsAfter(db, space, position, to, mostLooked)
    shown.push(...(await show(events)).filter(change => change !== null))
    const last = events.at(-1)
    if (last === undefined || events.length < mostLooked) return { shown, revision: to }
    position = { revision: last.revision, id: last.id }
  }
  // The others of its revision are looked for again, with what follows.
  return { shown, revision: position.revision - 1 }
}

/**
 * What a follower is told of a space that went from one revision to another. Of others' spaces only what lies in folders
 * that the follower sees.
 */
export async function findMessage(
  db: Database,
  actor: Actor,
  places: LivePlaces,
  change: { space: number; from: number; to: number },
): Promise<Told> {
  const { space, from, to } = change
  const isAll = isOwn(actor, { space_id: space })
  if (isAll) {
    const events = await findEventsAfter(db, space, { revision: from, id: null }, to, mostLooked + 1)
    if (events.length === 0 || events.length > mostLooked) {
      return { message: { space, revision: to, folders: null }, revision: to }
    }
  }
  const { shown, revision } = await findShown(db, actor, places, change)
  if (shown.length === 0) return { message: null, revision }
  const message = { space, revision }
  const folders = await findFolders(db, shown)
  if (isAll) return { message: { ...message, folders: folders === undefined ? null : [...folders] }, revision }
  if (folders === undefined) return { message: { ...message, folders: null }, revision }
  const ids = [...folders].filter(id => id !== null)
  const seen = await findStandings(
    db,
    actor,
    ids.map(id => ({ id, space_id: space, is_directory: 1 as const })),
  )
  return { message: { ...message, folders: [...seen.keys()] }, revision }
}
