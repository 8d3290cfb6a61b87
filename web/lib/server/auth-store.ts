/** The signed-in user, as this browser remembers it between visits. */
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Profile } from '../../../src/api/auth.ts'
import { authStorage } from './first-calls.ts'

interface AuthState {
  /** Stays when the session expires, so that the user finds everything in place after signing in again. */
  user: Profile | null
  isAuthenticated: boolean
}

const nobody: AuthState = { user: null, isAuthenticated: false }

export const useAuth = create<AuthState>()(persist((): AuthState => nobody, { name: authStorage }))

export function setUser(user: Profile): void {
  useAuth.setState({ user, isAuthenticated: true })
}

/** Updates the signed-in user from a server answer; ignores a late answer about another user. */
export function renewUser(user: Profile): void {
  useAuth.setState(now => (now.user?.id === user.id ? { user } : now))
}

export function clearUser(): void {
  useAuth.setState(nobody)
}

/** The server no longer knows the session: the user is asked to sign in again. */
export function suspendUser(): void {
  if (useAuth.getState().isAuthenticated) useAuth.setState({ isAuthenticated: false })
}

/** Resolves with true once the user whose session expired has signed in again, or with false once they have left. */
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

/** The name that greets the user: the full name, else the username. */
export const displayName = (user: Profile): string => user.full_name?.trim() || user.username
