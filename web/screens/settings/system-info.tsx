/** The server's version, database, free space, counts and nodes. */
import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '../../../src/api/endpoint.ts'
import type { getSystem } from '../../../src/api/system.ts'
import { systemQuery } from '../../lib/data/system.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { NodeList } from './node-list.tsx'
import styles from './system-info.module.css'

const databases = { sqlite: 'SQLite', mariadb: 'MariaDB' } as const

type System = OutputOf<typeof getSystem>

const lines: readonly { label: string; value: (system: System) => string }[] = [
  { label: 'Version', value: ({ version }) => version },
  { label: 'Database', value: ({ database }) => databases[database] },
  { label: 'Free space', value: ({ free_bytes }) => (free_bytes === null ? 'Unknown' : formatSize(free_bytes)) },
  { label: 'Stored', value: ({ counts }) => formatSize(counts.bytes) },
  { label: 'Users', value: ({ counts }) => counts.users.toLocaleString('en-US') },
  { label: 'Files', value: ({ counts }) => counts.files.toLocaleString('en-US') },
  { label: 'Folders', value: ({ counts }) => counts.folders.toLocaleString('en-US') },
  { label: 'Pending files', value: ({ counts }) => counts.pending.toLocaleString('en-US') },
]

export function SystemInfo() {
  const { data, error } = useQuery(systemQuery)
  return (
    <>
      <section className={styles.section} aria-label="System information">
        <h2 className={styles.heading}>System information</h2>
        {error && data === undefined && (
          <p className={styles.problem} role="alert">
            Failed to load system information. {reasonOf(error)}
          </p>
        )}
        <dl className={styles.lines}>
          {lines.map(({ label, value }) => (
            <div key={label} className={styles.line}>
              <dt>{label}</dt>
              <dd>{data === undefined ? '—' : value(data)}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.hint}>Files and folders count the trash too.</p>
      </section>
      {data !== undefined && data.nodes.length > 0 && <NodeList nodes={data.nodes} />}
    </>
  )
}
