/** Rebuilds an index from its table. */

import type { Recorder } from '../../db/recorder.ts'
import type { SchemaPart } from '../../db/schema.ts'
import { systemActor } from '../../db/write-actor.ts'
import { findFreeName } from '../../files/free-name.ts'
import { nameColumns } from '../../files/item-name.ts'
import type { Check } from './finding.ts'
import { changeOnce } from './schema-changes.ts'

/** The unique index of names per folder. A row that it lacks does not keep its name from being used twice. */
const nameIndex = 'files_name'

interface NameRow {
  id: number
  space_id: number
  parent_id: number | null
  name: string
  is_directory: 0 | 1
}

/** Live items with a name that an older item in their folder already has. */
const twiceQuery = `SELECT f.id, f.space_id, f.parent_id, f.name, f.is_directory FROM files f
  JOIN (SELECT space_id, live_parent, name, MIN(id) AS first FROM files WHERE live_parent IS NOT NULL
    GROUP BY space_id, live_parent, name HAVING COUNT(*) > 1) t
    ON t.space_id = f.space_id AND t.live_parent = f.live_parent AND t.name = f.name AND f.id > t.first
  ORDER BY f.id`

/** Renames items that were accepted under a taken name. */
async function separateNames({ deps: { db } }: Check, record: Recorder): Promise<void> {
  for (const { id, space_id, parent_id, name, is_directory } of await db.rows<NameRow>(twiceQuery)) {
    const free = await findFreeName(db, space_id, parent_id, name, is_directory === 1)
    await db.update(db.files, nameColumns(free, is_directory === 1), id)
    record('file.rename', { id, spaceId: space_id }, { from: name, to: free })
  }
}

/** Replaces an index by one with the right definition. Call it inside `changeSchema`. */
export async function makeIndex(check: Check, { name, table, definition }: Omit<SchemaPart, 'kind'>): Promise<void> {
  const { db } = check.deps
  const isSqlite = db.dialect === 'sqlite'
  await changeOnce(db, isSqlite ? `DROP INDEX IF EXISTS ${name}` : `DROP INDEX IF EXISTS \`${name}\` ON ${table}`)
  if (name === nameIndex) {
    await db.write(systemActor, async record => {
      record.nothing()
      await separateNames(check, record)
    })
  }
  await changeOnce(db, isSqlite ? definition : `ALTER TABLE ${table} ADD ${definition}`)
}
