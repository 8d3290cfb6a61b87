/** What cannot be read any more: a part of SQLite's own file, a table or a column that is not there. */

import { AppError, systemCode } from '../../base/errors.ts'
import { driverError } from '../../db/connections.ts'
import { isDamage, isOfDatabase } from '../../db/failures.ts'
import { type Check, damageProblem } from './finding.ts'

/** What the database said of its damage where that, or what caused it, is an error; undefined for all other errors. */
export const damageOf = (error: unknown): string | undefined =>
  isDamage(error) ? driverError(error).message : error instanceof Error ? damageOf(error.cause) : undefined

/** What is in them is counted, drawn or learned anew, and those of the search index are filled from the files. */
export const remadeTables = /^(sessions|space_thumbnails|folder_counts|type_counts|shared_counts|leases|file_search.*)$/

/** The table that is not there, in the words of either database. */
const missingTable = /(?:no such table: |Table ')(?:\w+\.)?(\w+)/

/** The table that is missing and can be made anew; undefined where the message is about something else. */
function missingRemadeTable(message: string): string | undefined {
  const table = missingTable.exec(message)?.[1]
  return table !== undefined && remadeTables.test(table) ? table : undefined
}

/** Whether a look failed for want of a table that the repair of the schema makes anew. */
export const lacksRemadeTable = (error: unknown): boolean =>
  missingRemadeTable(driverError(error).message ?? '') !== undefined

/** Whether a check came upon what cannot stand in a whole database, in one that is known not to be whole. */
const isLost = (check: Check, error: unknown): boolean =>
  check.isDamaged() && !(error instanceof AppError) && !isOfDatabase(error) && systemCode(error) === undefined

/** Reports a part of the database that cannot be read; all else is looked at all the same. */
export async function reportDamage(check: Check, name: string, look: () => Promise<void>): Promise<void> {
  try {
    await look()
  } catch (error) {
    check.signal.throwIfAborted()
    if (isLost(check, error)) {
      const detail = 'cannot be looked at to the end, for rows of a damaged table hold what no row can'
      return check.report({ verdict: 'lost', problem: damageProblem, name, detail })
    }
    if (!isDamage(error)) throw error
    const { message = '' } = driverError(error)
    const table = missingRemadeTable(message)
    if (table !== undefined) {
      const detail = `cannot be looked at until the table ${table} is made anew`
      return check.report({ verdict: 'repairable', problem: 'schema', name, detail })
    }
    await check.report({ verdict: 'lost', problem: damageProblem, name, detail: `cannot be read: ${message}` })
  }
}
