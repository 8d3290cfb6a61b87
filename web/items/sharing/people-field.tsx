/** The field that finds people and groups by name, and holds those that were chosen. */
import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch, IconUser, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { peopleQuery } from '../../lib/data/shares.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { keepFromSubmitting } from '../../ui/keep-from-submitting.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './share-dialog.module.css'

/** Somebody to share with. */
export interface Receiver {
  kind: 'user' | 'group'
  id: number
  name: string
  /** The full name of a user who has one. */
  fullName: string | null
}

/** Milliseconds without a key before the server is asked. */
const pause = 200

const keyOf = ({ kind, id }: { kind: string; id: number }): string => `${kind}:${id}`

/** The people and groups that a text finds. */
function useFound(text: string) {
  const [q] = useDebouncedValue(text.trim(), pause)
  const { data, error, isFetching } = useQuery(peopleQuery(q))
  const isLong = text.trim().length >= 2
  const found: Receiver[] = [
    ...(data?.people ?? []).map(({ id, username, full_name }) => ({
      kind: 'user' as const,
      id,
      name: username,
      fullName: full_name,
    })),
    ...(data?.groups ?? []).map(({ id, name }) => ({ kind: 'group' as const, id, name, fullName: null })),
  ]
  return { found: isLong && q.length >= 2 ? found : [], error, isLong, isSearching: isFetching || q !== text.trim() }
}

interface PeopleFieldProps {
  chosen: readonly Receiver[]
  /** What is granted already; those who have access to the very item cannot be chosen again. */
  access: readonly AccessEntry[]
  itemId: number
  error: string | null
  onChange: (chosen: Receiver[]) => void
}

export function PeopleField({ chosen, access, itemId, error, onChange }: PeopleFieldProps) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const isExact = useAuth(({ user }) => user?.sharing.find_people === 'exact')
  const { found, isLong, isSearching, error: failure } = useFound(text)
  const known = new Map([...chosen, ...found].map(one => [keyOf(one), one]))
  const holders = new Set(access.filter(({ because }) => because.id === itemId).map(({ who }) => keyOf(who)))
  const option = (one: Receiver) => ({
    value: keyOf(one),
    label: one.fullName ?? one.name,
    disabled: holders.has(keyOf(one)),
  })
  const isAnyLeft = found.some(one => !chosen.some(picked => keyOf(picked) === keyOf(one)))
  const isVain = isLong && !isSearching && !failure && found.length === 0
  return (
    <MultiSelect
      label="People and groups"
      description={isVain ? 'Nobody found.' : isExact ? 'Enter the whole username.' : 'Enter at least 2 characters.'}
      descriptionProps={{ 'aria-live': 'polite' }}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={chosen.length > 0 ? undefined : isExact ? 'Username' : 'Name or username'}
      data={[...known.values()].map(option)}
      value={chosen.map(keyOf)}
      onChange={keys => onChange(keys.flatMap(key => known.get(key) ?? []))}
      searchValue={text}
      onSearchChange={setText}
      // Closed while it has nothing to show, so that Escape closes the dialog.
      dropdownOpened={isOpen && isAnyLeft}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      // Enter takes the first one as soon as the list shows, which comes later than the text.
      selectFirstOptionOnChange={isOpen && isAnyLeft && !isSearching}
      onKeyDown={event => keepFromSubmitting(event, text !== '')}
      // The server has filtered them.
      filter={({ options }) => options}
      renderOption={({ option: { value, disabled } }) => {
        const one = known.get(value)
        return one && <Option receiver={one} isThere={disabled === true} />
      }}
      error={error ?? (failure ? messageOf(failure, 'Failed to search people') : null)}
      errorProps={{ role: 'alert' }}
      classNames={{ description: styles.hint, dropdown: styles.dropdown, option: styles.option, pill: styles.pill }}
      // Inside the dialog, so that the options belong to it.
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed', offset: 4 }}
      leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
      rightSection={<span />}
      rightSectionWidth={12}
      size={usePhone() ? 'lg' : 'sm'}
      maxDropdownHeight={240}
      searchable
      hidePickedOptions
      data-autofocus
    />
  )
}

function Option({ receiver, isThere }: { receiver: Receiver; isThere: boolean }) {
  const { kind, name, fullName } = receiver
  const Glyph = kind === 'group' ? IconUsers : IconUser
  return (
    <>
      <Glyph size={16} stroke={1.75} className={styles.glyph} aria-hidden />
      <span className={styles.found}>
        <bdi>{fullName ?? name}</bdi> {fullName !== null && <span className={styles.note}>{name}</span>}
        {kind === 'group' && <span className={styles.note}>Group</span>}
      </span>
      {isThere && <span className={styles.note}>Has access</span>}
    </>
  )
}
