/** The audit log: who did what and when, the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChangeEvent } from '../../../src/api/events.ts'
import { useLoadMore } from '../../lib/data/use-load-more.ts'
import { downloadAudit } from '../../lib/local/download.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toast.tsx'
import { useLast } from '../../ui/use-last.ts'
import { AuditEvent } from './audit-event.tsx'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import { auditInput, auditQuery, noFilters } from './audit-query.ts'
import styles from './audit-tab.module.css'
import { AuditTable } from './audit-table.tsx'
import { LoadProblem } from './load-problem.tsx'
import { TableSkeleton } from './table-skeleton.tsx'

export function AuditTab() {
  const [filters, setFilters] = useState(noFilters)
  const query = useInfiniteQuery(auditQuery(filters))
  const { data } = query
  const [open, setOpen] = useState<ChangeEvent | null>(null)
  const shown = useLast(open)
  const events = data?.pages.flatMap(page => page.events)
  const loadMore = useLoadMore(query)

  return (
    <>
      <AuditFilterBar
        filters={filters}
        onChange={setFilters}
        onRefresh={() => void query.refetch()}
        onExport={() =>
          void downloadAudit(auditInput(filters)).catch(() => showError('Failed to export the audit log'))
        }
      />
      <LoadProblem query={query} title="Failed to load the audit log" />
      <TableSkeleton isPending={query.isPending} phoneRowHeight={64} />
      {events?.length === 0 && (
        <p className={styles.empty} role="status">
          No events match these filters.
        </p>
      )}
      {events && events.length > 0 && (
        <AuditTable events={events} onOpen={setOpen} onNearEnd={loadMore} hasMore={query.hasNextPage} />
      )}
      <Dialog opened={open !== null} onClose={() => setOpen(null)} title="Event" size={520}>
        {shown && <AuditEvent event={shown} />}
      </Dialog>
    </>
  )
}
