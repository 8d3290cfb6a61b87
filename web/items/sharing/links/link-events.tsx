/** What a link was used for: when, what, and from which address, the newest first. */
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Link } from '../../../../src/api/links.ts'
import { linkEventsQuery } from '../../../lib/data/links.ts'
import { reasonOf } from '../../../lib/server/call.ts'
import { formatFullDate, formatMoment } from '../../../lib/words/format-date.ts'
import { ErrorBox } from '../../../ui/error-box.tsx'
import { useDelayed } from '../../../ui/use-delayed.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { WaitingRows } from '../waiting-rows.tsx'
import { LinkEventWords } from './link-event-words.tsx'
import styles from './links.module.css'

export function LinkEvents({ link }: { link: Link }) {
  const query = useInfiniteQuery(linkEventsQuery(link.id))
  const isWaiting = useDelayed(query.isPending, 150)
  const size = usePhone() ? 'lg' : 'xs'
  const events = query.data?.pages.flatMap(page => page.events)
  return (
    <div className={styles.panel}>
      {query.error && (
        <ErrorBox
          title="Failed to load what it was used for"
          reason={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      )}
      {isWaiting && <WaitingRows />}
      {events?.length === 0 && <p className={styles.note}>Nothing is recorded yet.</p>}
      {events && events.length > 0 && (
        <ol className={styles.events} aria-label="What it was used for">
          {events.map(event => (
            <li key={event.id} className={styles.event}>
              <span className={styles.told}>
                <LinkEventWords event={event} />
              </span>
              {event.address !== null && <span className={styles.from}>{event.address}</span>}
              <time dateTime={event.at} title={formatFullDate(event.at)}>
                {formatMoment(event.at)}
              </time>
            </li>
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <Button
          variant="subtle"
          size={size}
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </div>
  )
}
