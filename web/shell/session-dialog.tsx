/** Asks the user to sign in again when the session has expired. It opens over the page, so nothing typed is lost. */
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import type { Profile } from '../../src/api/auth.ts'
import { displayName, useAuth } from '../lib/server/auth-store.ts'
import { signIn, signInProblem } from '../lib/server/session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { DialogActions } from '../ui/dialog-actions.tsx'
import { usePhone } from '../ui/use-phone.ts'
import styles from './session-dialog.module.css'
import { askSignOut, useSignOutQuestion } from './sign-out.ts'

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

function SessionForm({ user }: { user: Profile }) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const size = usePhone() ? 'lg' : 'sm'
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.querySelector<HTMLInputElement>('[name=password]')
    const password = field?.value ?? ''
    if (password.trim() === '') return setProblem('Please enter your password')
    setProblem(null)
    setBusy(true)
    try {
      await signIn({ username: user.username, password })
    } catch (error) {
      setProblem(signInProblem(error))
    } finally {
      setBusy(false)
      field?.select()
    }
  }
  return (
    <form onSubmit={event => void submit(event)} noValidate>
      <p className={styles.words}>
        Sign in again as <strong>{displayName(user)}</strong> to go on. Everything is where you left it.
      </p>
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        size={size}
        readOnly={isBusy}
        error={problem}
        data-autofocus
      />
      <DialogActions>
        <Button variant="default" size={size} onClick={askSignOut}>
          Logout
        </Button>
        <Button type="submit" size={size} disabled={isBusy}>
          {isBusy ? 'Signing in...' : 'Sign In'}
        </Button>
      </DialogActions>
    </form>
  )
}
