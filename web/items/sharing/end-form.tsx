/** Sets the day on which somebody's access ends, or takes that end away. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { usePhone } from '../../ui/use-phone.ts'
import { dayOf, dayProblem, endOfDay } from './end-date.ts'
import styles from './share-dialog.module.css'

interface EndFormProps {
  /** Whose access it is. */
  name: string
  /** ISO 8601; null while it does not end. */
  end: string | null
  /** Called with the last moment of the chosen day; null for no end. */
  onSave: (end: string | null) => void
  onCancel: () => void
}

export function EndForm({ name, end, onSave, onCancel }: EndFormProps) {
  const [day, setDay] = useState(end === null ? '' : dayOf(new Date(end)))
  const [problem, setProblem] = useState<string | null>(null)
  const isPhone = usePhone()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = dayProblem(day)
    if (wrong === null) onSave(endOfDay(day))
    else setProblem(wrong)
  }
  return (
    <form className={styles.ending} onSubmit={submit} noValidate>
      <TextInput
        type="date"
        aria-label={`Last day of ${name}`}
        value={day}
        min={dayOf(new Date())}
        error={problem}
        errorProps={{ role: 'alert' }}
        onChange={event => {
          setDay(event.currentTarget.value)
          setProblem(null)
        }}
        size={isPhone ? 'lg' : 'sm'}
        autoFocus
      />
      <Button type="submit" variant="default" size={isPhone ? 'lg' : 'sm'}>
        {day === '' && end !== null ? 'No end' : 'Set end'}
      </Button>
      {end !== null && day !== '' && (
        <Button variant="subtle" size={isPhone ? 'lg' : 'sm'} onClick={() => onSave(null)}>
          No end
        </Button>
      )}
      <Button variant="subtle" size={isPhone ? 'lg' : 'sm'} onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}
