/**
 * How the user likes to see files. A visit begins with what the server keeps; from then on each tab goes its own way,
 * so that nothing changes under the user's eyes. The server, and the next visit, get what was changed last.
 */
import { create } from 'zustand'
import type { Profile } from '../../../src/api/auth.ts'
import { defaultPreferences, type Preferences } from '../../../src/api/preferences.ts'
import { renewUser, useAuth } from '../server/auth-store.ts'
import { log } from '../server/log-failure.ts'
import { keepUnsaved, takeUnsaved } from './unsaved-preferences.ts'

/** Begins with this browser's copy, which stands in until the profile is there. */
export const usePreferences = create<Preferences>(() => ({
  ...defaultPreferences,
  ...useAuth.getState().user?.preferences,
}))

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
  keepUnsaved(user.id, changes)
  saveSoon()
}

/** Resolves when the server has been told what it does not have yet, or could not be. */
export async function savePreferences(): Promise<void> {
  if (takeUnsaved() !== null) await (await fetchSaving()).save()
}
