/** Checks SQLite's search index against the rows: triggers keep it, and it has no row of its own to compare. */
import { systemActor } from '../../db/write.ts'
import { spaceToken } from '../../files/search/names.ts'
import type { Check } from './finding.ts'
import { nameItem } from './names.ts'
import type { IdRange } from './pages.ts'

interface UnfitRow {
  id: number
  /** Null: the index has it, and there is no such item. */
  space_id: number | null
  name_folded: string | null
}

/** FTS5 keeps a row for each entry in its table of sizes, which is read by id, as the index itself is not. */
const findUnfit = ({ deps: { db } }: Check, { after, upTo }: IdRange): Promise<UnfitRow[]> =>
  db.rows<UnfitRow>(
    `SELECT f.id, f.space_id, f.name_folded FROM files f LEFT JOIN file_search_docsize d ON d.id = f.id
       WHERE f.id > $1 AND f.id <= $2 AND d.id IS NULL
     UNION ALL
     SELECT d.id, NULL, NULL FROM file_search_docsize d LEFT JOIN files f ON f.id = d.id
       WHERE d.id > $1 AND d.id <= $2 AND f.id IS NULL`,
    [after, upTo],
  )

/** MariaDB searches the rows' own index, which cannot be another than they are. */
export async function checkSearchIndex(check: Check, range: IdRange): Promise<void> {
  const { db } = check.deps
  if (db.dialect === 'mariadb') return
  for (const { id } of await findUnfit(check, range)) {
    const around = { after: id - 1, upTo: id }
    const [row] = await findUnfit(check, around)
    if (row === undefined) continue
    const finding = {
      verdict: 'repairable',
      problem: 'search-index',
      name: `${await nameItem(db, id)} (id:${id})`,
      detail: row.space_id === null ? 'the search index knows it, and it is gone' : 'the search index does not know it',
      file_id: id,
      space_id: row.space_id,
    } as const
    await check.report(finding, () =>
      db.write(systemActor, async record => {
        record.nothing()
        const [unfit] = await findUnfit(check, around)
        if (unfit === undefined) return false
        if (unfit.space_id === null) await db.change('DELETE FROM file_search WHERE rowid = $1', [id])
        else {
          await db.change('INSERT INTO file_search (rowid, name_folded, space) VALUES ($1, $2, $3)', [
            id,
            unfit.name_folded,
            spaceToken(unfit.space_id),
          ])
        }
        return true
      }),
    )
  }
}
