/** Checks that every thumbnail exists, and with --hash that it is one. A missing one is drawn when it is needed. */
import { buffer } from 'node:stream/consumers'
import { hexForm } from '../../blobs/blob-store.ts'
import { faultCode } from './content-rows.ts'
import type { Check } from './finding.ts'
import { nameItem } from './names.ts'
import { type IdRange, idRanges } from './pages.ts'

interface ThumbnailRow {
  id: number
  /** Other files with the same content have thumbnails of their own. */
  file_id: number
  blob_id: number
  key: string
  size: number
  /** Of the bytes in the row; null if they are in the store. */
  inline_size: number | null
  /** Of the bytes in the row, in hex. */
  inline_head: string | null
}

/** A WebP file begins with `RIFF`, four bytes of length, and `WEBP` (RFC 9649, section 2.4). */
const headLength = 12

const findThumbnails = ({ deps: { db } }: Check, { after, upTo }: IdRange): Promise<ThumbnailRow[]> =>
  db.rows<ThumbnailRow>(
    `SELECT id, file_id, blob_id, \`key\`, size, OCTET_LENGTH(bytes) AS inline_size, HEX(SUBSTR(bytes, 1, ${headLength})) AS inline_head
     FROM file_thumbnails WHERE id > $1 AND id <= $2 AND \`key\` IS NOT NULL`,
    [after, upTo],
  )

/** The size of bytes in the store; null if there are none. */
const findStoredSize = async (check: Check, { id, key, size }: ThumbnailRow): Promise<number | null> =>
  (await check.listed()).thumbnails.has(id) ? size : check.deps.store.size(key)

/** A problem with the bytes, as the rest of a sentence. Their hash is not stored, so it cannot be checked. */
async function findFault(check: Check, row: ThumbnailRow): Promise<string | null> {
  const { deps, options } = check
  const { store } = deps
  const { key, size, inline_size, inline_head } = row
  const found = inline_size ?? (await findStoredSize(check, row))
  if (found === null) return 'its bytes are missing'
  if (found !== size) return `it has ${found} bytes instead of ${size}`
  if (!options.hash) return null
  const head =
    inline_size === null
      ? await buffer(await store.read(key, { start: 0, end: headLength - 1 }))
      : Buffer.from(inline_head ?? '', 'hex')
  const isImage = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8) === 'WEBP'
  return isImage ? null : 'its bytes are no image'
}

/** A disk's or store's error about the bytes, as the rest of a sentence. */
function unreadableFault(check: Check, error: unknown): string {
  const code = faultCode(check, error)
  return code === 'ENOENT' ? 'its bytes are missing' : `its bytes cannot be read (${code})`
}

async function checkThumbnail(check: Check, row: ThumbnailRow): Promise<void> {
  const { db } = check.deps
  const { id, file_id, blob_id, key } = row
  const detail = await findFault(check, row).catch(error => unreadableFault(check, error))
  if (detail === null) return
  // A row is deleted before its bytes, so look again.
  const [current] = await findThumbnails(check, { after: id - 1, upTo: id })
  if (current?.key !== key) return
  const finding = {
    verdict: 'repairable',
    problem: 'thumbnail',
    name: `thumbnail of ${await nameItem(db, file_id)} (id:${file_id})`,
    detail,
    file_id,
    blob_id,
    key,
  } as const
  await check.report(finding, () =>
    db.touch(
      async () => (await db.change('DELETE FROM file_thumbnails WHERE id = $1 AND `key` = $2', [id, key])) === 1,
    ),
  )
}

export async function checkThumbnails(check: Check): Promise<void> {
  for await (const range of idRanges(check, 'file_thumbnails', 500)) {
    // The check of rows reports a malformed key.
    const rows = (await findThumbnails(check, range)).filter(({ key }) => hexForm.test(key))
    check.counts.thumbnails += rows.length
    for (const row of rows) await checkThumbnail(check, row)
  }
}
