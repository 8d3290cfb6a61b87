/** The head of the grid, which has no columns: a row of sort buttons. */
import { sortKeys } from '../../../../src/api/files.ts'
import { Check } from '../../../ui/check.tsx'
import styles from './grid-head.module.css'
import { SortButton } from './sort-button.tsx'
import { ViewToggles } from './view-toggles.tsx'

interface GridHeadProps {
  isSortable: boolean
  /** Null when there is nothing to select. */
  onSelectAll: (() => void) | null
}

export function GridHead({ isSortable, onSelectAll }: GridHeadProps) {
  return (
    <div className={styles.head}>
      <span className={styles.check}>
        {onSelectAll !== null && <Check label="Select all" checked={false} onChange={onSelectAll} />}
      </span>
      {isSortable && (
        <div className={styles.sorts} role="group" aria-label="Sort">
          <span className={styles.word} aria-hidden>
            Sort
          </span>
          {sortKeys.map(sort => (
            <SortButton key={sort} sort={sort} />
          ))}
        </div>
      )}
      <span className={styles.toggles}>
        <ViewToggles />
      </span>
    </div>
  )
}
