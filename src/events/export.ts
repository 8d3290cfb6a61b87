/**
 * Exports the audit log as CSV (RFC 4180), page by page while sending; names in it cannot act as spreadsheet formulas.
 */
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { ChangeEvent, exportAudit as endpoint } from '../api/events.ts'
import { maxPageSize } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { listAudit } from './list.ts'

const columns = ['id', 'at', 'actor_id', 'actor_name', 'key_id', 'address', 'action', 'item_id', 'detail'] as const

/** Characters that begin a formula in a spreadsheet cell, including their full-width forms (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/**
 * Characters that end lines or hide or reorder text, and a semicolon before a formula: in some locales a semicolon
 * begins a new cell, which may start with quotes. They are escaped as in JSON, so that a detail stays valid JSON.
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
  /** The maximum number of events. */
  count?: number
  /** Only events of this user, under any name. */
  actorId?: number
  /** Called before each page of 1,000 events; if it throws, the export ends. */
  confirm?: () => Promise<void>
}

/** Yields a header line, then the newest events that match the filters. */
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
