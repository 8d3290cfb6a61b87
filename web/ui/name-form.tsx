/** A form with one field: a name. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { DialogActions } from './dialog-actions.tsx'
import { useBusy } from './use-busy.ts'
import { usePhone } from './use-phone.ts'

interface NameFormProps {
  label: string
  initial?: string
  maxLength?: number
  /** The button's label, at rest and while `save` runs. */
  action: string
  busyAction: string
  /** The error when Enter is pressed without a name. */
  missing: string
  /** Gets the trimmed name. */
  save: (name: string) => Promise<void>
  /** The message for a failure of `save`. */
  explain: (error: unknown) => string
  onClose: () => void
}

/** Stays open with a message when `save` fails; closing after success is up to `save`. */
export function NameForm({ label, initial = '', maxLength, explain, save, onClose, ...words }: NameFormProps) {
  const [name, setName] = useState(initial)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useBusy()
  const size = usePhone() ? 'lg' : 'sm'
  const trimmed = name.trim()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (trimmed === '') return setProblem(words.missing)
    setBusy(true)
    try {
      await save(trimmed)
    } catch (error) {
      setProblem(explain(error))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={event => void submit(event)}>
      <TextInput
        label={label}
        value={name}
        onChange={event => {
          setName(event.currentTarget.value)
          setProblem(null)
        }}
        onKeyDown={event => {
          // The button is disabled without a name, so Enter would not submit and show the error.
          if (event.key === 'Enter' && trimmed === '') void submit(event)
        }}
        error={problem}
        errorProps={{ role: 'alert' }}
        maxLength={maxLength}
        size={size}
        autoComplete="off"
        dir="auto"
        data-autofocus
      />
      <DialogActions>
        <Button variant="default" size={size} disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size={size} disabled={isBusy || trimmed === ''}>
          {isBusy ? words.busyAction : words.action}
        </Button>
      </DialogActions>
    </form>
  )
}
