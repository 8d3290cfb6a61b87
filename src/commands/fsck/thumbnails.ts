/** Checks that every thumbnail is there, with --hash that it is one; it is made anew at the next look at its image. */
import { buffer } from 'node:stream/consumers'
import { hexForm } from '../../blobs/blob-store.ts'
import { faultCode } from './content-rows.ts'
import type { Check } from './finding.ts'
import { type IdRange, idRanges } from './pages.ts'

interface ThumbnailRow {
  id: number
  blob_id: number
  key: string
  size: number
}

const findThumbnails = ({ deps: { db } }: Check, { after, upTo }: IdRange): Promise<ThumbnailRow[]> =>
  db.rows<ThumbnailRow>(
    'SELECT id, blob_id, `key`, size FROM space_thumbnails WHERE id > $1 AND id <= $2 AND `key` IS NOT NULL',
    [after, upTo],
  )

/** A WebP file begins with `RIFF`, four bytes of its length, and `WEBP` (RFC 9649, section 2.4). */
const headLength = 12

/** What is wrong with the bytes, as the rest of a sentence; nobody knows their hash. */
async function findFault({ deps: { store }, options }: Check, { key, size }: ThumbnailRow): Promise<string | null> {
  const found = await store.size(key)
  if (found === null) return 'its bytes are missing'
  if (found !== size) return `it has ${found} bytes instead of ${size}`
  if (!options.hash) return null
  const head = await buffer(await store.read(key, { start: 0, end: headLength - 1 }))
  const isImage = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8) === 'WEBP'
  return isImage ? null : 'its bytes are no image'
}

/** What disk or store say against a look at the bytes, as the rest of a sentence too. */
function unreadableFault(check: Check, error: unknown): string {
  const code = faultCode(check, error)
  return code === 'ENOENT' ? 'its bytes are missing' : `its bytes cannot be read (${code})`
}

async function checkThumbnail(check: Check, row: ThumbnailRow): Promise<void> {
  const { db } = check.deps
  const { id, blob_id, key } = row
  const detail = await findFault(check, row).catch(error => unreadableFault(check, error))
  if (detail === null) return
  // The row goes before the bytes.
  const [current] = await findThumbnails(check, { after: id - 1, upTo: id })
  if (current?.key !== key) return
  const finding = {
    verdict: 'repairable',
    problem: 'thumbnail',
    name: `thumbnail of content ${blob_id}`,
    detail,
    blob_id,
    key,
  } as const
  await check.report(finding, () =>
    db.touch(
      async () => (await db.change('DELETE FROM space_thumbnails WHERE id = $1 AND `key` = $2', [id, key])) === 1,
    ),
  )
}

export async function checkThumbnails(check: Check): Promise<void> {
  for await (const range of idRanges(check, 'space_thumbnails', 500)) {
    // What is no key is told as a value of its row.
    const rows = (await findThumbnails(check, range)).filter(({ key }) => hexForm.test(key))
    check.counts.thumbnails += rows.length
    for (const row of rows) await checkThumbnail(check, row)
  }
}
