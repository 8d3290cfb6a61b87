/** The form of the dialog that asks a user to sign in again; a chunk of its own. */
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Profile } from '../../src/api/auth.ts'
import { displayName } from '../lib/server/auth-store.ts'
import { signIn, signInProblem } from '../lib/server/session.ts'
import { DialogActions } from '../ui/dialog-actions.tsx'
import { usePhone } from '../ui/use-phone.ts'
import styles from './session-form.module.css'
import { askSignOut } from './sign-out.tsx'

export function SessionForm({ user }: { user: Profile }) {
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
