/** The servers that work on one MariaDB: whether each is alive, and how far its clock is off. */
import type { SystemNode } from '../../../src/api/system.ts'
import { formatMoment } from '../../lib/words/format-date.ts'
import styles from './node-list.module.css'

const clockWords = (ms: number): string => {
  const seconds = (Math.abs(ms) / 1000).toFixed(1)
  return `clock ${seconds} s ${ms < 0 ? 'behind' : 'ahead of'} the database`
}

const stateWords = ({ is_alive, seen_at }: SystemNode): string =>
  `${is_alive ? 'Alive' : 'Silent'}, last seen: ${formatMoment(seen_at)}`

export function NodeList({ nodes }: { nodes: readonly SystemNode[] }) {
  return (
    <section className={styles.section} aria-label="Servers">
      <h2 className={styles.heading}>Servers</h2>
      <ul className={styles.list}>
        {nodes.map(node => (
          <li key={`${node.name} ${node.address} ${node.started_at}`} className={styles.node}>
            <span className={styles.name}>
              {node.name} <span className={styles.address}>{node.address}</span>
            </span>
            <span className={node.is_alive ? styles.state : styles.silent}>
              {stateWords(node)} · version {node.version} · {clockWords(node.clock_skew_ms)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
