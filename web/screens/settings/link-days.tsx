/** The setting of how many days a link may last: a number with a button that saves it. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { maxLinkDays } from '../../../src/api/limits.ts'
import { problemsOf } from '../../lib/server/problems.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './system-tab.module.css'

interface LinkDaysProps {
  /** 0: no limit. */
  days: number
  /** Throws the server's error. */
  onSave: (days: number) => Promise<void>
}

const isDays = (text: string): boolean => text === '' || (/^\d+$/.test(text) && Number(text) <= maxLinkDays)

export function LinkDays({ days, onSave }: LinkDaysProps) {
  const saved = days === 0 ? '' : String(days)
  const [text, setText] = useState(saved)
  const [problem, setProblem] = useState<string | undefined>()
  const [isBusy, setBusy] = useBusy()
  const size = usePhone() ? 'lg' : 'sm'
  const isChanged = text !== saved
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isChanged || isBusy) return
    if (!isDays(text)) return setProblem(`Enter a whole number up to ${maxLinkDays.toLocaleString('en-US')}`)
    setBusy(true)
    await onSave(Number(text)).catch(error => {
      const { link_max_days, form } = problemsOf(error, 'Failed to save', ['link_max_days'])
      setProblem(link_max_days ?? form)
    })
    setBusy(false)
  }
  return (
    <form className={styles.row} onSubmit={event => void submit(event)} noValidate>
      <div>
        <h3 className={styles.name}>Days that a link may last</h3>
        <p id="link_max_days" className={styles.explanation}>
          Every link must end within these days after it was made. Those that last longer stop working.
        </p>
      </div>
      <div className={styles.number}>
        <TextInput
          aria-label="Days that a link may last"
          aria-describedby="link_max_days"
          inputMode="numeric"
          placeholder="No limit"
          autoComplete="off"
          value={text}
          // What is typed meanwhile would be lost: the field begins anew with what was saved.
          readOnly={isBusy}
          error={problem}
          errorProps={{ role: 'alert' }}
          size={size}
          onChange={({ currentTarget: { value } }) => {
            setText(value.trim())
            setProblem(undefined)
          }}
        />
        {isChanged && (
          <Button type="submit" variant="default" size={size} disabled={isBusy}>
            {isBusy ? 'Saving...' : 'Save'}
          </Button>
        )}
      </div>
    </form>
  )
}
