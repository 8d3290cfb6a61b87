/** `filestore login`: stores a profile, with a key created for this machine or one that the person provides. */

import type { Profile } from '../../src/api/auth.ts'
import { getProfile } from '../../src/api/auth.ts'
import { ApiError } from '../../src/api/client.ts'
import { processContext } from '../../src/base/process-context.ts'
import { CommandError } from '../../terminal/exit.ts'
import { runInterruptibly } from '../../terminal/interrupt.ts'
import { printJson, printNotice } from '../../terminal/output.ts'
import { ask, readSecret } from '../../terminal/prompt.ts'
import { createCall, openServer, type Server } from '../client.ts'
import { explainError } from '../explain.ts'
import {
  checkKeyText,
  environmentUrl,
  findDefaultProfile,
  readProfile,
  type StoredProfile,
  writeProfile,
} from '../profile.ts'
import { parseServerUrl } from '../server-url.ts'
import { signInDevice } from '../sign-in.ts'
import type { ProfileOption } from '../signed-in.ts'

/** The address of `filestore serve` by default. */
const defaultUrl = 'http://127.0.0.1:8080'

export interface LoginOptions extends ProfileOption {
  username?: string
  passwordStdin?: boolean
  keyId?: string
  secretStdin?: boolean
  json?: boolean
}

interface Login {
  user: Profile
  stored: StoredProfile
}

/** Stores the result of a sign-in. */
type Store = (login: Login) => Promise<void>

async function logInWithPassword(
  server: Server,
  options: LoginOptions,
  previous: StoredProfile | undefined,
  store: Store,
): Promise<void> {
  const username = options.username ?? (await ask('Username: ', '--username', server.signal))
  const password = options.passwordStdin
    ? await readSecret('Password: ', server.signal)
    : await ask('Password: ', '--password-stdin', server.signal, true)
  if (username.trim() === '' || password.trim() === '') {
    throw new CommandError('usage', 'Please enter both username and password')
  }
  const replacedKey = previous?.url === server.url ? previous.device_key?.id : undefined
  await signInDevice(server, username, password, replacedKey, ({ user, key: { key_id, secret, id, name } }) =>
    store({ user, stored: { url: server.url, username: user.username, key_id, secret, device_key: { id, name } } }),
  )
}

async function logInWithKey(server: Server, keyId: string, options: LoginOptions, store: Store): Promise<void> {
  checkKeyText(keyId, '--key-id')
  const secret = options.secretStdin
    ? await readSecret('Secret: ', server.signal)
    : await ask('Secret: ', '--secret-stdin', server.signal, true)
  checkKeyText(secret, 'The secret')
  const credentials = { url: server.url, key_id: keyId, secret }
  const user = await createCall(openServer(credentials, server.signal))(getProfile, {})
  await store({ user, stored: { ...credentials, username: user.username, device_key: null } })
}

/** After a wrong password or secret, the advice to sign in would make no sense. */
const explainRefusal = (error: unknown, url: string): unknown =>
  error instanceof ApiError && error.code === 'unauthenticated' ? error : explainError(error, url)

function checkOptions(options: LoginOptions): void {
  if (options.secretStdin && options.keyId === undefined) {
    throw new CommandError('usage', '--secret-stdin goes with --key-id')
  }
  if (options.keyId !== undefined && (options.username !== undefined || options.passwordStdin)) {
    throw new CommandError('usage', 'Sign in with a name and a password, or with a key, not with both')
  }
}

/** Signs in to a server: the given one, otherwise that of FILESTORE_URL, of the profile, or on this machine. */
export async function logIn(url: string | undefined, options: LoginOptions): Promise<void> {
  checkOptions(options)
  const name = options.profile ?? (await findDefaultProfile())
  const previous = await readProfile(name)
  const address = parseServerUrl(url ?? environmentUrl() ?? previous?.url ?? defaultUrl)
  await runInterruptibly(async signal => {
    const server: Server = { url: address, headers: {}, signal }
    if (processContext().stdin.isTTY) printNotice(`Signing in to ${address}`)
    const store: Store = async ({ user, stored }) => {
      await writeProfile(name, stored)
      if (options.json) printJson(user)
      const key = stored.device_key === null ? '' : `; this machine's key is named '${stored.device_key.name}'`
      printNotice(`Signed in to ${address} as ${user.username}${key}`)
    }
    await (options.keyId === undefined
      ? logInWithPassword(server, options, previous, store)
      : logInWithKey(server, options.keyId, options, store)
    ).catch(error => Promise.reject(explainRefusal(error, address)))
  })
}
