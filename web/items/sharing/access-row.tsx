/** One who has access to an item, with the controls that change it, its end, or take it away. */

import { NativeSelect } from '@mantine/core'
import { IconCalendar, IconUser, IconUsers, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { ShareLevel } from '../../../src/api/share-levels.ts'
import { levelNames, reasonWords, type Sharable } from '../../../src/api/share-words.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { formatDay } from '../../lib/words/format-date.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import type { PersonEntry } from './access-links.ts'
import { Because } from './because.tsx'
import { EndForm } from './end-form.tsx'
import { levelChoices } from './levels.ts'
import styles from './share-dialog.module.css'
import { useAccessActs } from './use-access-acts.tsx'

interface AccessRowProps {
  item: Sharable
  entry: PersonEntry
  /** Whether a team folder would have no manager without it. */
  isLastManager: boolean
  /** Called with a share that is about to leave the list. */
  onRemove: (share: { id: number }) => void
}

export function AccessRow(props: AccessRowProps) {
  const { item, entry } = props
  const { who, level, because } = entry
  const userId = useAuth(({ user }) => user?.id)
  const isSelf = who.kind !== 'group' && who.id === userId
  const isDirect = entry.share_id !== null && because.id === item.id
  const Glyph = who.kind === 'group' ? IconUsers : IconUser
  return (
    <li className={styles.item} data-file={entry.share_id}>
      <div className={styles.entry}>
        <span className={styles.portrait}>
          <Glyph size={16} stroke={1.75} aria-hidden />
        </span>
        <div className={styles.who}>
          <span className={styles.name}>
            <bdi>{who.full_name ?? who.name}</bdi>
            {isSelf && <span className={styles.note}> (you)</span>}
          </span>
          <Facts item={item} entry={entry} />
        </div>
        {!isDirect && <span className={styles.level}>{who.kind === 'owner' ? 'Owner' : levelNames[level]}</span>}
      </div>
      {isDirect && <Controls {...props} isSelf={isSelf} />}
    </li>
  )
}

/** What else is to be said of an entry: the username, the folder that it comes from, its end, why it has no effect. */
function Facts({ item, entry }: Pick<AccessRowProps, 'item' | 'entry'>) {
  const { who, because, expires_at } = entry
  const reason = reasonWords(entry, entry.expires_at === null ? '' : formatDay(entry.expires_at))
  const isInherited = because.id !== item.id
  const isBare = who.kind !== 'group' && who.full_name === null
  if (reason === null && !isInherited && expires_at === null && isBare) return null
  return (
    <span className={styles.facts}>
      {who.kind === 'group' && <span>Group</span>}
      {who.full_name !== null && <bdi>{who.name}</bdi>}
      {isInherited && <Because because={because} />}
      {reason === null && expires_at !== null && <span>until {formatDay(expires_at)}</span>}
      {reason !== null && <span className={styles.reason}>{reason}</span>}
    </span>
  )
}

function Controls(props: AccessRowProps & { isSelf: boolean }) {
  const { item, entry, isSelf } = props
  const ending = useRef<HTMLButtonElement>(null)
  const [isEnding, setEnding] = useState(false)
  const { problem, change, remove, question } = useAccessActs(props)
  const closeEnding = () => {
    setEnding(false)
    ending.current?.focus()
  }
  const isPhone = usePhone()
  const look = isPhone ? ({ size: 'lg', iconSize: 20 } as const) : {}
  const { name } = entry.who
  return (
    <>
      <div className={styles.controls}>
        {isSelf ? (
          <span className={styles.level}>{levelNames[entry.level]}</span>
        ) : (
          <NativeSelect
            aria-label={`Access of ${name}`}
            className={styles.choice}
            data={levelChoices(item)}
            value={entry.level}
            onChange={event => change({ level: event.currentTarget.value as ShareLevel })}
            size={isPhone ? 'lg' : 'xs'}
          />
        )}
        {!isSelf && (
          <IconButton
            ref={ending}
            label={`End of the access of ${name}`}
            title="Set an end"
            icon={IconCalendar}
            aria-expanded={isEnding}
            {...look}
            onClick={() => setEnding(!isEnding)}
          />
        )}
        <IconButton
          label={isSelf ? 'Leave' : `Remove ${name}`}
          title={isSelf ? 'Leave' : 'Remove'}
          icon={IconX}
          data-next
          {...look}
          onClick={remove}
        />
      </div>
      {isEnding && (
        <EndForm
          name={name}
          end={entry.expires_at}
          onSave={expires_at => {
            closeEnding()
            change({ expires_at })
          }}
          onCancel={closeEnding}
        />
      )}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {question}
    </>
  )
}
