/** A form in a dialog: submits, keeps the input after a failure, and focuses the first invalid field. */
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { FieldErrors } from '../../../src/api/errors.ts'
import { problemsOf } from '../../lib/server/problems.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { useFocusInvalid } from '../../ui/use-focus-invalid.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './dialog-form.module.css'

interface DialogFormProps {
  /** The submit button's label, at rest and while submitting. */
  submit: readonly [still: string, busy: string]
  isDisabled?: boolean
  /** The message for a failure without a message from the server. */
  failure: string
  /** The fields that can show the server's errors. */
  names: readonly string[]
  /** Validates before submitting. */
  check?: () => FieldErrors
  onSubmit: () => Promise<void>
  onCancel: () => void
  children: (problems: FieldErrors) => ReactNode
}

export function DialogForm({
  submit,
  isDisabled,
  failure,
  names,
  check,
  onSubmit,
  onCancel,
  children,
}: DialogFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<FieldErrors>({})
  const [isBusy, setBusy] = useBusy()
  const size = usePhone() ? 'lg' : 'sm'

  useFocusInvalid(form, problems)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    // In React, a submit event in a portal also reaches the surrounding form.
    event.stopPropagation()
    const found = check?.() ?? {}
    setProblems(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      await onSubmit()
    } catch (error) {
      setProblems(problemsOf(error, failure, names))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form ref={form} className={styles.form} noValidate onSubmit={event => void send(event)}>
      {children(problems)}
      {problems.form !== undefined && (
        <p className={styles.problem} role="alert">
          {problems.form}
        </p>
      )}
      <DialogActions>
        <Button variant="default" size={size} disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" size={size} disabled={isBusy || isDisabled}>
          {submit[isBusy ? 1 : 0]}
        </Button>
      </DialogActions>
    </form>
  )
}
