/** Preferences that this tab has changed and the server may not have yet. */
import type { Preferences } from '../../../src/api/preferences.ts'
import { useAuth } from '../server/auth-store.ts'

/** Their key in the session storage, which outlives a reload. */
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

/** Adds changes of a user to those that the server does not have. */
export function keepUnsaved(userId: number, changes: Partial<Preferences>): void {
  const unsaved: Unsaved = { userId, changes: { ...takeUnsaved()?.changes, ...changes } }
  sessionStorage.setItem(unsavedStorage, JSON.stringify(unsaved))
}
