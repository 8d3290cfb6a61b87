/** A field that finds and chooses one user. */
import { Select } from '@mantine/core'
import { useState } from 'react'
import type { Person } from '../../../src/api/shares.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { keepFromSubmitting } from '../../ui/keep-from-submitting.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { labelOf, useFoundUsers } from './find-users.ts'
import styles from './user-choice.module.css'

interface UserChoiceProps {
  label: string
  description?: string
  /** Users who are not offered. */
  excludedIds: readonly number[]
  /** The id of the chosen user; null for none. */
  value: number | null
  onChange: (user: Person | null) => void
  problem?: string
}

export function UserChoice({ label, description, excludedIds, value, onChange, problem }: UserChoiceProps) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { users, error, isAll, isReady, whenNone } = useFoundUsers(text)
  const offered = users.filter(({ id }) => !excludedIds.includes(id))
  return (
    <Select
      classNames={{ option: styles.option }}
      label={label}
      description={description}
      size={usePhone() ? 'lg' : 'sm'}
      data={offered.map(user => ({ value: String(user.id), label: labelOf(user) }))}
      value={value === null ? null : String(value)}
      onChange={id => onChange(offered.find(user => String(user.id) === id) ?? null)}
      searchValue={text}
      onSearchChange={setText}
      placeholder="Find a user"
      nothingFoundMessage={whenNone}
      filter={isAll ? undefined : ({ options }) => options}
      // In a form the focus comes here by itself, and the list would cover what is below.
      openOnFocus={false}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      // Enter takes the first user as soon as the list shows. The users may come later than the text.
      selectFirstOptionOnDropdownOpen
      selectFirstOptionOnChange={isOpen && isReady}
      onKeyDown={event => keepFromSubmitting(event, value === null && text !== '')}
      error={error ? messageOf(error, 'Failed to load users') : problem}
      searchable
      limit={50}
      withCheckIcon={false}
    />
  )
}
