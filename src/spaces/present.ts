/** Builds the API form of team folders: only fields listed here leave the server. */
import type { Principal } from '../access/actor.ts'
import type { Space } from '../api/spaces.ts'
import { isoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import { valuesAtOnce } from '../db/values.ts'
import { findMemberships, type TeamRow } from './find.ts'

/** Team folders as a user sees them. */
export async function presentSpaces(db: Database, viewer: Principal, rows: readonly TeamRow[]): Promise<Space[]> {
  const spaces: Space[] = []
  for (let start = 0; start < rows.length; start += valuesAtOnce) {
    const slice = rows.slice(start, start + valuesAtOnce)
    const ids = slice.map(({ folder_id }) => folder_id)
    const membershipOf = await findMemberships(db, viewer.userId ?? 0, ids)
    for (const row of slice) {
      spaces.push({
        id: row.id,
        folder_id: row.folder_id,
        name: row.name,
        ...membershipOf(row.folder_id),
        storage_used: row.storage_used,
        storage_quota: row.storage_quota,
        editors_may_link: row.editors_may_link === 1,
        created_at: isoTime(row.created_at),
      })
    }
  }
  return spaces
}
