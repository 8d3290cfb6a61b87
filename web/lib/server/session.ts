/** Starting and ending a session, in this tab and in the browser's other tabs. */
import { changePassword, getProfile, login, logout, type Profile, updateProfile } from '../../../src/api/auth.ts'
import { ApiError } from '../../../src/api/client.ts'
import type { InputOf } from '../../../src/api/endpoint.ts'
import { startAnew } from '../local/leaving.ts'
import { loadPreferences, savePreferences } from '../local/preferences.ts'
import { rememberFolder } from '../local/remembered-folder.ts'
import { closeTray } from '../uploads/tray.ts'
import { clearUser, renewUser, setUser, useAuth } from './auth-store.ts'
import { call, callOnce, dropPreloaded, noteStatus, reasonOf } from './call.ts'
import { authStorage, leftMark } from './first-calls.ts'
import { messageOf } from './message-of.ts'
import { queryClient } from './query-client.ts'

/** Tells other tabs that the user signed out. A session that merely expired leaves them as they are. */
const departures = new BroadcastChannel(leftMark)

/** Begins the user's visit. */
function enter(user: Profile): void {
  setUser(user)
  loadPreferences(user)
}

/** Asks the server who is signed in. Any failure means nobody. */
export async function startSession(): Promise<void> {
  const hasLeft = sessionStorage.getItem(leftMark) !== null
  sessionStorage.removeItem(leftMark)
  if (hasLeft) return clearUser()
  const before = useAuth.getState().user
  try {
    const user = await callOnce(getProfile, {})
    if (user.id !== before?.id) dropPreloaded()
    enter(user)
  } catch {
    dropPreloaded()
    clearUser()
  }
}

/** Signs in. A user whose session expired continues where they were; for anybody else the page starts fresh. */
export async function signIn(input: InputOf<typeof login>): Promise<void> {
  const before = useAuth.getState().user
  const { user } = await callOnce(login, input)
  const isReturn = before?.id === user.id
  if (isReturn) {
    setUser(user)
    await queryClient.invalidateQueries()
  } else {
    queryClient.clear()
    enter(user)
  }
}

const refused = 'Invalid username or password. Please try again.'

/** The message for a failed sign-in: the server's sentence, else its code, else the error's own message. */
export function signInProblem(error: unknown): string {
  const own = error instanceof ApiError ? (error.code ?? error.message) : reasonOf(error)
  return messageOf(error, own || refused)
}

/** Ends the session in all tabs, whether or not the server could be told, and forgets where the user was. */
export async function signOut(): Promise<void> {
  closeTray()
  try {
    await savePreferences()
    await callOnce(logout, {})
  } catch {
    // Signing out must always work; without the request the server drops the session when it expires.
  }
  departures.postMessage(null)
  leave()
}

function leave(): void {
  sessionStorage.setItem(leftMark, '')
  rememberFolder(null)
  startAnew('login')
  clearUser()
}

/** Refetches the user's own account: name, quota, permissions. */
export async function refreshProfile(): Promise<void> {
  renewUser(await call(getProfile, {}))
}

export async function setPassword(input: InputOf<typeof changePassword>): Promise<void> {
  renewUser(await call(changePassword, input))
  // Refetch everything: the list of sessions must not show those that the change has ended.
  void queryClient.invalidateQueries()
}

/** Changes the user's own e-mail address and name; the header shows them at once. */
export async function setProfile(input: InputOf<typeof updateProfile>): Promise<void> {
  renewUser(await call(updateProfile, input))
}

/** Follows other tabs: they share the session, and write the signed-in user to local storage. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === authStorage) void follow(newValue === null ? null : JSON.parse(newValue).state)
  })
  departures.onmessage = () => {
    if (useAuth.getState().user !== null) leave()
  }
}

/** `other` is what another tab stores now; null when the storage was cleared. */
async function follow(other: ReturnType<typeof useAuth.getState> | null): Promise<void> {
  const { user } = useAuth.getState()
  if (!other?.user) return user === null ? undefined : confirmSession()
  if (user?.id === other.user.id) return useAuth.persist.rehydrate()
  // The end of a session elsewhere means nothing to a tab without a user.
  if (other.isAuthenticated) takeOver(other.user)
}

/** Takes over the user who now owns the browser's session. */
function takeOver(now: Profile): void {
  const { user } = useAuth.getState()
  if (user === null) enter(now)
  else if (user.id === now.id) setUser(now)
  else startAnew('')
}

/** Another tab has no user: either the session is over, or that tab could not ask. Only the server knows. */
async function confirmSession(): Promise<void> {
  const { user } = useAuth.getState()
  const isAsBefore = () => useAuth.getState().user === user
  try {
    const now = await callOnce(getProfile, {})
    if (isAsBefore()) takeOver(now)
  } catch (error) {
    if (error instanceof ApiError && isAsBefore()) noteStatus(error.status)
  }
}
