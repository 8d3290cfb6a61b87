/** Who finishes an upload that a crash has interrupted: its user, with the rights of now. */
import type { Actor } from '../access/actor.ts'
import { findLiveKey, keyActor } from '../access/key-account.ts'
import { type AccountRow, accountColumns, userOf } from '../access/sessions.ts'
import type { Database } from '../db/database.ts'
import type { Upload } from './rows.ts'

/** Where the server itself acts for a user. */
const here = 'localhost'

/** The actor of an upload's key, or else of its user; undefined if they may no longer upload. */
export async function findUploader(db: Database, { id, key_id }: Upload): Promise<Actor | undefined> {
  const actor = key_id === null ? await findUserActor(db, id) : await findKeyActor(db, key_id)
  return actor?.permissions.has('files:upload') ? actor : undefined
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
