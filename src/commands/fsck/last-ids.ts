/** Checks that no table would give an id again: events of a row that is gone would be told of the new one. */
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
    // Nobody else gives an id between the look and the change. MariaDB commits at the change, and never counts down.
    const repair = () => (db.dialect === 'mariadb' ? countOn(db, table) : db.touch(() => countOn(db, table)))
    await report({ verdict: 'repairable', problem: 'last-id', name: `table ${table}`, detail }, repair)
  }
}
