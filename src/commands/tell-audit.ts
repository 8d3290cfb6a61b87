/** Tells the audit log what was taken or brought at the server's own terminal. */
import { terminalActor, writeActor } from '../access/actor.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'

/** Noun and verb, as of all events; of the last two the noun's row is the user's. */
type TerminalAction = 'backup.create' | 'backup.restore' | 'user.export' | 'user.import'

/**
 * Leaves an event. Gives back null, or an error to be told where it cannot be left, which undoes nothing: a disk that is
 * full, or tables of an older filestore, are no reason against a backup.
 */
export async function tellAudit(
  db: Database,
  action: TerminalAction,
  userId: number | null,
  detail: Record<string, unknown>,
): Promise<AppError | null> {
  try {
    await db.write(writeActor(terminalActor), async record => record(action, { id: userId }, detail))
    return null
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return new AppError('internal', `The audit log could not be told: ${reason}`, { cause: error })
  }
}
