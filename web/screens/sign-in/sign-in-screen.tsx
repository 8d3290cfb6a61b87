/** The sign-in screen: username and password. */
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { DemoAccount } from '../../../src/api/page.ts'
import { signIn, signInProblem } from '../../lib/server/session.ts'
import { Mark } from '../../ui/mark.tsx'
import { showToast } from '../../ui/toast.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { DemoBox } from './demo-box.tsx'
import styles from './sign-in-screen.module.css'

const missing = 'Please enter both username and password'

export function SignInScreen() {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const usernameRef = useRef<HTMLInputElement>(null)
  const passwordRef = useRef<HTMLInputElement>(null)
  const submitRef = useRef<HTMLButtonElement>(null)
  const hideToast = useRef<() => void>(undefined)
  const size = usePhone() ? 'lg' : 'md'

  // A field loses the focus when it is disabled, so focus the password again once the answer has arrived.
  useEffect(() => {
    if (!isBusy && problem !== null && usernameRef.current?.value.trim() !== '') passwordRef.current?.select()
  }, [isBusy, problem])

  const fail = (message: string) => {
    setProblem(message)
    hideToast.current = showToast({ tone: 'error', message, position: 'top-center' })
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    hideToast.current?.()
    const username = usernameRef.current?.value.trim() ?? ''
    const password = passwordRef.current?.value ?? ''
    if (username === '') usernameRef.current?.focus()
    if (username === '' || password.trim() === '') return fail(missing)
    setProblem(null)
    setBusy(true)
    try {
      await signIn({ username, password })
    } catch (error) {
      setBusy(false)
      fail(signInProblem(error))
    }
  }
  const fill = ({ username, password }: DemoAccount) => {
    if (usernameRef.current !== null) usernameRef.current.value = username
    if (passwordRef.current !== null) passwordRef.current.value = password
    setProblem(null)
    submitRef.current?.focus()
  }

  return (
    <main className={styles.page}>
      <title>Sign in · filestore</title>
      <div className={styles.content}>
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
            ref={usernameRef}
            label="Username"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            size={size}
            disabled={isBusy}
            autoFocus
          />
          <PasswordInput
            ref={passwordRef}
            label="Password"
            name="password"
            autoComplete="current-password"
            size={size}
            disabled={isBusy}
          />
          <Button ref={submitRef} type="submit" size={size} fullWidth disabled={isBusy}>
            {isBusy ? 'Signing in...' : 'Sign In'}
          </Button>
        </form>
        <DemoBox onUse={fill} disabled={isBusy} />
      </div>
      <p className={styles.host}>filestore · {window.location.host}</p>
    </main>
  )
}
