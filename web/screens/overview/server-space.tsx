/** For administrators: the free space on the server's disk, and whether uploads have stopped because it is full. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { systemQuery } from '../../lib/data/system.ts'
import { logFailure } from '../../lib/server/log-failure.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { Card } from '../../ui/card.tsx'
import { CardRows } from '../../ui/card-rows.tsx'
import { Warning } from '../../ui/warning.tsx'

const disks = { storage: "the files'", database: "the database's" } as const

export function ServerSpace() {
  const { data, error } = useQuery(systemQuery)
  useEffect(() => {
    if (error !== null) logFailure('Failed to load system information', error)
  }, [error])
  const sizeOf = (bytes: number | null | undefined) => (typeof bytes === 'number' ? formatSize(bytes) : '—')
  const full = data?.full_disk ?? null
  return (
    <Card
      title="Server"
      mark={
        <Link to="/settings/{-$tab}" params={{ tab: 'system' }}>
          System
        </Link>
      }
    >
      <CardRows
        rows={[
          ['Free space', sizeOf(data?.free_bytes)],
          ['Kept free', data?.min_free_bytes === 0 ? 'Nothing' : sizeOf(data?.min_free_bytes)],
        ]}
      />
      {full !== null && (
        <Warning level="danger">
          Uploads are refused: {disks[full]} disk is nearly full. Make room on it, or empty the trash.
        </Warning>
      )}
    </Card>
  )
}
