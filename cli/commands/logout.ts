/** `filestore logout`: deletes this machine's key on the server, and the profile. */
import { ApiError } from '../../src/api/client.ts'
import { deleteApiKey } from '../../src/api/keys.ts'
import { CommandError, exitOf } from '../../terminal/exit.ts'
import { runInterruptibly } from '../../terminal/interrupt.ts'
import { printJson, printNotice } from '../../terminal/output.ts'
import { createCall, openServer, type Server } from '../client.ts'
import { findDefaultProfile, readProfile, removeProfile, type StoredProfile } from '../profile.ts'
import type { ProfileOption } from '../signed-in.ts'

export interface LogoutOptions extends ProfileOption {
  json?: boolean
}

/** Whether the server no longer knows the key, which is as good as deleted. */
const isGone = (error: unknown): boolean => error instanceof ApiError && [401, 404].includes(error.status)

async function deleteDeviceKey(server: Server, key: { id: number; name: string }): Promise<void> {
  try {
    await createCall(server)(deleteApiKey, { id: key.id })
  } catch (error) {
    if (isGone(error)) return
    server.signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    const message = `Signed out here, but the key '${key.name}' still works: ${reason}. Delete it at ${server.url}`
    throw new CommandError(exitOf(error), message, { cause: error })
  }
}

const shownKey = ({ url, username, key_id, device_key }: StoredProfile) => ({ url, username, key_id, device_key })

/** Signs out. The profile is removed even if the server cannot delete the key; the command then fails. */
export async function logOut(options: LogoutOptions): Promise<void> {
  const name = options.profile ?? (await findDefaultProfile())
  const stored = await readProfile(name)
  if (stored === undefined) throw new CommandError('denied', `There is no profile '${name}' to sign out of`)
  await runInterruptibly(async signal => {
    await removeProfile(name)
    if (stored.device_key !== null) await deleteDeviceKey(openServer(stored, signal), stored.device_key)
  })
  if (options.json) printJson(shownKey(stored))
  const kept = stored.device_key === null ? `; the key ${stored.key_id} was not made by 'login' and stays` : ''
  printNotice(`Signed out of ${stored.url}${kept}`)
}
