/** Beginning and ending a session, in this tab and in the browser's others. */
import { changePassword, getProfile, login, logout, type Profile, updateProfile } from '../../src/api/auth.ts'
import { ApiError } from '../../src/api/client.ts'
import type { InputOf } from '../../src/api/endpoint.ts'
import { authStorage, clearUser, setUser, useAuth } from './auth-store.ts'
import { call, callOnce, messageOf, reasonOf } from './call.ts'
import { basePath } from './config.ts'
import { queryClient } from './query-client.ts'
import { rememberFolder } from './remembered-folder.ts'
import { closeTray } from './uploads.ts'

/** Asks the server who is signed in. Any failure counts as nobody. */
export async function startSession(): Promise<void> {
  try {
    setUser(await callOnce(getProfile, {}))
  } catch {
    clearUser()
  }
}

/** Signs in. Who was in the middle of something goes on with it; for anybody else nothing is left of it. */
export async function signIn(input: InputOf<typeof login>): Promise<void> {
  const before = useAuth.getState().user
  const { user } = await callOnce(login, input)
  const isReturn = before?.id === user.id
  if (!isReturn) queryClient.clear()
  setUser(user)
  if (isReturn) await queryClient.invalidateQueries()
}

const refused = 'Invalid username or password. Please try again.'

/** What to say of a failed sign-in (SPEC 8): the server's sentence, else its code, else the error's own words. */
export function signInProblem(error: unknown): string {
  const own = error instanceof ApiError ? (error.code ?? error.message) : reasonOf(error)
  return messageOf(error, own || refused)
}

/** Ends the session here whether or not the server could be told. */
export async function signOut(): Promise<void> {
  closeTray()
  try {
    await callOnce(logout, {})
  } catch {
    // Who wants to leave leaves; the server forgets the session when its time is over.
  }
  forgetUser()
}

function forgetUser(): void {
  closeTray()
  rememberFolder(null)
  clearUser()
  queryClient.clear()
}

/** Takes over what has changed of the own account: name, quota, permissions. */
export async function refreshProfile(): Promise<void> {
  setUser(await call(getProfile, {}))
}

export async function setPassword(input: InputOf<typeof changePassword>): Promise<void> {
  setUser(await call(changePassword, input))
}

/** Changes the own address and name; the header shows them at once. */
export async function setProfile(input: InputOf<typeof updateProfile>): Promise<void> {
  setUser(await call(updateProfile, input))
}

/** The tabs of a browser share one session: what another tab writes into the store's local storage holds here too. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === authStorage) void follow(newValue === null ? null : JSON.parse(newValue).state.user)
  })
}

async function follow(other: Profile | null): Promise<void> {
  const { user } = useAuth.getState()
  if (other === null) return user === null ? undefined : confirmSession()
  if (user === null || user.id === other.id) return useAuth.persist.rehydrate()
  // Nothing of one user may be seen by the next one, whichever component or module holds it.
  closeTray()
  setTimeout(() => window.location.assign(basePath))
}

/** Another tab signed out, or began while the server could not be asked: only the server knows which. */
async function confirmSession(): Promise<void> {
  try {
    setUser(await callOnce(getProfile, {}))
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) forgetUser()
  }
}
