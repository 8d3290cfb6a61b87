/** The audit log, page by page, as the filters narrow it. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { listAudit } from '../../../src/api/events.ts'
import { call } from '../../lib/server/call.ts'

const eventsAtOnce = 200

/** What is typed into the filters; empty is no filter. Days are those of the browser's own time zone. */
export interface AuditFilters {
  actor: string
  action: string
  /** `YYYY-MM-DD`, included. */
  from: string
  to: string
}

export const noFilters: AuditFilters = { actor: '', action: '', from: '', to: '' }

/** The moment at which a day begins or ends. */
const instantOf = (day: string, time: string): string | undefined => {
  const moment = new Date(`${day}T${time}`)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

/** The filters as the calls take them. */
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
    // Whoever reads far down would otherwise load all of it anew at each return to the window.
    refetchOnWindowFocus: false,
  })
