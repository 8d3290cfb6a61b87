/** The metadata of a pending file; the space for it is reserved while it loads. */
import { useQuery } from '@tanstack/react-query'
import { getFile } from '../../../src/api/files.ts'
import type { PendingFile } from '../../../src/api/validation.ts'
import { call } from '../../lib/server/call.ts'
import styles from './file-metadata.module.css'

/** Milliseconds during which the values are not refetched. */
const freshFor = 60_000

export function FileMetadata({ file }: { file: PendingFile }) {
  const { data } = useQuery({
    queryKey: ['pending-metadata', file.id, file.sha256],
    queryFn: async () => (await call(getFile, { id: file.id })).file.metadata,
    staleTime: freshFor,
  })
  return (
    <dl className={styles.values}>
      {data?.map(({ field_id, label, value }) => (
        <div key={field_id} className={styles.value} title={`${label}: ${value}`}>
          <dt>{label}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
