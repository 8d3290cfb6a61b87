/** The user's sessions, with a button to end each. */
import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endSession, listSessions, type Session } from '../../../src/api/auth.ts'
import { ApiError } from '../../../src/api/client.ts'
import { call, reasonOf } from '../../lib/server/call.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { formatDate, formatFullDate } from '../../lib/words/format-date.ts'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { deviceName, isHandheld } from './device-name.ts'
import styles from './session-list.module.css'

const sessionsKey = ['sessions']

/** Lowercases `Today, 09:41` for the middle of a line. */
const lower = (text: string): string => text.replace(/^[TY]/, letter => letter.toLowerCase())

/** Ends a session. One that has already expired counts as ended. */
async function end({ id }: Session): Promise<void> {
  await call(endSession, { id }).catch(error => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
}

export function SessionList() {
  const client = useQueryClient()
  const { data, error, errorUpdateCount, isPending, refetch } = useQuery({
    queryKey: sessionsKey,
    queryFn: () => call(listSessions, {}),
  })
  const [dismissed, setDismissed] = useState(0)
  /** The sessions in the dialog's question. They stay while the dialog closes, so that its text does not change. */
  const [asking, setAsking] = useState<{ isOpen: boolean; about: readonly Session[] }>({ isOpen: false, about: [] })
  const isWaiting = useDelayed(isPending, 150)
  const size = usePhone() ? 'lg' : 'sm'
  const sessions = [...(data?.sessions ?? [])].sort((a, b) => Number(b.current) - Number(a.current))
  const others = sessions.filter(({ current }) => !current)
  const ask = (about: readonly Session[]) => setAsking({ isOpen: true, about })
  const endThem = async () => {
    try {
      await Promise.all(asking.about.map(end))
    } finally {
      await client.invalidateQueries({ queryKey: sessionsKey })
    }
  }
  return (
    <>
      {error && errorUpdateCount > dismissed && (
        <ErrorStrip
          title="Failed to load sessions"
          reason={reasonOf(error)}
          onRetry={() => void refetch()}
          onDismiss={() => setDismissed(errorUpdateCount)}
        />
      )}
      {isWaiting && <div className={styles.skeleton} role="status" aria-label="Loading" />}
      <ul className={styles.list}>
        {sessions.map(session => (
          <SessionRow key={session.id} session={session} onEnd={() => ask([session])} />
        ))}
      </ul>
      {others.length > 1 && (
        <Button variant="default" data-tone="danger" size={size} className={styles.all} onClick={() => ask(others)}>
          End all other sessions
        </Button>
      )}
      <ConfirmDialog
        opened={asking.isOpen}
        onClose={() => setAsking(({ about }) => ({ isOpen: false, about }))}
        title={asking.about.length > 1 ? 'End all other sessions?' : 'End session?'}
        confirm={asking.about.length > 1 ? 'End sessions' : 'End session'}
        onConfirm={endThem}
        failed={failure => messageOf(failure, 'Failed to end session')}
      >
        <Consequence sessions={asking.about} />
      </ConfirmDialog>
    </>
  )
}

function Consequence({ sessions: [first, ...more] }: { sessions: readonly Session[] }) {
  if (first === undefined) return null
  if (more.length > 0) return `${more.length + 1} devices will have to sign in again.`
  return (
    <>
      <strong>{deviceName(first.user_agent)}</strong> will have to sign in again.
    </>
  )
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { address, user_agent, created_at, last_seen_at, current } = session
  const Glyph = isHandheld(user_agent) ? IconDeviceMobile : IconDeviceDesktop
  const size = usePhone() ? 'lg' : 'xs'
  const name = deviceName(user_agent)
  return (
    <li className={styles.row}>
      <Glyph size={20} stroke={1.75} className={styles.icon} aria-hidden />
      <div className={styles.words}>
        <p className={styles.name} title={user_agent ?? undefined}>
          <span className={styles.device}>{name}</span>
          {current && <Badge>This device</Badge>}
        </p>
        <p className={styles.meta}>
          {address ?? 'Unknown address'}
          <span title={`Signed in ${formatFullDate(created_at)}, last seen ${formatFullDate(last_seen_at)}`}>
            {current ? `Signed in ${lower(formatDate(created_at))}` : `Last seen ${lower(formatDate(last_seen_at))}`}
          </span>
        </p>
      </div>
      {!current && (
        <Button variant="default" data-tone="danger" size={size} aria-label={`End session of ${name}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  )
}
