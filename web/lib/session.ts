/** Beginning and ending a session. */
import { changePassword, getProfile, login, logout } from '../../src/api/auth.ts'
import type { InputOf } from '../../src/api/endpoint.ts'
import { clearUser, setUser } from './auth-store.ts'
import { call } from './call.ts'
import { queryClient } from './query-client.ts'
import { rememberFolder } from './remembered-folder.ts'
import { cancelAllUploads } from './uploads.ts'

/** Asks the server who is signed in. Any failure counts as nobody. */
export async function startSession(): Promise<void> {
  try {
    setUser(await call(getProfile, {}))
  } catch {
    clearUser()
  }
}

export async function signIn(input: InputOf<typeof login>): Promise<void> {
  const { user } = await call(login, input)
  queryClient.clear()
  setUser(user)
}

/** Ends the session here whether or not the server could be told. */
export async function signOut(): Promise<void> {
  cancelAllUploads()
  try {
    await call(logout, {})
  } catch {
    // Who wants to leave leaves; the server forgets the session when its time is over.
  }
  rememberFolder(null)
  clearUser()
  queryClient.clear()
}

export async function setPassword(input: InputOf<typeof changePassword>): Promise<void> {
  setUser(await call(changePassword, input))
}
