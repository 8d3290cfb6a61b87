/** Signs in with a username and a password, and creates a key for this machine. */
import { hostname } from 'node:os'
import type { Profile } from '../src/api/auth.ts'
import { login, logout } from '../src/api/auth.ts'
import { type ApiRequest, type Call, requestOf } from '../src/api/client.ts'
import { type CreatedApiKey, createApiKey, deleteApiKey } from '../src/api/keys.ts'
import { maxKeyNameLength } from '../src/api/limits.ts'
import { CommandError } from '../terminal/exit.ts'
import { createCall, readData, type Server, sendRequest } from './client.ts'
import { withRetries } from './retry.ts'

interface Session {
  server: Server
  user: Profile
}

interface DeviceSignIn {
  user: Profile
  key: CreatedApiKey
}

const sessionCookie = /^((?:__Host-)?filestore_session=[^;]+)/

async function postLogin(server: Server, { method, url, body }: ApiRequest): Promise<Session> {
  const headers = { 'content-type': 'application/json' }
  const response = await sendRequest(server, { method: method as 'POST', path: url, headers, body })
  const { user } = await readData(server, login, response)
  const cookie = [response.headers['set-cookie'] ?? []].flat().find(header => sessionCookie.test(header))
  const [, value] = sessionCookie.exec(cookie ?? '') ?? []
  if (value === undefined) throw new CommandError('unexpected', `${server.url} answered without a session`)
  // The server accepts changes with a cookie only from its own pages; browsers say so with this header.
  return { server: { ...server, headers: { cookie: value, 'sec-fetch-site': 'same-origin' } }, user }
}

const openSession = (server: Server, username: string, password: string): Promise<Session> =>
  withRetries(() => postLogin(server, requestOf(login, { username, password })), server.signal, false)

const deviceName = (): string => hostname().trim().slice(0, maxKeyNameLength) || 'terminal'

/** Stores the key, and deletes it again on the server if it cannot be stored. */
async function keep(call: Call, signIn: DeviceSignIn, store: (signIn: DeviceSignIn) => Promise<void>): Promise<void> {
  try {
    await store(signIn)
  } catch (error) {
    await call(deleteApiKey, { id: signIn.key.id }).catch(() => undefined)
    throw error
  }
}

/**
 * Signs in, creates a device key that is named after the machine and has all of the user's permissions, stores it,
 * deletes the key that it replaces, and ends the session. Throws `denied` if the account must choose a new password
 * first, and the errors of `store`.
 */
export async function signInDevice(
  server: Server,
  username: string,
  password: string,
  replacedKey: number | undefined,
  store: (signIn: DeviceSignIn) => Promise<void>,
): Promise<void> {
  const session = await openSession(server, username, password)
  const call = createCall(session.server)
  try {
    if (session.user.must_change_password) {
      const message = `This account must change its password first: sign in at ${server.url} with a browser`
      throw new CommandError('denied', message)
    }
    const { permissions } = session.user
    const key = await call(createApiKey, {
      name: deviceName(),
      kind: 'device',
      permissions,
      current_password: password,
    })
    await keep(call, { user: session.user, key }, store)
    if (replacedKey !== undefined) await call(deleteApiKey, { id: replacedKey }).catch(() => undefined)
  } finally {
    // Ignore a failure: a session that cannot be ended now expires by itself.
    await call(logout, {}).catch(() => undefined)
  }
}
