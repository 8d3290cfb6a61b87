/** The events of an item with their authors, newest first. */
import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ChangeEvent, EventList } from '../../../src/api/events.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { formatDate, formatFullDate } from '../../lib/words/format-date.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './activity.module.css'
import { EventWords } from './event-words.tsx'
import { Bar, Section } from './section.tsx'

export function Activity({ query }: { query: UseInfiniteQueryResult<InfiniteData<EventList>> }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const size = usePhone() ? 'lg' : 'xs'
  const events = data?.pages.flatMap(page => page.events)
  return (
    <Section title="Activity">
      {error && <ErrorBox title="Failed to load activity" reason={reasonOf(error)} onRetry={() => void refetch()} />}
      <ol className={styles.events}>
        {events?.map(event => (
          <Entry key={event.id} event={event} />
        ))}
        {!events && !error && <Waiting />}
      </ol>
      {events?.length === 0 && !hasNextPage && <p className={styles.date}>Nothing yet</p>}
      {hasNextPage && (
        <Button
          variant="subtle"
          size={size}
          className={styles.more}
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Section>
  )
}

function Entry({ event }: { event: ChangeEvent }) {
  const me = useAuth(({ user }) => user?.id)
  return (
    <li className={styles.event}>
      <p className={styles.words}>
        <EventWords event={event} me={me} />
      </p>
      <p className={styles.date}>
        <time dateTime={event.at} title={formatFullDate(event.at)}>
          {formatDate(event.at)}
        </time>
        {event.key_id !== null && ' · with an API key'}
      </p>
    </li>
  )
}

function Waiting() {
  return (
    <li className={styles.event} aria-label="Loading">
      <p className={styles.words}>
        <Bar width="55%" />
      </p>
      <p className={styles.date}>
        <Bar width="30%" />
      </p>
    </li>
  )
}
