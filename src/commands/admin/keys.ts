/** `filestore admin key …`. */
import { terminalActor, terminalActorFor } from '../../access/actor.ts'
import { confirmedWrite } from '../../access/confirmed-write.ts'
import { permissionsOf } from '../../access/sessions.ts'
import type { InputOf } from '../../api/endpoint.ts'
import * as api from '../../api/keys.ts'
import type { Permission } from '../../api/permissions.ts'
import { AppError } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Flags } from '../../config-options.ts'
import type { Database } from '../../db/database.ts'
import { findByPath, findFolder } from '../../files/find.ts'
import { deleteApiKey } from '../../keys/delete.ts'
import { findKeyByName, findOwnedKeys, type OwnedKeyRow } from '../../keys/find.ts'
import * as keys from '../../keys/keys.ts'
import { presentKey } from '../../keys/present.ts'
import type { ProfileRow } from '../../users/find.ts'
import { withRows } from '../open.ts'
import { findItemPaths } from './item-paths.ts'
import { findNamedUser, givenId } from './names.ts'

/** An API key with its owner's username. */
export type OwnedKey = api.ApiKey & {
  owner: string
  /** The folder that the key is for: `ann:/Scans`, or `@Choir/Plans`; null if there is none, or it is gone. */
  folder: string | null
}

async function presentOwned(db: Database, rows: readonly OwnedKeyRow[]): Promise<OwnedKey[]> {
  const paths = await findItemPaths(
    db,
    rows.map(({ scope_item_id }) => scope_item_id).filter(id => id !== null),
  )
  return rows.map(row => ({
    ...presentKey(row),
    owner: row.owner,
    folder: (row.scope_item_id === null ? undefined : paths.get(row.scope_item_id)) ?? null,
  }))
}

async function presentOne(db: Database, row: OwnedKeyRow): Promise<OwnedKey> {
  const [key] = await presentOwned(db, [row])
  return key as OwnedKey
}

/** Returns the keys of one user or of all users, the newest first. Throws `not_found` for the user. */
export const listKeys = (flags: Flags, user: string | undefined): Promise<OwnedKey[]> =>
  withRows(flags, async ({ db }) => {
    const owner = user === undefined ? null : (await findNamedUser(db, user)).id
    return presentOwned(db, await findOwnedKeys(db, owner))
  })

/** Throws `forbidden` if the key would get a permission that its owner lacks. */
function refuseBeyondOwner(owner: ProfileRow, permissions: readonly Permission[]): void {
  const held = permissionsOf(owner)
  const lacking = permissions.filter(permission => !held.includes(permission))
  if (lacking.length === 0) return
  const sentence = `The role of ${owner.username}, ${owner.role}, does not allow ${lacking.join(', ')}`
  throw new AppError('forbidden', sentence)
}

/** The folder of a key, which its owner sees: a path in their own tree, or `id:42`. Throws `not_found`. */
async function findScope(db: Database, owner: ProfileRow, text: string) {
  const actor = terminalActorFor(owner.id, owner.space_id)
  const id = givenId(text) ?? (await findByPath(db, actor, text, null)).id
  const { spaceId } = await findFolder(db, actor, id, 'see')
  return { spaceId, folderId: id }
}

/**
 * Creates a key for a user, for one folder if `folder` names it. Returns it with its secret, which is shown only this
 * once. Throws `not_found`, `invalid_input` and `forbidden`. The owner's permissions are read in the same write that
 * creates the key, behind the lock that deletions and changes of roles take too.
 */
export const createKey = (
  flags: Flags,
  user: string,
  input: Omit<InputOf<typeof api.createApiKey>, 'scope_id'>,
  folder?: string,
): Promise<OwnedKey & { secret: string }> =>
  withRows(flags, async ({ db }) => {
    const parsed = parseInput(api.createApiKey.input, input)
    return confirmedWrite(db, terminalActor, async () => {
      const owner = await findNamedUser(db, user)
      refuseBeyondOwner(owner, parsed.permissions)
      const scope = folder === undefined ? null : await findScope(db, owner, folder)
      const key = await keys.createApiKey(db, terminalActor, owner.id, parsed, { scope })
      const paths = await findItemPaths(db, scope === null ? [] : [scope.folderId])
      return { ...key, owner: owner.username, folder: paths.get(scope?.folderId ?? 0) ?? null }
    })
  })

/** Throws `not_found`. */
async function findNamedKey(db: Database, name: string): Promise<OwnedKeyRow> {
  const key = await findKeyByName(db, givenId(name) ?? name)
  if (key === undefined) throw new AppError('not_found', `There is no API key '${name}'`)
  return key
}

/** Returns the key that `revokeKey` would delete. Throws `not_found`. */
export const showKey = (flags: Flags, name: string): Promise<OwnedKey> =>
  withRows(flags, async ({ db }) => presentOne(db, await findNamedKey(db, name)))

/** Deletes a key, named by its public half or as `id:7`. Returns the deleted key. Throws `not_found`. */
export const revokeKey = (flags: Flags, name: string): Promise<OwnedKey> =>
  withRows(flags, async ({ db }) => {
    const key = await findNamedKey(db, name)
    const revoked = await presentOne(db, key)
    await deleteApiKey(db, terminalActor, key.user_id, key.id)
    return revoked
  })
