/** Checks the names of the migrations: a server refuses a database in which one of them is lost or changed. */
import { findMigrations } from '../../db/migrate.ts'
import { completeNames, migrationsTable, tellDamagedNames } from '../../db/migrations-table.ts'
import type { Check } from './finding.ts'

/** Reports lost and changed names. The repair writes them all at once: without one, its migration would run again. */
export async function checkMigrations({ deps: { db }, report }: Check): Promise<void> {
  const find = async () => completeNames(await findMigrations(db))
  const detail = tellDamagedNames(await find())
  if (detail === undefined) return
  const repair = () =>
    db.touch(async () => {
      const { missing, unknown } = await find()
      for (const name of unknown) await db.change('DELETE FROM migrations WHERE name = $1', [name])
      for (const name of missing) await db.change('INSERT INTO migrations (name) VALUES ($1)', [name])
      return missing.length > 0
    })
  await report({ verdict: 'repairable', problem: 'migrations', name: `table ${migrationsTable}`, detail }, repair)
}
