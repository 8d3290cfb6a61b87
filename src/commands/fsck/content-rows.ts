/** The rows of contents, and whether their bytes match. */
import type { Readable } from 'node:stream'
import { systemCode } from '../../base/errors.ts'
import type { Check } from './finding.ts'
import type { HashBytes } from './hash.ts'
import { nameFirstOf } from './names.ts'
import type { IdRange } from './pages.ts'

export interface ContentRow {
  id: number
  key: string
  place: 'inline' | 'store'
  size: number
  sha256: string
  /** The size of the bytes beside the row; null when there are none. */
  inline_size: number | null
  /** Whether these are kept as text, which SQLite allows: then nothing reads them as bytes. */
  is_text: 0 | 1
  /** Whether any file has this content. */
  is_named: 0 | 1
}

const isText = { sqlite: "TYPEOF(i.bytes) = 'text'", mariadb: '0' }
/** SQLite's LENGTH counts the characters of text. */
const queryOn = (dialect: keyof typeof isText): string => `SELECT b.id, b.\`key\`, b.place, b.size, b.sha256,
    OCTET_LENGTH(i.bytes) AS inline_size, ${isText[dialect]} AS is_text,
    EXISTS (SELECT 1 FROM files f WHERE f.blob_id = b.id) AS is_named
  FROM blobs b LEFT JOIN blob_bytes i ON i.blob_id = b.id WHERE b.id > $1 AND b.id <= $2 ORDER BY b.id`

export const findContents = ({ deps: { db } }: Check, { after, upTo }: IdRange): Promise<ContentRow[]> =>
  db.rows<ContentRow>(queryOn(db.dialect), [after, upTo])

/** Reads the row again; undefined when it is gone or has another key. A row is deleted before its bytes. */
export async function lookAgain(check: Check, { id, key }: ContentRow): Promise<ContentRow | undefined> {
  const [row] = await findContents(check, { after: id - 1, upTo: id })
  return row?.key === key ? row : undefined
}

/** A problem with bytes, as the rest of a sentence about their file. */
export interface Fault {
  problem: 'content-missing' | 'content-size' | 'content-changed' | 'content-unreadable' | 'content-as-text'
  detail: string
}

/** How many of a key's 64 characters are shown; these identify it. */
const shownLength = 16

/** The location of the bytes, for people. */
export const placeOf = ({ id, place, key }: Pick<ContentRow, 'id' | 'place' | 'key'>): string =>
  place === 'inline' ? `content ${id} in the database` : `blobs/${key.slice(0, 2)}/${key.slice(0, shownLength)}…`

/** The files are another user's, so nothing can be said about them. */
const refusals = ['EACCES', 'EPERM']

/** The code of a disk's or store's error about bytes; rethrows errors that say nothing about them. */
export function faultCode({ signal }: Check, error: unknown): string {
  signal.throwIfAborted()
  const code = systemCode(error)
  if (code === undefined || refusals.includes(code)) throw error
  return code
}

function faultOf(content: ContentRow, code: string): Fault {
  if (code === 'ENOENT') return { problem: 'content-missing', detail: `its bytes are missing: ${placeOf(content)}` }
  return { problem: 'content-unreadable', detail: `its bytes cannot be read (${code}): ${placeOf(content)}` }
}

/** Runs a look, and turns a disk's or store's error about the bytes into a fault. */
async function ask(check: Check, content: ContentRow, look: () => Promise<Fault | null>): Promise<Fault | null> {
  try {
    return await look()
  } catch (error) {
    return faultOf(content, faultCode(check, error))
  }
}

/** Whether the number of bytes is right. */
export const findSizeFault = (check: Check, content: ContentRow): Promise<Fault | null> =>
  ask(check, content, async () => {
    if (content.place === 'store' && (await check.listed()).contents.has(content.id)) return null
    const size = content.place === 'inline' ? content.inline_size : await check.deps.store.size(content.key)
    if (size === null) return faultOf(content, 'ENOENT')
    if (size === content.size && content.is_text === 1) {
      return { problem: 'content-as-text', detail: `its bytes are kept as text: ${placeOf(content)}` }
    }
    if (size === content.size) return null
    return { problem: 'content-size', detail: `it has ${size} bytes instead of ${content.size}: ${placeOf(content)}` }
  })

export async function openBytes({ deps: { db, store } }: Check, content: ContentRow): Promise<Readable | Buffer[]> {
  if (content.place === 'store') return store.read(content.key)
  // In SQLite it may be text, of which the driver would change what is no UTF-8.
  const bytes = content.is_text === 1 ? 'CAST(bytes AS BLOB)' : 'bytes'
  const row = await db.row<{ bytes: Buffer }>(`SELECT ${bytes} AS bytes FROM blob_bytes WHERE blob_id = $1`, [
    content.id,
  ])
  return row === undefined ? [] : [Buffer.from(row.bytes)]
}

/** Whether the bytes have the expected SHA-256. */
export const findHashFault = (check: Check, hashBytes: HashBytes, content: ContentRow): Promise<Fault | null> =>
  ask(check, content, async () => {
    if ((await hashBytes(await openBytes(check, content))) === content.sha256) return null
    return { problem: 'content-changed', detail: `its bytes are not those that came in: ${placeOf(content)}` }
  })

/** The SHA-256 of a stream; null when disk or store fails to deliver it. */
export async function hashOf(
  check: Check,
  hashBytes: HashBytes,
  reading: Readable | Promise<Readable>,
): Promise<string | null> {
  try {
    return await hashBytes(await reading)
  } catch (error) {
    check.signal.throwIfAborted()
    if (systemCode(error) === undefined) throw error
    return null
  }
}

/** Reports a problem of a content's row or bytes that a repair mends. */
export async function reportRepairable(
  { deps: { db }, report }: Check,
  { id, key }: ContentRow,
  about: { problem: string; detail: string },
  repair: () => Promise<boolean>,
): Promise<void> {
  const name = await nameFirstOf(db, id)
  await report({ ...about, verdict: 'repairable', name, blob_id: id, key }, repair)
}
