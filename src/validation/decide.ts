/** Approves and rejects files in the validation queue. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { mayDecide } from '../access/policy.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { decideFile as endpoint } from '../api/validation.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { findForReview } from '../files/find.ts'
import type { DetailsRow } from '../files/item-row.ts'
import { findSwitches } from '../settings/find.ts'

type Decision = ParsedInputOf<typeof endpoint>

const notWaiting = (): AppError => new AppError('already_decided', 'This file is not waiting for a decision')

/**
 * Decides on a pending file and returns it. Throws `not_found` if there is no such live file, `forbidden` for the
 * actor's own file if self-validation is off, and `already_decided` if the file is not pending, for example because
 * another reviewer was faster. Throws `already_decided` on `sha256` if the content changed since the reviewer saw it.
 */
export async function decideFile(db: Database, actor: Principal, decision: Decision): Promise<DetailsRow> {
  return confirmedWrite(db, actor, async record => {
    // Every write to a space takes the space's lock first, so the file is read before it to find the space, and again
    // below.
    await lockSpace(db, (await findForReview(db, decision.file_id)).space_id)
    const file = await findForReview(db, decision.file_id)
    const { allow_self_validation } = await findSwitches(db)
    if (!mayDecide(actor, file, allow_self_validation)) {
      throw new AppError('forbidden', 'You may not decide on your own file')
    }
    // Check this before the content; otherwise a reviewer could guess the content of any private file.
    if (file.validation_status !== 'pending') throw notWaiting()
    refuseOtherContent(decision, file)
    const comment = decision.comment || null
    // Check the status once more, because a transfer may have moved the file to a space that is not locked here.
    const decided = await db.change(
      `UPDATE files SET validation_status = $1, validation_comment = $2, validated_by = $3, validated_at = $4
       WHERE id = $5 AND validation_status = 'pending' AND deleted_at IS NULL AND trash_root_id IS NULL`,
      [decision.status, comment, actor.userId, Date.now(), file.id],
    )
    if (decided === 0) throw notWaiting()
    const action = decision.status === 'approved' ? 'file.approve' : 'file.reject'
    record(action, { id: file.id, spaceId: file.space_id }, { name: file.name, comment })
    return findForReview(db, file.id)
  })
}

function refuseOtherContent({ sha256 }: Decision, file: DetailsRow): void {
  if (sha256 === undefined || sha256 === file.sha256) return
  const message = 'This file has changed since you looked at it'
  throw new AppError('already_decided', message, { fields: { sha256: message } })
}
