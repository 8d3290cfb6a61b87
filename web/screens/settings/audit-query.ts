/** The audit log, filtered, page by page. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { listAudit } from '../../../src/api/events.ts'
import { call } from '../../lib/server/call.ts'

const eventsAtOnce = 200

/** The filters as typed; empty for no filter. Days are in the browser's time zone. */
export interface AuditFilters {
  actor: string
  action: string
  /** `YYYY-MM-DD`, inclusive. */
  from: string
  to: string
}

export const noFilters: AuditFilters = { actor: '', action: '', from: '', to: '' }

/** The time at which a day begins or ends. */
const instantOf = (day: string, time: string): string | undefined => {
  const moment = new Date(`${day}T${time}`)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

/** The filters as the API takes them. */
export const auditInput = ({ actor, action, from, to }: AuditFilters) => ({
  actor: actor.trim() || undefined,
  action: action || undefined,
  from: instantOf(from, '00:00:00.000'),
  to: instantOf(to, '23:59:59.999'),
})

export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam }) => call(listAudit, { ...auditInput(filters), limit: eventsAtOnce, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    // Otherwise every return to the window would refetch all pages that a reader has loaded.
    refetchOnWindowFocus: false,
  })
