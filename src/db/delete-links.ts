/** Deletes a tag or metadata field and its links to files, in short writes, so that no other write waits long. */
import type { Database } from './database.ts'
import { lockSpace } from './lock-space.ts'
import type { WriteActor } from './write-actor.ts'

/** Links deleted by one write. Deleting a million at once would block all other writes for seconds. */
const rowsAtOnce = 2000

const links = {
  tags: { table: 'file_tags', column: 'tag_id' },
  metadata_fields: { table: 'file_metadata', column: 'field_id' },
} as const

export interface Linked {
  table: keyof typeof links
  id: number
  /** The space whose listings show the links; null if no listing does. */
  spaceId: number | null
}

/**
 * Removes a tag or field from the first files after `after`, inside a write; with the last of them the tag or field
 * itself. Returns the id of the last file it was removed from, or null if it is done. The first of these writes records
 * the event for the whole deletion, so that a deletion cut short by a crash has its event.
 */
export async function deleteLinks(db: Database, { table, id }: Linked, after = 0): Promise<number | null> {
  const { table: linkTable, column } = links[table]
  const ofOne = `FROM ${linkTable} WHERE ${column} = $1 AND file_id > $2`
  const last = await db.row<{ file_id: number }>(
    `SELECT file_id ${ofOne} ORDER BY file_id LIMIT 1 OFFSET ${rowsAtOnce - 1}`,
    [id, after],
  )
  if (last === undefined) {
    await db.change(`DELETE FROM ${table} WHERE id = $1`, [id])
    return null
  }
  await db.change(`DELETE ${ofOne} AND file_id <= $3`, [id, after, last.file_id])
  return last.file_id
}

/** Continues after a first `deleteLinks`, from the id that it returned, until all links are deleted. */
export async function finishDeletingLinks(
  db: Database,
  actor: WriteActor,
  linked: Linked,
  after: number | null,
): Promise<void> {
  const { spaceId } = linked
  for (let last = after; last !== null; ) {
    const from = last
    last = await db.write(actor, async record => {
      if (spaceId === null) record.nothing()
      else {
        await lockSpace(db, spaceId)
        // A listing cached between two of these writes shows links that no longer exist.
        record.slice(spaceId)
      }
      return deleteLinks(db, linked, from)
    })
  }
}
