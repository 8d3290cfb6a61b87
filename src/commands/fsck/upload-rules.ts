/** The rules for unfinished uploads. One that cannot be read is dropped: its client begins anew. */
import { hexForm } from '../../blobs/blob-store.ts'
import { uploadError, uploadStates, uploadTarget } from '../../db/models/uploads.ts'
import type { Row } from '../../db/tables.ts'
import { count, json, maybe, oneOf, pattern, type TableRules, time } from './column-rules.ts'
import { plain } from './text-rules.ts'

/** Dropping the row mends all of it. */
const none = () => ({})

/** Whether an upload in this state could have these bytes. Only a file that is done has none, and holds nothing free. */
function agrees(state: unknown, { received, length, blob_key, reserved }: Row): boolean {
  if (state === 'done') return blob_key === null && reserved === 0
  if (state === 'open') return blob_key !== null
  return (state === 'whole' || state === 'failed') && blob_key !== null && received === length
}

export const uploadRules: TableRules = {
  columns: {
    ...{ user_id: 'told', link_id: 'told', space_id: 'told', store_state: 'any' },
    id: pattern('id', /^[0-9a-f]{32}$/),
    visit_hash: maybe(pattern('visit_hash', hexForm)),
    network: maybe(plain('network', 64)),
    key_id: maybe(count('key_id', () => null, 1)),
    // A header is read as Latin-1 (RFC 9110, section 5.5).
    header: maybe(pattern('header', /^[\t -~\u0080-\u00ff]*$/)),
    target: json('target', uploadTarget.schema, none),
    length: count('length', () => 0),
    received: {
      ...count('received', () => 0),
      detail: 'its received is no number from 0 to its length',
      fits: (value, { length }) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= Number(length),
    },
    reserved: count('reserved', () => 0),
    blob_key: maybe(pattern('blob_key', hexForm)),
    state: {
      ...oneOf('state', uploadStates),
      detail: 'its state is none of those that there are, or does not agree with its bytes',
      fits: (value, row) => agrees(value, row),
    },
    error: maybe(json('error', uploadError.schema, none)),
    file_id: maybe(count('file_id', () => null, 1)),
    holder: maybe(plain('holder', 64)),
    epoch: count('epoch', () => 0),
    held_until: time('held_until'),
    created_at: time('created_at'),
    expires_at: time('expires_at'),
  },
  isDropped: true,
}
