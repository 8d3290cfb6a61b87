/** `filestore admin audit`. */
import type { InputOf } from '../../api/endpoint.ts'
import * as api from '../../api/events.ts'
import { maxPageSize } from '../../api/limits.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Flags } from '../../config-options.ts'
import { exportAudit } from '../../events/export.ts'
import * as events from '../../events/list.ts'
import { withRows } from '../open.ts'
import { givenId } from './names.ts'

type Filters = Omit<InputOf<typeof api.listAudit>, 'limit' | 'cursor'>

/**
 * Takes the id out of an actor such as `id:7`. Otherwise the actor stays a name, the only thing left of a deleted user.
 */
function splitActor({ actor, ...others }: Filters): { filters: Filters; actorId: number | undefined } {
  const actorId = actor === undefined ? undefined : givenId(actor)
  return { filters: actorId === undefined ? { actor, ...others } : others, actorId }
}

/** Returns the newest events that match the filters, at most `count`. Throws `invalid_input` for a wrong filter. */
export const listAudit = (flags: Flags, count: number, given: Filters): Promise<api.ChangeEvent[]> =>
  withRows(flags, async ({ db }) => {
    const { filters, actorId } = splitActor(given)
    const all: api.ChangeEvent[] = []
    let cursor: string | null | undefined
    while (all.length < count && cursor !== null) {
      const limit = Math.min(count - all.length, maxPageSize)
      const page = await events.listAudit(db, parseInput(api.listAudit.input, { ...filters, limit, cursor }), actorId)
      all.push(...page.events)
      cursor = page.next_cursor
    }
    return all
  })

/**
 * Passes the events that match, as CSV, to `send`, piece by piece; all of them if no `count` is given. Throws like
 * `listAudit`.
 */
export const sendAuditCsv = (
  flags: Flags,
  count: number | undefined,
  given: Filters,
  send: (csv: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> =>
  withRows(flags, async ({ db }) => {
    const { filters, actorId } = splitActor(given)
    await send(exportAudit(db, parseInput(api.exportAudit.input, filters), { count, actorId }))
  })
