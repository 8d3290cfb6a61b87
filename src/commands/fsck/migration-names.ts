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
      const { names, missing } = await find()
      if (missing.length === 0) return false
      // By the names that stay: text that is not UTF-8 is never found by what it is read as.
      const kept = names.map((_, at) => `$${at + 1}`).join(', ')
      await db.change(`DELETE FROM migrations WHERE name NOT IN (${kept})`, names)
      for (const name of missing) await db.change('INSERT INTO migrations (name) VALUES ($1)', [name])
      if (tellDamagedNames(await find()) !== undefined) throw new Error('the names are not those that were written')
      return true
    })
  await report({ verdict: 'repairable', problem: 'migrations', name: `table ${migrationsTable}`, detail }, repair)
}
