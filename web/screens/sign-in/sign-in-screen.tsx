/** The screen before everything else: username and password. */
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/call.ts'
import { signIn } from '../../lib/session.ts'
import { Mark } from '../../ui/mark.tsx'
import { showToast } from '../../ui/toast.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './sign-in-screen.module.css'

const missing = 'Please enter both username and password'
const refused = 'Invalid username or password. Please try again.'

export function SignInScreen() {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const size = usePhone() ? 'lg' : 'md'

  const fail = (message: string) => {
    setProblem(message)
    showToast({ tone: 'error', message, position: 'top-center' })
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const username = String(fields.get('username')).trim()
    const password = String(fields.get('password'))
    if (username === '' || password.trim() === '') return fail(missing)
    setProblem(null)
    setBusy(true)
    try {
      await signIn({ username, password })
    } catch (error) {
      setBusy(false)
      fail(messageOf(error, refused))
    }
  }

  return (
    <main className={styles.page}>
      <title>Sign in · filestore</title>
      <form className={styles.form} onSubmit={event => void submit(event)} noValidate>
        <Mark size={28} />
        <h1 className={styles.title}>Sign in to filestore</h1>
        <p className={styles.subtitle}>Sign in to your account to continue</p>
        {problem !== null && (
          <p className={styles.alert} role="alert">
            <IconAlertCircle size={16} stroke={1.75} aria-hidden />
            {problem}
          </p>
        )}
        <TextInput
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          size={size}
          disabled={isBusy}
          autoFocus
        />
        <PasswordInput label="Password" name="password" autoComplete="current-password" size={size} disabled={isBusy} />
        <Button type="submit" size={size} fullWidth disabled={isBusy}>
          {isBusy ? 'Signing in...' : 'Sign In'}
        </Button>
      </form>
      <p className={styles.host}>filestore · {window.location.host}</p>
    </main>
  )
}
