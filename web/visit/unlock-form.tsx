/** Asks for the password of the link. */
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../src/api/client.ts'
import { reasonOf } from '../lib/server/reason-of.ts'
import { waitOf } from '../lib/uploads/failures.ts'
import { LockedDrawing } from '../ui/drawings.tsx'
import { usePhone } from '../ui/use-phone.ts'
import { unlock } from './link.ts'
import styles from './unlock-form.module.css'
import { useTitle } from './use-title.ts'

const inMinutes = (seconds: number): string => {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

function wordsOf(error: unknown): string {
  const seconds = waitOf(error)
  if (seconds !== undefined) return `Too many attempts. Try again in ${inMinutes(seconds)}.`
  if (error instanceof ApiError && error.status === 401) return 'Wrong password'
  return reasonOf(error)
}

export function UnlockForm() {
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const size = usePhone() ? 'lg' : 'md'
  useTitle('Password')
  useEffect(() => {
    if (!isBusy && problem !== null) input.current?.select()
  }, [isBusy, problem])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const password = input.current?.value ?? ''
    if (password === '') {
      input.current?.focus()
      return setProblem('Enter the password')
    }
    setProblem(null)
    setBusy(true)
    try {
      await unlock(password)
    } catch (error) {
      setProblem(wordsOf(error))
      setBusy(false)
    }
  }
  return (
    <div className={styles.place}>
      <form className={styles.form} onSubmit={event => void submit(event)} noValidate>
        <div className={styles.drawing}>
          <LockedDrawing />
        </div>
        <h1 className={styles.title}>This link has a password</h1>
        <p className={styles.words}>Whoever sent you the link knows it.</p>
        <PasswordInput
          ref={input}
          label="Password"
          name="password"
          autoComplete="off"
          size={size}
          error={problem}
          readOnly={isBusy}
          errorProps={{ role: 'alert' }}
        />
        <Button type="submit" size={size} fullWidth disabled={isBusy}>
          {isBusy ? 'Opening…' : 'Open'}
        </Button>
      </form>
    </div>
  )
}
