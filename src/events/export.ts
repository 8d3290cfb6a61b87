/** The audit log as CSV (RFC 4180), made page by page while it is sent: names in it may not act in a spreadsheet. */
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { ChangeEvent, exportAudit as endpoint } from '../api/events.ts'
import { maxPageSize } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { listAudit } from './list.ts'

const columns = ['id', 'at', 'actor_id', 'actor_name', 'key_id', 'address', 'action', 'item_id', 'detail'] as const

/** What a spreadsheet takes for a formula at a cell's beginning, in its full-width forms too (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/**
 * What ends lines or hides and reorders text; and the semicolon before a formula, at which a spreadsheet of another
 * language begins a new cell, which quotes may open. Written out as JSON would, so that a detail is still JSON.
 */
const hazards = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]|;(?=[\s"']*[=+\-@＝＋－＠])/gu

function toCell(value: unknown): string {
  if (value === null) return ''
  const given = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const neutral = formula.test(given) ? `'${given}` : given
  const text = neutral.replace(hazards, found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const toLine = (event: ChangeEvent): string => columns.map(name => toCell(event[name])).join(',')

interface ExportOptions {
  /** Events, at most. */
  count?: number
  /** Those by this user alone, whatever the name was. */
  actorId?: number
  /** Asked before each page of 1,000; what it throws ends the export. */
  confirm?: () => Promise<void>
}

/** The newest events that fit, below a line of names. */
export async function* exportAudit(
  db: Database,
  filters: ParsedInputOf<typeof endpoint>,
  { count = Number.POSITIVE_INFINITY, actorId, confirm = async () => undefined }: ExportOptions = {},
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${columns.join(',')}\r\n`)
  let left = count
  let cursor: string | null | undefined
  while (left > 0 && cursor !== null) {
    await confirm()
    const page = await listAudit(db, { ...filters, limit: Math.min(left, maxPageSize), cursor }, actorId)
    cursor = page.next_cursor
    left -= page.events.length
    yield Buffer.from(page.events.map(event => `${toLine(event)}\r\n`).join(''))
  }
}
