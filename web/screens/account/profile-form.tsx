/** The form for the user's own e-mail address and name; the header shows them once they are saved. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { FieldErrors } from '../../../src/api/errors.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { setProfile } from '../../lib/server/session.ts'
import { showToast } from '../../ui/toast.tsx'
import { useFocusInvalid } from '../../ui/use-focus-invalid.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './account-form.module.css'

export function ProfileForm() {
  const user = useAuth(state => state.user)
  const [problems, setProblems] = useState<FieldErrors>({})
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useFocusInvalid(form, problems)
  const size = usePhone() ? 'lg' : 'sm'

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const fields = new FormData(event.currentTarget)
    const email = String(fields.get('email')).trim()
    const full_name = String(fields.get('full_name')).trim()
    if (email === '') return setProblems({ email: 'Email is required' })
    setProblems({})
    setBusy(true)
    try {
      await setProfile({ email, full_name: full_name || null })
      showToast({ tone: 'success', message: 'Profile saved' })
    } catch (error) {
      const found = error instanceof ApiError ? error.fields : {}
      setProblems(Object.keys(found).length > 0 ? found : { form: messageOf(error, 'Failed to save profile') })
    } finally {
      setBusy(false)
    }
  }

  if (user === null) return null
  return (
    <form ref={form} className={styles.form} onSubmit={event => void submit(event)} noValidate>
      <p className={styles.fact}>
        <span className={styles.factName}>Username</span> {user.username}
      </p>
      <TextInput
        label="Full Name"
        name="full_name"
        autoComplete="name"
        size={size}
        defaultValue={user.full_name ?? ''}
        error={problems.full_name}
        aria-invalid={problems.full_name !== undefined}
      />
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        size={size}
        defaultValue={user.email}
        error={problems.email}
        aria-invalid={problems.email !== undefined}
      />
      {problems.form !== undefined && (
        <p className={styles.problem} role="alert">
          {problems.form}
        </p>
      )}
      <Button type="submit" size={size} className={styles.submit} aria-disabled={isBusy}>
        {isBusy ? 'Saving...' : 'Save Profile'}
      </Button>
    </form>
  )
}
