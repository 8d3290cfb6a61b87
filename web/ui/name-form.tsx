/** A form of one field: the name of something. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { DialogActions } from './dialog-actions.tsx'
import { useBusy } from './use-busy.ts'
import { usePhone } from './use-phone.ts'

interface NameFormProps {
  label: string
  initial?: string
  maxLength?: number
  /** On the button, at rest and while `save` is under way. */
  action: string
  busyAction: string
  /** Said where Enter is pressed with no name. */
  missing: string
  /** Takes the name without spaces around it. */
  save: (name: string) => Promise<void>
  /** What is said of a failure of `save`. */
  explain: (error: unknown) => string
  onClose: () => void
}

/** Stays open with a sentence where `save` fails; what `save` does at its end is for it to say. */
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
          // A disabled button would keep Enter from saying what is missing.
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
