/** A field that holds several users: it adds one by search, and lists the chosen ones with a button to take them out. */
import { IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Person } from '../../../src/api/shares.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './people-field.module.css'
import { UserChoice } from './user-choice.tsx'

interface PeopleFieldProps {
  /** The label of the field that adds a user. */
  add: string
  description?: string
  /** What it means to take somebody out; it stands at the list. */
  takingOut?: string
  /** What the list is, for screen readers: `Members`. */
  label: string
  /** The words in place of an empty list. */
  whenEmpty: string
  people: readonly Person[]
  onChange: (people: Person[]) => void
  problem?: string
}

export function PeopleField({
  add,
  description,
  takingOut,
  label,
  whenEmpty,
  people,
  onChange,
  problem,
}: PeopleFieldProps) {
  const box = useRef<HTMLDivElement>(null)
  const isPhone = usePhone()
  const remove = (id: number) => {
    onChange(people.filter(person => person.id !== id))
    // The focused button is removed with its row, so move the focus.
    box.current?.querySelector('input')?.focus()
  }
  return (
    <div ref={box} className={styles.field}>
      <UserChoice
        // A new one for each user: it forgets the text that found the last.
        key={people.length}
        label={add}
        description={description}
        excludedIds={people.map(({ id }) => id)}
        value={null}
        problem={problem}
        onChange={person => {
          if (person === null) return
          onChange([...people, person])
          requestAnimationFrame(() => box.current?.querySelector('input')?.focus())
        }}
      />
      {people.length === 0 ? (
        <p className={styles.note}>{whenEmpty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        <ul className={styles.list} aria-label={label} tabIndex={0}>
          {people.map(person => (
            <li key={person.id} className={styles.person}>
              <span className={styles.name} title={person.username} dir="auto">
                {person.username}
              </span>
              <span className={styles.full} title={person.full_name ?? undefined} dir="auto">
                {person.full_name}
              </span>
              <IconButton
                label={`Take out ${person.username}`}
                title="Take out"
                icon={IconX}
                size={isPhone ? 'lg' : 'sm'}
                onClick={() => remove(person.id)}
              />
            </li>
          ))}
        </ul>
      )}
      {takingOut !== undefined && people.length > 0 && <p className={styles.note}>{takingOut}</p>}
    </div>
  )
}
