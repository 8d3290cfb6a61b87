/** Asks the user to sign in again when the session has expired. It opens over the page, so nothing typed is lost. */
import { useEffect } from 'react'
import type { Profile } from '../../src/api/auth.ts'
import { useAuth } from '../lib/server/auth-store.ts'
import { lazyPart } from '../lib/server/lazy-part.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useSignOutQuestion } from './sign-out.tsx'

/** Loaded early: it is needed when the server no longer knows the user. */
export const SessionForm = lazyPart(() => import('./session-form.tsx'), 'SessionForm')

/** Stops Escape, which would close the dialogs below: each of them listens to the window. */
function keepEscape(event: KeyboardEvent): void {
  if (event.key === 'Escape' && !useAuth.getState().isAuthenticated) event.stopImmediatePropagation()
}

export function SessionDialog({ user }: { user: Profile }) {
  const isOver = useAuth(({ isAuthenticated }) => !isAuthenticated)
  const { isAsked } = useSignOutQuestion()
  // Listeners run in the order they were added, so add this one before any dialog adds its own.
  useEffect(() => {
    window.addEventListener('keydown', keepEscape, { capture: true })
    return () => window.removeEventListener('keydown', keepEscape, { capture: true })
  }, [])
  return (
    <Dialog opened={isOver && !isAsked} title="Your session has ended">
      <SessionForm user={user} />
    </Dialog>
  )
}
