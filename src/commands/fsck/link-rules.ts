/** The rules for links and what their visitors have unlocked. What cannot be read takes access away, and gives none. */
import { passwordHashForm } from '../../access/passwords.ts'
import { maxLabelLength } from '../../api/limits.ts'
import { linkLevels } from '../../api/link-levels.ts'
import { hexForm } from '../../blobs/blob-store.ts'
import type { Row } from '../../db/tables.ts'
import {
  count,
  flag,
  maybe,
  maybeTime,
  oneOf,
  pattern,
  type Rule,
  type TableRules,
  time,
  toldElsewhere,
} from './column-rules.ts'
import { line } from './text-rules.ts'

/** Its makers see that it is paused, and give the right level or limit again. */
export const pausedLink = { level: 'view', is_active: 0 } as const

const limit = (column: 'max_downloads' | 'max_bytes', least: 0 | 1): Rule => ({
  ...maybe(count(column, () => null, least)),
  mend: () => ({ [column]: least, is_active: 0 }),
})

/** What was used of a limited link counts as all of it. */
const used = (column: 'downloads' | 'bytes_in', ofLimit: 'max_downloads' | 'max_bytes'): Rule => ({
  ...count(column, () => 0),
  mend: (row: Row) => ({ [column]: row[ofLimit] ?? 0 }),
})

/** Base64url of an IV, a token and a tag; empty where the address cannot be shown again. */
const sealedTokenForm = /^([\w-]{67})?$/

export const linkRules: TableRules = {
  columns: {
    ...{ id: 'told', space_id: 'told', item_id: 'told', created_by: 'told' },
    token_hash: toldElsewhere(pattern('token_hash', hexForm)),
    token_sealed: toldElsewhere(pattern('token_sealed', sealedTokenForm)),
    level: oneOf('level', linkLevels, () => ({ ...pausedLink })),
    label: maybe(line('label', maxLabelLength)),
    // No password fits a damaged hash; only a new password helps.
    password_hash: maybe(pattern('password_hash', passwordHashForm)),
    // The days that a link may last count from it.
    created_at: { ...time('created_at'), mend: () => ({ created_at: Date.now(), is_active: 0 }) },
    expires_at: maybe(time('expires_at')),
    max_downloads: limit('max_downloads', 1),
    max_bytes: limit('max_bytes', 0),
    ask_name: flag('ask_name', () => 1),
    is_active: flag('is_active', () => 0),
    opened: count('opened', () => 0),
    downloads: used('downloads', 'max_downloads'),
    uploads: count('uploads', () => 0),
    bytes_in: used('bytes_in', 'max_bytes'),
    last_used_at: maybeTime('last_used_at'),
    lock_turn: count('lock_turn', () => 0),
    // A new number, so that no earlier visit counts.
    visit_round: maybe(count('visit_round', Date.now)),
  },
}

export const visitRules: TableRules = {
  columns: {
    link_id: 'told',
    hash: pattern('hash', hexForm),
    item_id: count('item_id', () => 0),
    round: maybe(count('round', () => null)),
    expires_at: time('expires_at'),
  },
  isDropped: true,
}
