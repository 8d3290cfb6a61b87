/** A user of a test server with a terminal that is signed in by its environment. */
import { getProfile } from '../../src/api/auth.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { type BuiltUser, buildKey, buildUser, type UserOptions } from '../support/factories.ts'
import type { TestServer } from '../support/test-server.ts'
import { openTerminal, type Terminal } from './terminal.ts'

interface TerminalUser {
  user: BuiltUser
  terminal: Terminal
}

/** Makes the user and a device key, which has all of the user's permissions unless others are given. */
export async function openUserTerminal(
  server: TestServer,
  options: UserOptions = {},
  permissions?: Permission[],
): Promise<TerminalUser> {
  const user = await buildUser(server, options)
  const given = permissions ?? (await user.call(getProfile, {})).permissions
  const key = await buildKey(server, user, given, 'device')
  const terminal = await openTerminal({
    FILESTORE_URL: server.url,
    FILESTORE_API_KEY_ID: key.keyId,
    FILESTORE_API_SECRET: key.secret,
  })
  return { user, terminal }
}
