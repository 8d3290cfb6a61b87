/**
 * What a repair does with a row of which a value is unclear, because an index holds another one: it takes access away, and
 * believes neither.
 */
import { randomBytes } from 'node:crypto'
import type { Row } from '../../db/tables.ts'
import { remadeTables } from './damage.ts'
import { pausedLink } from './link-rules.ts'
import { endedShare } from './shares.ts'

export interface SafeSide {
  /** The columns that it is safe about; absent for all, and for whether the row is there at all. */
  columns?: readonly string[]
  /** The values that take access away; null deletes the row. */
  set: Row | null
  /** The rest of the sentence `so …`. */
  outcome: string
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
/** Nobody knows a password that fits. */
const lockedHash = `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(randomBytes(16))}$${unpadded(randomBytes(32))}`

/** What decides about an account, and no index holds. */
export const accountColumns: readonly string[] = ['is_active', 'password_hash']

const safeSides: Readonly<Record<string, readonly SafeSide[]>> = {
  api_keys: [{ set: { is_active: 0 }, outcome: 'it is disabled' }],
  events: [{ columns: ['item_id', 'space_id'], set: { item_id: null, space_id: null }, outcome: 'it is of no item' }],
  files: [
    { columns: ['validation_status'], set: { validation_status: 'pending' }, outcome: 'it waits for review' },
    { columns: ['received_by'], set: { received_by: -1 }, outcome: 'reviewers alone see it while it is held' },
  ],
  group_members: [{ set: null, outcome: 'the user is left out of the group' }],
  links: [{ set: { ...pausedLink }, outcome: 'it is paused' }],
  shares: [{ set: { ...endedShare }, outcome: 'it ends' }],
  users: [
    { columns: ['role_id'], set: { is_active: 0 }, outcome: 'the account is disabled' },
    {
      columns: accountColumns,
      set: { is_active: 0, password_hash: lockedHash },
      outcome:
        "the account is disabled, its sessions end, and no password fits: 'filestore admin user set-password' gives it one, and 'enable' lets it in",
    },
  ],
}

/** Columns that give nobody access. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  events: ['at', 'actor_name', 'action', 'link_id', 'revision'],
  files: ['name', 'updated_at', 'validated_by', 'is_favorite'],
  users: ['username_key', 'email_key'],
}

/** Columns that other checks compare with the rest of the row, or with the content. */
const derived: Readonly<Record<string, readonly string[]>> = {
  files: ['name_folded', 'sort_key', 'mime_type', 'size'],
  users: ['username_skeleton'],
}

export const isDerived = (table: string, column: string): boolean => derived[table]?.includes(column) === true

const sidesOf = (table: string): readonly SafeSide[] =>
  remadeTables.test(table) ? [{ set: null, outcome: 'it is deleted' }] : (safeSides[table] ?? [])

/** The safe side for rows that may be there or not; undefined if a row of the table gives more than access. */
export const wholeSideOf = (table: string): SafeSide | undefined =>
  sidesOf(table).find(({ columns }) => columns === undefined)

/** The safe sides about unclear columns; none if they give nobody access, and null if there is no safe side. */
export function findSafeSides(table: string, columns: readonly string[]): readonly SafeSide[] | null {
  const whole = wholeSideOf(table)
  if (whole !== undefined) return [whole]
  const sides = sidesOf(table).filter(side => side.columns?.some(column => columns.includes(column)))
  const known = [...(harmless[table] ?? []), ...sides.flatMap(side => side.columns ?? [])]
  return columns.every(column => known.includes(column)) ? sides : null
}
