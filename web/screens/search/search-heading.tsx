/** The heading of a search, with the number of results. */
import styles from './search-heading.module.css'

export interface Found {
  count: number
  /** Whether the count is exact; otherwise there are more. */
  isExact: boolean
}

function messageOf(q: string, { count, isExact }: Found): string {
  if (count === 0) return `No results found for "${q}"`
  const number = `${count.toLocaleString('en-US')}${isExact ? '' : '+'}`
  return `Found ${number} ${count === 1 ? 'result' : 'results'} for "${q}"`
}

/** `found` is null while it is unknown. */
export function SearchHeading({ q, found }: { q: string; found: Found | null }) {
  const message = found === null ? '' : messageOf(q, found)
  return (
    <div className={styles.row}>
      <h1 className={styles.title}>Search Results</h1>
      <p className={styles.message} role="status" title={message}>
        {message}
      </p>
    </div>
  )
}
