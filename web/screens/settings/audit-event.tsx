/** One event of the audit log with all its details. */
import type { ChangeEvent } from '../../../src/api/events.ts'
import { actorName } from '../../lib/words/actor-name.ts'
import { formatFullDate } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import styles from './audit-event.module.css'
import { AuditWords } from './audit-words.tsx'
import { OwnItem } from './own-item.tsx'

/** Details that are byte counts. */
const sizes = ['size', 'storage_quota']

/** A detail as text: lists are joined by commas, deeper values shown as stored. */
function textOf(value: unknown, name: string): string {
  if (typeof value === 'number' && sizes.includes(name)) return formatSize(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value) && value.every(entry => typeof entry !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function AuditEvent({ event }: { event: ChangeEvent }) {
  const known: [label: string, value: string][] = [
    ['When', `${formatFullDate(event.at)} (${event.at})`],
    ['Who', event.actor_id === null ? actorName(event) : `${event.actor_name} (user ${event.actor_id})`],
    ['Address', event.address ?? '—'],
    ['Signed in by', event.key_id === null ? (event.actor_id === null ? '—' : 'Session') : `API key ${event.key_id}`],
    ['Action', event.action],
    ['Item', event.item_id === null ? '—' : String(event.item_id)],
  ]
  const details = Object.entries(event.detail ?? {})
  return (
    <>
      <p className={styles.words}>
        <bdi className={styles.who}>{actorName(event)}</bdi> <AuditWords event={event} />
      </p>
      <Lines lines={known} />
      {event.item_id !== null && /^(file|folder)\./.test(event.action) && (
        <p className={styles.item}>
          <OwnItem id={event.item_id} />
        </p>
      )}
      {details.length > 0 && (
        <section aria-label="Details">
          <h3 className={styles.heading}>Details</h3>
          <Lines lines={details.map(([name, value]) => [name.replaceAll('_', ' '), textOf(value, name)])} />
        </section>
      )}
    </>
  )
}

function Lines({ lines }: { lines: readonly [label: string, value: string][] }) {
  return (
    <dl className={styles.lines}>
      {lines.map(([label, value]) => (
        <div key={label} className={styles.line}>
          <dt>{label}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
