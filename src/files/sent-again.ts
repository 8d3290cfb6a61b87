/** A visitor's file that has come already. It is sent again where the first answer was lost, and is not stored twice. */
import type { Caller } from '../access/actor.ts'
import { day } from '../base/clock.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { createBinds } from '../db/keyset.ts'
import { isOneOfMany } from '../db/values.ts'
import type { CheckedValue } from '../metadata/values.ts'
import type { Place } from './find.ts'
import { openNumbering, range } from './free-name.ts'

/** ms for which a file is recognised: a visitor's device may sleep before it tries again. */
const remembered = day
/** Names that are looked at: the sent one, and its numbered forms up to this number. */
const numbers = 32

interface Sent {
  blob: Pick<ReceivedBlob, 'sha256'>
  modifiedAt: number | null
  values: readonly CheckedValue[]
}

interface Earlier {
  id: number
  name: string
}

const namesOf = (name: string): string[] => [name, ...range(1, numbers).map(openNumbering(name, false))]

async function hasSameValues(db: Database, fileId: number, values: readonly CheckedValue[]): Promise<boolean> {
  const rows = await db.rows<{ field_id: number; value: string }>(
    'SELECT field_id, value FROM file_metadata WHERE file_id = $1',
    [fileId],
  )
  const stored = new Map(rows.map(row => [row.field_id, row.value]))
  return stored.size === values.length && values.every(({ field, value }) => stored.get(field.id) === value)
}

/**
 * Finds the live file in a place that came through the same link within a day, with the same name (as sent), content,
 * time and metadata; undefined for callers who are no visitors. A rejected one may be sent again.
 */
export async function findSentBefore(
  db: Database,
  { link }: Caller,
  { spaceId, folderId }: Place,
  name: string,
  { blob, modifiedAt, values }: Sent,
): Promise<Earlier | undefined> {
  if (link === null) return undefined
  const { condition, values: names } = isOneOfMany(db.dialect, 'f.name', namesOf(name))
  const { add, values: binds } = createBinds(...names)
  const rows = await db.rows<Earlier & { modified_at: number | null }>(
    `SELECT f.id, f.name, f.modified_at FROM files f JOIN blobs b ON b.id = f.blob_id
     WHERE f.space_id = ${add(spaceId)} AND f.live_parent = ${add(folderId ?? 0)} AND ${condition}
       AND f.received_by = ${add(link.id)} AND b.sha256 = ${add(blob.sha256)}
       AND f.created_at > ${add(Date.now() - remembered)} AND f.validation_status <> 'rejected'`,
    binds,
  )
  for (const row of rows) {
    if (row.modified_at === modifiedAt && (await hasSameValues(db, row.id, values))) return row
  }
  return undefined
}
