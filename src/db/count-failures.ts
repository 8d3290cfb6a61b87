/** Tells of each failure of the database once, where it happens, whoever asked for what failed. */
import { AppError } from '../base/errors.ts'
import { driverError, StatementError } from './connections.ts'
import { isOfDatabase, isOrphan, isTaken, isTimedOut } from './failures.ts'

/** What tables refuse is an answer: the row is taken, or what it refers to is gone. So is what took too long. */
const isRefusal = (error: unknown): boolean =>
  isTaken(error) || isOrphan(error) || isTimedOut(error) || driverError(error).code === 'SQLITE_CONSTRAINT'

/** Gives back what calls `tell` for an error that is a failure, unless it has been told as it passed by before. */
export function tellOnce(tell: () => void): (error: unknown) => void {
  const told = new WeakSet<object>()
  return error => {
    // What it stands for was told where it happened.
    if (error instanceof AppError || !isOfDatabase(error) || isRefusal(error)) return
    const root = error instanceof StatementError ? error.cause : error
    if (!(root instanceof Error) || told.has(root)) return
    told.add(root)
    tell()
  }
}
