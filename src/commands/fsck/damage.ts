/** Unreadable parts of a database: pages of SQLite's file, missing tables or columns. */

import { AppError, systemCode } from '../../base/errors.ts'
import { driverError } from '../../db/connections.ts'
import { isDamage, isOfDatabase } from '../../db/failures.ts'
import { type Check, damageProblem } from './finding.ts'

/** The database's message about its damage, from an error or its cause; undefined for other errors. */
export const damageOf = (error: unknown): string | undefined =>
  isDamage(error) ? driverError(error).message : error instanceof Error ? damageOf(error.cause) : undefined

/** Tables whose content is counted, drawn, learned or given again; those of the search index are rebuilt from the files. */
export const remadeTables =
  /^(sessions|link_visits|file_thumbnails|uploads|folder_counts|type_counts|shared_counts|leases|nodes|file_search.*)$/

/** Matches the missing table in a message of either database. */
const missingTable = /(?:no such table: |Table ')(?:\w+\.)?(\w+)/

/** The missing table, if it can be recreated; undefined when the message is about something else. */
function missingRemadeTable(message: string): string | undefined {
  const table = missingTable.exec(message)?.[1]
  return table !== undefined && remadeTables.test(table) ? table : undefined
}

/** Whether a query failed because a table is missing that the schema's repair recreates. */
export const lacksRemadeTable = (error: unknown): boolean =>
  missingRemadeTable(driverError(error).message ?? '') !== undefined

/** Whether an error in a damaged database comes from data that an intact one cannot contain. */
const isLost = (check: Check, error: unknown): boolean =>
  check.isDamaged() && !(error instanceof AppError) && !isOfDatabase(error) && systemCode(error) === undefined

/** Reports a part of the database that cannot be read; the check continues with the rest. */
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
