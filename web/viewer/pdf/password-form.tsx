/** Asks for the password of a protected document. */
import { Button, PasswordInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './password-form.module.css'

interface PasswordFormProps {
  /** Whether the last password was wrong. */
  isWrong: boolean
  onSubmit: (password: string) => void
}

export function PasswordForm({ isWrong, onSubmit }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const size = usePhone() ? 'lg' : 'sm'
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password === '' || isBusy) return
    setBusy(true)
    onSubmit(password)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <IconLock size={40} stroke={1.25} className={styles.icon} aria-hidden />
      <h2 className={styles.title}>This document is protected by a password</h2>
      <div className={styles.line}>
        <PasswordInput
          ref={field}
          size={size}
          className={styles.field}
          aria-label="Password of the document"
          autoComplete="off"
          value={password}
          error={isWrong && !isBusy ? 'This password is not right' : undefined}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" size={size} disabled={password === '' || isBusy}>
          Open
        </Button>
      </div>
    </form>
  )
}
