/** Checks that no table would reuse an id: the events of a deleted row would then seem to be the new row's. */
import type { Database } from '../../db/database.ts'
import { describeDamagedId, findLastIds, isDamagedId, type LastId, lastIdOf } from '../../db/last-ids.ts'
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

export async function checkLastIds({ deps: { db }, report }: Check): Promise<void> {
  for (const lastId of (await findLastIds(db)).filter(isDamagedId)) {
    const { table } = lastId
    const detail = describeDamagedId(lastId)
    // On SQLite no id is assigned between check and change. MariaDB commits the change, and never counts down.
    const repair = () => (db.dialect === 'mariadb' ? countOn(db, table) : db.touch(() => countOn(db, table)))
    await report({ verdict: 'repairable', problem: 'last-id', name: `table ${table}`, detail }, repair)
  }
}
