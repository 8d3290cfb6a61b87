/** Checks that every thumbnail is there; one that is not is made anew at the next look at its image. */
import type { Check } from './finding.ts'
import { type IdRange, idRanges } from './pages.ts'

interface ThumbnailRow {
  blob_id: number
  key: string
  size: number
}

const findThumbnails = ({ deps: { db } }: Check, { after, upTo }: IdRange): Promise<ThumbnailRow[]> =>
  db.rows<ThumbnailRow>(
    'SELECT blob_id, `key`, size FROM thumbnails WHERE blob_id > $1 AND blob_id <= $2 AND `key` IS NOT NULL',
    [after, upTo],
  )

async function checkThumbnail(check: Check, { blob_id, key, size }: ThumbnailRow): Promise<void> {
  const { db, store } = check.deps
  const found = await store.size(key)
  if (found === size) return
  // The row goes before the bytes.
  const [current] = await findThumbnails(check, { after: blob_id - 1, upTo: blob_id })
  if (current?.key !== key) return
  const finding = {
    verdict: 'repairable',
    problem: 'thumbnail',
    name: `thumbnail of content ${blob_id}`,
    detail: found === null ? 'its bytes are missing' : `it has ${found} bytes instead of ${size}`,
    blob_id,
    key,
  } as const
  await check.report(finding, () =>
    db.touch(
      async () => (await db.change('DELETE FROM thumbnails WHERE blob_id = $1 AND `key` = $2', [blob_id, key])) === 1,
    ),
  )
}

export async function checkThumbnails(check: Check): Promise<void> {
  for await (const range of idRanges(check, 'thumbnails', { column: 'blob_id', size: 500 })) {
    const rows = await findThumbnails(check, range)
    check.counts.thumbnails += rows.length
    for (const row of rows) await checkThumbnail(check, row)
  }
}
