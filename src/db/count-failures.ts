/** Reports each failure of the database once, where it happens. */
import { AppError } from '../base/errors.ts'
import { driverError, StatementError } from './connections.ts'
import { isOfDatabase, isOrphan, isTaken, isTimedOut } from './failures.ts'

/** Refusals by a table (the row exists already, or its parent is gone) and timeouts are answers, not failures. */
const isRefusal = (error: unknown): boolean =>
  isTaken(error) || isOrphan(error) || isTimedOut(error) || driverError(error).code === 'SQLITE_CONSTRAINT'

/** Returns a function that calls `tell` for each error that is a failure, once per error. */
export function tellOnce(tell: () => void): (error: unknown) => void {
  const told = new WeakSet<object>()
  return error => {
    // The cause of an AppError was reported where it happened.
    if (error instanceof AppError || !isOfDatabase(error) || isRefusal(error)) return
    const root = error instanceof StatementError ? error.cause : error
    if (!(root instanceof Error) || told.has(root)) return
    told.add(root)
    tell()
  }
}
