/** The folders whose listings show a change. */
import type { Actor } from '../access/actor.ts'
import { findStandings, isOwn } from '../access/reach.ts'
import type { Change, ChangeMessage } from '../api/changes.ts'
import type { Database } from '../db/database.ts'
import { findRowsById } from '../files/find.ts'
import type { LivePlaces } from './places.ts'
import { findEventsAfter } from './revisions.ts'
import { openShown } from './shown.ts'

/** Changes that are looked through one by one; after more at once, all folders are named as changed. */
const mostLooked = 250

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

/**
 * What a follower is told of a space that went from one revision to another; null for nothing. Of others' spaces only
 * what lies in folders that the follower sees.
 */
export async function findMessage(
  db: Database,
  actor: Actor,
  places: LivePlaces,
  { space, from, to }: { space: number; from: number; to: number },
): Promise<ChangeMessage | null> {
  const message = { space, revision: to }
  const isAll = isOwn(actor, { space_id: space })
  const events = await findEventsAfter(db, space, { revision: from, id: null }, to, mostLooked + 1)
  if (events.length > mostLooked || (isAll && events.length === 0)) return { ...message, folders: null }
  const shown = (await openShown(db, actor, places.teams)(events)).filter(change => change !== null)
  if (shown.length === 0) return null
  const folders = await findFolders(db, shown)
  if (isAll) return { ...message, folders: folders === undefined ? null : [...folders] }
  if (folders === undefined) return { ...message, folders: null }
  const ids = [...folders].filter(id => id !== null)
  const seen = await findStandings(
    db,
    actor,
    ids.map(id => ({ id, space_id: space, is_directory: 1 as const })),
  )
  return { ...message, folders: [...seen.keys()] }
}
