/**
 * Checks that no table would reuse an id: the events of a deleted row would then seem to be the new row's. Also checks that
 * no row has an id beyond all that are given: the next one would have to be higher still, so that no row could be added.
 */
import type { Database } from '../../db/database.ts'
import { describeDamagedId, findLastIds, isDamagedId, type LastId, lastIdOf, maxId } from '../../db/last-ids.ts'
import type { Check } from './finding.ts'
import { changeOnce } from './schema-changes.ts'

const findAgain = async (db: Database, table: string): Promise<LastId | undefined> =>
  (await findLastIds(db)).find(lastId => lastId.table === table && isDamagedId(lastId))

async function countOn(db: Database, table: string): Promise<boolean> {
  const found = await findAgain(db, table)
  if (found === undefined) return false
  const id = lastIdOf(found)
  if (db.dialect === 'mariadb') await changeOnce(db, `ALTER TABLE ${table} AUTO_INCREMENT = ${id + 1}`)
  else {
    await db.change('DELETE FROM sqlite_sequence WHERE name = $1', [table])
    await db.change('INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)', [table, id])
  }
  return true
}

/** The ids that filestore never gives; two conditions, because each alone is looked up in the primary key. */
const impossible = ['id < 1', `id > ${maxId}`]
/** How many impossible ids of a kind are reported; after one, nothing was added. */
const mostImpossible = 100

/** The impossible ids of a table as texts: a number would not be exact. */
async function findImpossible(db: Database, table: string): Promise<string[]> {
  const found: string[] = []
  for (const condition of impossible) {
    const rows = await db.rows<{ id: string }>(
      `SELECT CAST(id AS CHAR(20)) AS id FROM ${table} WHERE ${condition} LIMIT ${mostImpossible}`,
    )
    found.push(...rows.map(({ id }) => id))
  }
  return found
}

/** Gives an event the id after the last one: nothing refers to events. */
async function renumberEvent(db: Database, id: string): Promise<boolean> {
  const last = (await findLastIds(db)).find(({ table }) => table === 'events')
  const row = `${impossible[id.startsWith('-') || id === '0' ? 0 : 1]} AND CAST(id AS CHAR(20)) = $1`
  return db.touch(async () => {
    if ((await db.row(`SELECT 1 AS found FROM events WHERE ${row}`, [id])) === undefined) return false
    const next = await db.row<{ id: number | null }>(`SELECT MAX(id) AS id FROM events WHERE id <= ${maxId}`)
    await db.change(`UPDATE events SET id = $2 WHERE ${row}`, [
      id,
      Math.max(next?.id ?? 0, last === undefined ? 0 : lastIdOf(last)) + 1,
    ])
    return true
  })
}

async function checkImpossible({ deps: { db }, report }: Check, table: string): Promise<void> {
  for (const id of await findImpossible(db, table)) {
    const finding = { problem: 'id', name: `table ${table}` }
    const detail = `a row has the id ${id}, which filestore never gives; after the highest possible one, no row can be added`
    if (table !== 'events') await report({ ...finding, verdict: 'lost', detail })
    else await report({ ...finding, verdict: 'repairable', detail }, () => renumberEvent(db, id))
  }
}

export async function checkLastIds(check: Check): Promise<void> {
  const {
    deps: { db },
    report,
  } = check
  for (const { table } of await findLastIds(db)) await checkImpossible(check, table)
  for (const lastId of (await findLastIds(db)).filter(isDamagedId)) {
    const { table } = lastId
    const detail = describeDamagedId(lastId)
    // On SQLite no id is assigned between check and change. MariaDB commits the change, and never counts down.
    const repair = () => (db.dialect === 'mariadb' ? countOn(db, table) : db.touch(() => countOn(db, table)))
    await report({ verdict: 'repairable', problem: 'last-id', name: `table ${table}`, detail }, repair)
  }
}
