/** Checks SQLite's search index: its integrity, and its entries against the rows. */
import { readNewSearchConfig } from '../../db/schema.ts'
import { systemActor } from '../../db/write-actor.ts'
import { trigramWordsOfRow } from '../../files/search/names.ts'
import type { Check } from './finding.ts'
import { nameItem } from './names.ts'
import { type IdRange, idRanges } from './pages.ts'
import { holdsOtherText } from './search-text.ts'
import { isSearchDamaged } from './sqlite-file.ts'

/** Adds the missing names of a range of files to the index. */
const addMissing = ({ deps: { db } }: Check, { after, upTo }: IdRange): Promise<unknown> =>
  db.change(
    `INSERT INTO file_search (rowid, trigrams)
     SELECT f.id, ${trigramWordsOfRow} FROM files f WHERE f.id > $1 AND f.id <= $2
       AND f.id NOT IN (SELECT d.id FROM file_search_docsize d WHERE d.id > $1 AND d.id <= $2)`,
    [after, upTo],
  )

/**
 * Rebuilds the index in ranges of rows. Triggers add concurrent writes. What a killed repair has left out is found row
 * by row, like any missing entry.
 */
async function fillAnew(check: Check): Promise<boolean> {
  const { db } = check.deps
  const config = await readNewSearchConfig()
  await db.touch(async () => {
    for (const { k, v } of config) {
      await db.change('INSERT OR IGNORE INTO file_search_config (k, v) VALUES ($1, $2)', [k, v])
    }
    await db.change("INSERT INTO file_search (file_search) VALUES ('delete-all')")
  })
  for await (const range of idRanges(check, 'files')) await db.touch(() => addMissing(check, range))
  return true
}

const reportIndex = (check: Check, detail: string): Promise<void> =>
  check.report({ verdict: 'repairable', problem: 'search-index', name: 'the search index', detail }, () =>
    fillAnew(check),
  )

/** Checks whose index is still damaged, so that its entries cannot be compared. */
const damaged = new WeakSet<Check>()

/** Checks the integrity of the index. MariaDB searches the rows' own index instead. */
export async function checkSearch(check: Check): Promise<void> {
  if (check.deps.db.dialect === 'mariadb' || !(await isSearchDamaged(check))) return
  await reportIndex(check, 'it is damaged: searches find too little, and deleting files for good fails')
  if (!check.mayRepair() || (await isSearchDamaged(check))) damaged.add(check)
}

interface UnfitRow {
  id: number
  /** Null when the index has an entry without an item. */
  space_id: number | null
}

/** Missing or surplus entries. FTS5's table of sizes has a row per entry and can be read by id, unlike the index. */
const findUnfit = ({ deps: { db } }: Check, { after, upTo }: IdRange, most = -1): Promise<UnfitRow[]> =>
  db.rows<UnfitRow>(
    `SELECT f.id, f.space_id FROM files f LEFT JOIN file_search_docsize d ON d.id = f.id
       WHERE f.id > $1 AND f.id <= $2 AND d.id IS NULL
     UNION ALL
     SELECT d.id, NULL FROM file_search_docsize d LEFT JOIN files f ON f.id = d.id
       WHERE d.id > $1 AND d.id <= $2 AND f.id IS NULL LIMIT ${most}`,
    [after, upTo],
  )

/** MariaDB has no separate search index. */
export async function checkSearchRows(check: Check, range: IdRange): Promise<void> {
  const { db } = check.deps
  if (db.dialect === 'mariadb' || damaged.has(check)) return
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
        else await addMissing(check, around)
        return true
      }),
    )
  }
}

/** With --hash: checks the text in the index, once it has exactly one entry per item. */
export async function checkSearchText(check: Check): Promise<void> {
  const { db } = check.deps
  if (db.dialect === 'mariadb' || !check.options.hash || damaged.has(check)) return
  const [unfit] = await findUnfit(check, { after: 0, upTo: Number.MAX_SAFE_INTEGER }, 1)
  if (unfit !== undefined || !(await holdsOtherText(check))) return
  await reportIndex(check, 'it holds other names than the files have')
}
