/** The form for a new password. */
import { Button, Checkbox, PasswordInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { FieldErrors } from '../../../src/api/errors.ts'
import { minPasswordBytes } from '../../../src/api/limits.ts'
import { utf8Length } from '../../../src/api/names.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { setPassword } from '../../lib/server/session.ts'
import { showToast } from '../../ui/toast.tsx'
import { useFocusInvalid } from '../../ui/use-focus-invalid.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './account-form.module.css'
import { StayingKeys } from './staying-keys.tsx'

interface Passwords {
  current: string
  next: string
  repeated: string
}

function problemsOf({ current, next, repeated }: Passwords): FieldErrors {
  if (current === '') return { current_password: 'Enter the password' }
  if (utf8Length(next) < minPasswordBytes) return { new_password: `Use at least ${minPasswordBytes} characters` }
  return next === repeated ? {} : { repeated: 'The two passwords differ' }
}

/** `next` is where to go after a change required at sign-in; a path of this product. */
export function PasswordForm({ next }: { next?: string }) {
  const [problems, setProblems] = useState<FieldErrors>({})
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useFocusInvalid(form, problems)
  const navigate = useNavigate()
  const size = usePhone() ? 'lg' : 'sm'

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const fields = new FormData(event.currentTarget)
    const read = (name: string) => String(fields.get(name))
    const given = { current: read('current_password'), next: read('new_password'), repeated: read('repeated') }
    const found = problemsOf(given)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const end_device_keys = fields.has('end_device_keys')
      await setPassword({ current_password: given.current, new_password: given.next, end_device_keys })
      form.current?.reset()
      showToast({ tone: 'success', message: 'Password changed' })
      if (next !== undefined) await navigate({ href: next })
    } catch (error) {
      const wrong = error instanceof ApiError ? error.fields : {}
      setProblems(Object.keys(wrong).length > 0 ? wrong : { form: messageOf(error, 'Failed to change password') })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form ref={form} className={styles.form} onSubmit={event => void submit(event)} noValidate>
      <PasswordInput
        label="Current password"
        name="current_password"
        autoComplete="current-password"
        size={size}
        error={problems.current_password}
        aria-invalid={problems.current_password !== undefined}
      />
      <PasswordInput
        label="New password"
        name="new_password"
        autoComplete="new-password"
        description={`At least ${minPasswordBytes} characters.`}
        size={size}
        error={problems.new_password}
        aria-invalid={problems.new_password !== undefined}
      />
      <PasswordInput
        label="Repeat new password"
        name="repeated"
        autoComplete="new-password"
        size={size}
        error={problems.repeated}
        aria-invalid={problems.repeated !== undefined}
      />
      <Checkbox
        label="End all device keys"
        description="Terminals that are signed in have to sign in again."
        name="end_device_keys"
        defaultChecked
      />
      <StayingKeys />
      {problems.form !== undefined && (
        <p className={styles.problem} role="alert">
          {problems.form}
        </p>
      )}
      <Button
        type="submit"
        size={size}
        variant={next === undefined ? 'default' : 'filled'}
        className={styles.submit}
        aria-disabled={isBusy}
      >
        {isBusy ? 'Changing...' : 'Change Password'}
      </Button>
    </form>
  )
}
