/** `filestore admin audit`. */
import type { InputOf } from '../../api/endpoint.ts'
import * as api from '../../api/events.ts'
import { maxPageSize } from '../../api/limits.ts'
import type { Flags } from '../../config.ts'
import * as events from '../../events/list.ts'
import { parseInput } from '../../http/parse.ts'
import { withRows } from '../open.ts'
import { givenId } from './names.ts'

/** The newest events that fit the filters, at most `count` of them. Throws `invalid_input` for a filter. */
export const listAudit = (
  flags: Flags,
  count: number,
  filters: Omit<InputOf<typeof api.listAudit>, 'limit' | 'cursor'>,
): Promise<api.ChangeEvent[]> =>
  withRows(flags, async ({ db }) => {
    const { actor, ...others } = filters
    const actorId = actor === undefined ? undefined : givenId(actor)
    // A name as it was is all that is left of a user who was deleted; an id stays theirs, whatever they are called.
    const named = actorId === undefined ? filters : others
    const all: api.ChangeEvent[] = []
    let cursor: string | null | undefined
    while (all.length < count && cursor !== null) {
      const limit = Math.min(count - all.length, maxPageSize)
      const page = await events.listAudit(db, parseInput(api.listAudit.input, { ...named, limit, cursor }), actorId)
      all.push(...page.events)
      cursor = page.next_cursor
    }
    return all
  })
