/** Turns a name and a password into a key for this machine. */
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
  // The server takes changes with a cookie only from its own pages; this header is how a browser says so.
  return { server: { ...server, headers: { cookie: value, 'sec-fetch-site': 'same-origin' } }, user }
}

const openSession = (server: Server, username: string, password: string): Promise<Session> =>
  withRetries(() => postLogin(server, requestOf(login, { username, password })), server.signal, false)

const deviceName = (): string => hostname().trim().slice(0, maxKeyNameLength) || 'terminal'

/** Keeps the key; one that cannot be kept is deleted again. */
async function keep(call: Call, signIn: DeviceSignIn, store: (signIn: DeviceSignIn) => Promise<void>): Promise<void> {
  try {
    await store(signIn)
  } catch (error) {
    await call(deleteApiKey, { id: signIn.key.id }).catch(() => undefined)
    throw error
  }
}

/**
 * Signs in, makes a device key named after the machine with all that the user may, has it stored, deletes the key it
 * replaces, and ends the session again. Throws `denied` for an account that must choose a new password first, and what
 * `store` throws.
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
    // Signed in or not: a session that cannot be ended now ends by itself.
    await call(logout, {}).catch(() => undefined)
  }
}
