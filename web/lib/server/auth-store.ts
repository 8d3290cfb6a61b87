/** Who is signed in, as this browser remembers it between visits. */
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Profile } from '../../../src/api/auth.ts'
import { authStorage } from './first-calls.ts'

interface AuthState {
  /** Stays when the session ends by itself, so that its user finds everything in place after signing in again. */
  user: Profile | null
  isAuthenticated: boolean
}

const nobody: AuthState = { user: null, isAuthenticated: false }

export const useAuth = create<AuthState>()(persist((): AuthState => nobody, { name: authStorage }))

export function setUser(user: Profile): void {
  useAuth.setState({ user, isAuthenticated: true })
}

/** Takes over what the server says now of the user who is signed in; another's answer came too late. */
export function renewUser(user: Profile): void {
  useAuth.setState(now => (now.user?.id === user.id ? { user } : now))
}

export function clearUser(): void {
  useAuth.setState(nobody)
}

/** The server no longer knows the session: its user is asked to sign in again. */
export function suspendUser(): void {
  if (useAuth.getState().isAuthenticated) useAuth.setState({ isAuthenticated: false })
}

/** Resolves with true once the user whose session ended has signed in again, with false once they have left. */
export function waitForReturn(): Promise<boolean> {
  const { user } = useAuth.getState()
  return new Promise(resolve => {
    const look = (now: AuthState) => {
      const isSame = user !== null && now.user?.id === user.id
      if (isSame && !now.isAuthenticated) return
      stop()
      resolve(isSame)
    }
    const stop = useAuth.subscribe(look)
    look(useAuth.getState())
  })
}

/** The name to greet the user by: the full name, else the username. */
export const displayName = (user: Profile): string => user.full_name?.trim() || user.username
