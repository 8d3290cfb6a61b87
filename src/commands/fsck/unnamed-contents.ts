/**
 * Checks that a file uses every content, and tells which files and folders have lost their rows. Runs after the files,
 * which may get such a content back.
 */
import { systemCode } from '../../base/errors.ts'
import { hexForm } from '../../blobs/blob-store.ts'
import { keepDamaged, putAside } from '../../blobs/quarantine.ts'
import { backupPrefix } from '../../db/leases.ts'
import { systemActor } from '../../db/write-actor.ts'
import { dropBlobs } from '../../files/content.ts'
import { hasUnknownFile } from '../../files/unknown-files.ts'
import { type ContentRow, findContents, openBytes, placeOf } from './content-rows.ts'
import type { Check } from './finding.ts'
import { findLosses, type Loss, mayBeOf, reportLossesLeft, reportLostContent } from './lost-rows.ts'
import { type IdRange, idRanges } from './pages.ts'
import { isUnnamed } from './unknown-content.ts'

async function* once(bytes: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* bytes
}

/**
 * Deletes the row of an unused content, and quarantines its bytes, wherever they were. While a backup holds the store,
 * it may have read the row; then the bytes stay in the store and the sweeper removes them later. What may be a lost file's
 * stays in quarantine until somebody deletes it.
 */
async function dropUnnamed(check: Check, content: ContentRow, isLost: boolean): Promise<boolean> {
  const { db, store, clock, leases } = check.deps
  if (isLost && (await leases.isHeld(backupPrefix))) throw new Error('a backup is running, which may read these bytes')
  if (content.place === 'inline' && content.inline_size !== null) {
    const bytes = (await openBytes(check, content)) as Buffer[]
    await store.put(content.key, once(bytes)).catch(error => {
      // A killed repair has already put them there.
      if (systemCode(error) !== 'EEXIST') throw error
    })
  }
  const { isGone, keys } = await db.write(systemActor, async record => {
    record.nothing()
    const dropped = (await dropBlobs(db, [content.id])).map(({ key }) => key)
    const left = await db.row('SELECT id FROM blobs WHERE id = $1', [content.id])
    return { isGone: left === undefined, keys: dropped }
  })
  // Ask after the commit: a backup that begins later cannot have read the row.
  const isHeld = await leases.isHeld(backupPrefix)
  for (const key of new Set([...keys, ...(content.place === 'inline' ? [content.key] : [])])) {
    if (isLost) await keepDamaged(store, key, clock.now())
    else await (isHeld ? store.rejuvenate(key) : putAside(store, key, clock.now()))
  }
  return isGone
}

async function reportUnnamed(
  check: Check,
  content: ContentRow,
  mayBeNeeded: boolean,
  losses: readonly Loss[],
): Promise<void> {
  const isLost = losses.length > 0
  if (isLost && !check.options.acceptLost) return reportLostContent(check, content, losses)
  const about = { problem: 'content-unnamed', name: `content ${content.id}`, blob_id: content.id, key: content.key }
  if (mayBeNeeded) {
    const detail = `no file names it, and it stays while it may be what a file has lost: ${placeOf(content)}`
    return check.report({ ...about, verdict: 'ok', detail })
  }
  const detail = `no file names it: ${placeOf(content)}`
  await check.report({ ...about, verdict: 'repairable', detail }, () =>
    dropUnnamed(check, content, isLost).catch(error => {
      // What tells of the loss stays with the bytes.
      for (const { spaceId } of losses) check.kept.add(spaceId)
      throw error
    }),
  )
}

const findUnnamedIds = ({ deps: { db } }: Check, { after, upTo }: IdRange): Promise<{ id: number }[]> =>
  db.rows(`SELECT b.id FROM blobs b WHERE b.id > $1 AND b.id <= $2 AND ${isUnnamed} ORDER BY b.id`, [after, upTo])

export async function checkUnnamed(check: Check): Promise<void> {
  /** Asked once: a file loses its content only by damage. */
  let mayBeNeeded: boolean | undefined
  const losses = await findLosses(check)
  for await (const range of idRanges(check, 'blobs')) {
    for (const { id } of await findUnnamedIds(check, range)) {
      mayBeNeeded ??= await hasUnknownFile(check.deps.db)
      const [content] = await findContents(check, { after: id - 1, upTo: id })
      // A malformed key leads to no bytes; the check of rows reports it.
      if (content === undefined || content.is_named === 1 || !hexForm.test(content.key)) continue
      const own = losses.filter(loss => mayBeOf(content, loss))
      await reportUnnamed(check, content, mayBeNeeded, own)
    }
  }
  if (!check.options.acceptLost) await reportLossesLeft(check, losses)
}
