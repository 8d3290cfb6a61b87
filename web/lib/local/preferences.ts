/**
 * How the user likes to see files. A visit begins with what the server keeps; from then on each tab goes its own way,
 * so that nothing changes under the user's eyes. The server, and the next visit, get what was changed last.
 */
import { create } from 'zustand'
import type { Profile } from '../../../src/api/auth.ts'
import { defaultPreferences, type Preferences } from '../../../src/api/preferences.ts'
import { renewUser, useAuth } from '../server/auth-store.ts'
import { log } from '../server/log-failure.ts'

/** Begins with this browser's copy, which stands in until the profile is there. */
export const usePreferences = create<Preferences>(() => ({
  ...defaultPreferences,
  ...useAuth.getState().user?.preferences,
}))

/** The session storage key of what this tab has changed and the server may not have yet. It outlives a reload. */
const unsavedStorage = 'unsaved-preferences'

interface Unsaved {
  userId: number
  changes: Partial<Preferences>
}

const readUnsaved = (): Unsaved | null => JSON.parse(sessionStorage.getItem(unsavedStorage) ?? 'null')

/** What is to be sent for the signed-in user, with a function that says that the server has it; null for nothing. */
export function takeUnsaved(): { changes: Partial<Preferences>; settle: () => void } | null {
  const text = sessionStorage.getItem(unsavedStorage)
  const unsaved = readUnsaved()
  if (unsaved === null || unsaved.userId !== useAuth.getState().user?.id) return null
  const settle = () => {
    if (sessionStorage.getItem(unsavedStorage) === text) sessionStorage.removeItem(unsavedStorage)
  }
  return { changes: unsaved.changes, settle }
}

const fetchSaving = () => import('./save-preferences.ts')
const saveSoon = () =>
  void fetchSaving().then(
    ({ saveSoon: start }) => start(),
    error => log('Failed to save preferences', error),
  )

/** Begins a user's visit. */
export function loadPreferences({ preferences }: Profile): void {
  const unsaved = takeUnsaved()
  usePreferences.setState({ ...preferences, ...unsaved?.changes })
  if (unsaved !== null) saveSoon()
}

/** Changes preferences at once, and a moment later on the server. */
export function prefer(changes: Partial<Preferences>): void {
  usePreferences.setState(changes)
  const { user } = useAuth.getState()
  if (user === null) return
  renewUser({ ...user, preferences: { ...user.preferences, ...changes } })
  const unsaved: Unsaved = { userId: user.id, changes: { ...takeUnsaved()?.changes, ...changes } }
  sessionStorage.setItem(unsavedStorage, JSON.stringify(unsaved))
  saveSoon()
}

/** Resolves when the server has been told what it does not have yet, or could not be. */
export async function savePreferences(): Promise<void> {
  if (takeUnsaved() !== null) await (await fetchSaving()).save()
}
