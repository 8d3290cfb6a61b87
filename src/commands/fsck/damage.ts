/** What SQLite cannot read any more of its own file. */
import { driverError } from '../../db/connections.ts'
import { type Check, damageProblem } from './finding.ts'

/** Reports a part of the database that cannot be read; all else is looked at all the same. */
export async function reportDamage(check: Check, name: string, look: () => Promise<void>): Promise<void> {
  try {
    await look()
  } catch (error) {
    const { code, message = '' } = driverError(error)
    if (code !== 'SQLITE_CORRUPT') throw error
    await check.report({ verdict: 'lost', problem: damageProblem, name, detail: `cannot be read: ${message}` })
  }
}
