/** Builds the API form of events: only fields listed here leave the server. */
import type { ChangeEvent } from '../api/events.ts'
import { isoTime } from '../base/iso-time.ts'
import { type EventRow, eventDetail } from '../db/models/events.ts'
import { readStored } from '../db/stored-json.ts'

export const presentEvent = (row: EventRow): ChangeEvent => ({
  id: row.id,
  at: isoTime(row.at),
  actor_id: row.actor_id,
  actor_name: row.actor_name,
  key_id: row.key_id,
  address: row.address,
  action: row.action,
  item_id: row.item_id,
  detail: row.detail === null ? null : readStored(eventDetail, row.detail, `events ${row.id}`),
})
