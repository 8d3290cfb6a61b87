/** Records in the audit log what a command at the server's own terminal exported or brought in. */
import { terminalActor, writeActor } from '../access/actor.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'

/** Noun and verb, as in all events. For the last three, the event's row is the user's or the space's. */
type TerminalAction = 'backup.create' | 'backup.restore' | 'space.export' | 'user.export' | 'user.import'

/**
 * Records an event. Returns null, or an error to print if it could not be recorded. The command's work stays done: a
 * full disk, or the tables of an older filestore, must not prevent a backup.
 */
export async function tellAudit(
  db: Database,
  action: TerminalAction,
  id: number | null,
  detail: Record<string, unknown>,
): Promise<AppError | null> {
  try {
    await db.write(writeActor(terminalActor), async record => record(action, { id }, detail))
    return null
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return new AppError('internal', `The audit log could not be written: ${reason}`, { cause: error })
  }
}
