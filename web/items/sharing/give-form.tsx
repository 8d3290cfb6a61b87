/** The form that gives people and groups access: who, the level, and an end if it is to have one. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import type { ShareLevel } from '../../../src/api/share-levels.ts'
import { explainLevel, isTeamFolder, type Sharable } from '../../../src/api/share-words.ts'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { giveAccess } from '../../lib/data/shares.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { showToast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { dayOf, dayProblem, endOfDay } from './end-date.ts'
import { levelChoices } from './levels.ts'
import { PeopleField, type Receiver } from './people-field.tsx'
import styles from './share-dialog.module.css'

interface GiveFormProps {
  item: Sharable
  /** Who has access already; undefined while it loads. */
  access: readonly AccessEntry[] | undefined
}

const toInput = ({ kind, name }: Receiver) => (kind === 'user' ? { username: name } : { group_name: name })

/** `Anna`, or `3 people and groups`. */
const namesOf = (receivers: readonly Receiver[]): string =>
  receivers.length === 1 ? (receivers[0]?.name ?? '') : `${receivers.length} people and groups`

/** A team folder has members, all else is shared. */
const wordsFor = (item: Sharable) =>
  isTeamFolder(item)
    ? { give: 'Add', giving: 'Adding...', given: 'Added' }
    : { give: 'Share', giving: 'Sharing...', given: 'Shared with' }

export function GiveForm({ item, access = [] }: GiveFormProps) {
  const [chosen, setChosen] = useState<Receiver[]>([])
  const [level, setLevel] = useState<ShareLevel>('view')
  const [day, setDay] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [dayError, setDayError] = useState<string | null>(null)
  const [isBusy, setBusy] = useBusy()
  const size = usePhone() ? 'lg' : 'sm'
  const meaning = useId()
  const words = wordsFor(item)

  /** One call for each; those that the server refuses stay chosen. */
  const give = async () => {
    const terms = { item_id: item.id, level, ...(day === '' ? {} : { expires_at: endOfDay(day) }) }
    const refused: { receiver: Receiver; reason: string }[] = []
    for (const receiver of chosen) {
      await giveAccess({ ...terms, ...toInput(receiver) }).catch(error => {
        refused.push({ receiver, reason: reasonOf(error) })
      })
    }
    const given = chosen.filter(one => !refused.some(({ receiver }) => receiver === one))
    if (given.length > 0) showToast({ tone: 'success', message: `${words.given} ${namesOf(given)}` })
    setChosen(refused.map(({ receiver }) => receiver))
    setProblem(
      refused.length > 0 ? refused.map(({ receiver, reason }) => `${receiver.name}: ${reason}`).join('. ') : null,
    )
    if (refused.length === 0) setDay('')
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const wrongDay = dayProblem(day)
    setDayError(wrongDay)
    if (chosen.length === 0) return setProblem('Choose who gets access')
    if (wrongDay !== null) return
    setBusy(true)
    await give()
    setBusy(false)
  }
  return (
    <form className={styles.form} onSubmit={event => void submit(event)} noValidate>
      <PeopleField
        chosen={chosen}
        access={access}
        itemId={item.id}
        error={problem}
        onChange={next => {
          setChosen(next)
          setProblem(null)
        }}
      />
      <div className={styles.terms}>
        <NativeSelect
          label="Access"
          data={levelChoices(item)}
          value={level}
          onChange={event => setLevel(event.currentTarget.value as ShareLevel)}
          aria-describedby={meaning}
          size={size}
        />
        <TextInput
          label="Until (optional)"
          type="date"
          value={day}
          min={dayOf(new Date())}
          error={dayError}
          errorProps={{ role: 'alert' }}
          onChange={event => {
            setDay(event.currentTarget.value)
            setDayError(null)
          }}
          size={size}
        />
        <Button type="submit" size={size} disabled={isBusy}>
          {isBusy ? words.giving : words.give}
        </Button>
      </div>
      <p id={meaning} className={styles.meaning} aria-live="polite">
        {explainLevel(level, item)}
      </p>
    </form>
  )
}
