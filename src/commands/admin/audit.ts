/** `filestore admin audit`. */
import type { InputOf } from '../../api/endpoint.ts'
import * as api from '../../api/events.ts'
import { maxPageSize } from '../../api/limits.ts'
import type { Flags } from '../../config.ts'
import * as events from '../../events/list.ts'
import { parseInput } from '../../http/parse.ts'
import { withRows } from '../open.ts'

/** The newest events that fit the filters, at most `count` of them. Throws `invalid_input` for a filter. */
export const listAudit = (
  flags: Flags,
  count: number,
  filters: Omit<InputOf<typeof api.listAudit>, 'limit' | 'cursor'>,
): Promise<api.ChangeEvent[]> =>
  withRows(flags, async ({ db }) => {
    const all: api.ChangeEvent[] = []
    let cursor: string | null | undefined
    while (all.length < count && cursor !== null) {
      const limit = Math.min(count - all.length, maxPageSize)
      const page = await events.listAudit(db, parseInput(api.listAudit.input, { ...filters, limit, cursor }))
      all.push(...page.events)
      cursor = page.next_cursor
    }
    return all
  })
