/** Who finishes an upload that a crash has interrupted: its user or its link's visitor, with the rights of now. */
import type { Actor, Caller, Visitor } from '../access/actor.ts'
import { findLiveKey, keyActor } from '../access/key-account.ts'
import { findLinkById, openLink } from '../access/link-account.ts'
import { type AccountRow, accountColumns, userOf } from '../access/sessions.ts'
import { InTransit } from '../access/transit.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Upload } from './rows.ts'

/** Where the server itself acts for others. */
const here = 'localhost'

/**
 * The visitor by an upload's link, the actor of its key, or that of its user; undefined if they may no longer upload.
 * Throws `unavailable` in transit.
 */
export async function findUploader(db: Database, upload: Upload): Promise<Caller | undefined> {
  const { id, key_id, link_id, visit_hash } = upload
  const find = (): Promise<Caller | undefined> => {
    if (link_id !== null) return findVisitor(db, link_id, visit_hash)
    return key_id === null ? findUserActor(db, id) : findKeyActor(db, key_id)
  }
  const actor = await find()
  return actor?.permissions.has('files:upload') ? actor : undefined
}

async function findVisitor(db: Database, linkId: number, visitHash: string | null): Promise<Visitor | undefined> {
  try {
    const { visitor, isUsedUp } = await openLink(db, await findLinkById(db, linkId), { address: here, visitHash })
    return isUsedUp ? undefined : visitor
  } catch (error) {
    if (error instanceof AppError && !(error instanceof InTransit)) return undefined
    throw error
  }
}

async function findKeyActor(db: Database, id: number): Promise<Actor | undefined> {
  const key = await findLiveKey(db, id)
  return key === undefined ? undefined : keyActor(key, here)
}

async function findUserActor(db: Database, uploadId: string): Promise<Actor | undefined> {
  const account = await db.row<AccountRow>(
    `SELECT ${accountColumns} FROM uploads x JOIN users u ON u.id = x.user_id WHERE u.is_active = 1 AND x.id = $1`,
    [uploadId],
  )
  return account === undefined ? undefined : { ...userOf(account, here), sessionId: null, key: null }
}
