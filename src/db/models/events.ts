/**
 * events: one row for each change, committed with it, and for the reads and refusals that the journal writes
 * (db/journal.ts). The audit log and the activity list both read it.
 */
import * as z from 'zod/mini'
import type { WriteEvent } from '../recorder.ts'
import type { StoredForm } from '../stored-json.ts'
import type { WriteActor } from '../write-actor.ts'
import { model } from './model.ts'

export interface EventRow {
  id: number
  at: number
  /** No foreign key, and the name at the time of the event, because events outlive their actors. */
  actor_id: number | null
  actor_name: string
  key_id: number | null
  /** The link by which a visitor came. */
  link_id: number | null
  address: string | null
  /** Noun and verb: `file.rename`. */
  action: string
  space_id: number | null
  /** The row of the noun that the action begins with. */
  item_id: number | null
  /** JSON. */
  detail: string | null
  /** The space's revision with this change; null for what is of no space. Several changes of one write share it. */
  revision: number | null
}

/** The form of `detail`. */
export const eventDetail: StoredForm<Record<string, unknown> | null> = {
  schema: z.nullable(z.record(z.string(), z.unknown())),
  otherwise: null,
}

/**
 * An event to be added; only visitors' name a link. `revision` is the id of the space whose present revision is stored:
 * the write has raised it before, and holds the space's row until its commit.
 */
type NewEvent = Omit<EventRow, 'id' | 'link_id' | 'revision'> & { link_id?: number | null; revision?: number | null }

export const events = model<EventRow, NewEvent>(
  'events',
  {},
  { revision: space => `(SELECT sp.revision FROM spaces sp WHERE sp.id = ${space})` },
)

const isSet = (value: number | null | undefined): boolean => (value ?? null) !== null

/**
 * Turns the events of one write into new rows. Without a visitor among them they have no `link_id`, and without a space
 * no `revision`, because a backup also writes its event into the tables of an older filestore.
 */
export function eventRows(actor: WriteActor, list: readonly WriteEvent[], at: number): NewEvent[] {
  const rows = list.map(event => ({ ...eventRow(event.actor ?? actor, event, at), revision: event.spaceId }))
  const [hasLink, hasSpace] = [rows.some(row => isSet(row.link_id)), rows.some(row => isSet(row.revision))]
  return rows.map(({ link_id, revision, ...row }) => ({
    ...row,
    ...(hasLink && { link_id: link_id ?? null }),
    ...(hasSpace && { revision }),
  }))
}

/** Turns an event into a new row; `actor` is the actor of its write. */
export const eventRow = (actor: WriteActor, event: WriteEvent, at: number): NewEvent => ({
  at,
  actor_id: actor.userId,
  actor_name: actor.name,
  key_id: actor.keyId,
  link_id: actor.linkId ?? null,
  address: actor.address,
  action: event.action,
  space_id: event.spaceId,
  item_id: event.itemId,
  detail: event.detail === null ? null : JSON.stringify(event.detail),
})
