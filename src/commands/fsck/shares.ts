/** Checks that each share is filed under the space of its item. */
import { readPages } from '../../db/read-on.ts'
import { systemActor } from '../../db/write.ts'
import type { Check } from './finding.ts'
import { nameItem } from './names.ts'

interface Misfiled {
  id: number
  item_id: number
  /** The space of the item. */
  space_id: number
}

const misfiled = `SELECT s.id, s.item_id, f.space_id FROM shares s JOIN files f ON f.id = s.item_id
  WHERE s.space_id <> f.space_id`

const pageSize = 1000

async function reportShare({ deps: { db }, report, signal }: Check, share: Misfiled): Promise<void> {
  signal.throwIfAborted()
  const read = () => db.row<Misfiled>(`${misfiled} AND s.id = $1`, [share.id])
  // The item and its shares move to another space in one write, so look again.
  if ((await read()) === undefined) return
  const finding = {
    verdict: 'repairable',
    problem: 'share-space',
    name: `share ${share.id} of ${await nameItem(db, share.item_id)}`,
    detail: 'it is filed under another storage than that of its item',
    file_id: share.item_id,
    space_id: share.space_id,
  } as const
  await report(finding, () =>
    db.write(systemActor, async record => {
      record.nothing()
      const current = await read()
      if (current === undefined) return false
      await db.update(db.shares, { space_id: current.space_id }, current.id)
      record('share.repair', { id: current.item_id }, { columns: ['space_id'] })
      return true
    }),
  )
}

export async function checkShares(check: Check): Promise<void> {
  const { db } = check.deps
  const pages = readPages<Misfiled>(db, {
    read: ([after]) => db.rows(`${misfiled} AND s.id > $1 ORDER BY s.id LIMIT ${pageSize}`, [Number(after)]),
    keyOf: ({ id }) => [id],
    start: [0],
    size: pageSize,
  })
  for await (const shares of pages) for (const share of shares) await reportShare(check, share)
}
