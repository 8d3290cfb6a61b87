/** The heading of a group: a row without a place among the items, which keys and the count of rows pass over. */
import styles from './group-head.module.css'
import { headHeight } from './groups.ts'

interface GroupHeadProps {
  /** Pixels from the top of the list. */
  start: number
  children: string
}

export const GroupHead = ({ start, children }: GroupHeadProps) => (
  <div role="row" className={styles.group} style={{ height: headHeight, transform: `translateY(${start}px)` }}>
    <span role="rowheader">{children}</span>
  </div>
)
