/** A metadata value for people, formatted by its field's type. */
import type { FieldType } from '../../../src/api/metadata.ts'
import { formatDay } from '../../lib/words/format-date.ts'
import styles from './metadata.module.css'

export function MetadataValue({ type, value }: { type: FieldType; value: string }) {
  if (value === '') return <span className={styles.none}>Not set</span>
  if (type === 'checkbox') return value === 'true' ? 'Yes' : 'No'
  // Without a time zone, so that every reader sees the same day.
  if (type === 'date') return formatDay(`${value}T00:00:00`)
  if (type === 'email') return <a href={`mailto:${value}`}>{value}</a>
  if (type === 'url' && /^https?:/i.test(value)) {
    return (
      <a href={value} target="_blank" rel="noopener noreferrer">
        {value}
      </a>
    )
  }
  return (
    <span className={styles.lines} dir="auto">
      {value}
    </span>
  )
}
