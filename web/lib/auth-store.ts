/** Who is signed in, as this browser remembers it between visits. */
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Profile } from '../../src/api/auth.ts'

interface AuthState {
  user: Profile | null
  isAuthenticated: boolean
}

const nobody: AuthState = { user: null, isAuthenticated: false }

export const useAuth = create<AuthState>()(persist((): AuthState => nobody, { name: 'auth-storage' }))

export function setUser(user: Profile): void {
  useAuth.setState({ user, isAuthenticated: true })
}

export function clearUser(): void {
  useAuth.setState(nobody)
}

/** The name to greet the user by: the full name, else the username. */
export const displayName = (user: Profile): string => user.full_name?.trim() || user.username
