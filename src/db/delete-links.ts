/** Takes a tag or a metadata field off its files in short writes, so that no other write waits long. */
import type { Database } from './database.ts'
import type { WriteActor } from './write.ts'

/** Rows that one write takes away; a million at once would let everybody's writes wait for seconds. */
const rowsAtOnce = 2000

const tables = {
  file_tags: 'tag_id',
  file_metadata: 'field_id',
} as const

/**
 * Deletes the rows of a link table that hang on one tag or field, slice by slice. The last, at most a slice, is left for
 * the write that deletes the tag or field itself, and records the whole.
 */
export async function deleteLinks(
  db: Database,
  actor: WriteActor,
  table: keyof typeof tables,
  id: number,
): Promise<void> {
  const ofOne = `FROM ${table} WHERE ${tables[table]} = $1 AND file_id > $2`
  for (let after = 0; ; ) {
    const last = await db.row<{ file_id: number }>(
      `SELECT file_id ${ofOne} ORDER BY file_id LIMIT 1 OFFSET ${rowsAtOnce - 1}`,
      [id, after],
    )
    if (last === undefined) return
    const slice = [id, after, last.file_id]
    await db.write(actor, async record => {
      await db.change(`DELETE ${ofOne} AND file_id <= $3`, slice)
      record.nothing()
    })
    after = last.file_id
  }
}
