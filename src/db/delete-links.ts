/** Deletes a tag or a metadata field with all that hangs on it, in short writes, so that no other write waits long. */
import type { Database } from './database.ts'
import { lockSpace } from './lock-space.ts'
import type { WriteActor } from './write.ts'

/** Rows that one write takes away; a million at once would let everybody's writes wait for seconds. */
const rowsAtOnce = 2000

const links = {
  tags: { table: 'file_tags', column: 'tag_id' },
  metadata_fields: { table: 'file_metadata', column: 'field_id' },
} as const

export interface Linked {
  table: keyof typeof links
  id: number
  /** The space whose listings show the links; null where none does. */
  spaceId: number | null
}

/**
 * Takes a tag or field off its first files behind `after`, inside a write; with the last of them it goes itself. Gives
 * back the last file that it was taken off, null when all is done. The first of these writes records the whole, so
 * that what a crash leaves half done has its event.
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

/** Goes on after a first `deleteLinks`, with what that gave back, until all is done. */
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
      record.nothing()
      if (spaceId !== null) {
        await lockSpace(db, spaceId)
        // A listing from between two of these writes shows links that are no more.
        await db.change('UPDATE spaces SET revision = revision + 1 WHERE id = $1', [spaceId])
      }
      return deleteLinks(db, linked, from)
    })
  }
}
