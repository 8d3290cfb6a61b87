/** Snapshot reads, and the contents that are kept for a backup in progress. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { sweep } from '../../src/blobs/sweep.ts'
import { backupPrefix } from '../../src/db/leases.ts'
import { findTables, type Row, readSlices } from '../../src/db/tables.ts'
import { findKeptKeys } from '../../src/files/named-keys.ts'
import { openRemovals } from '../../src/files/removals.ts'
import { chunks } from '../contracts/stores.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { plantFiles } from '../support/planted.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const countFiles = async (): Promise<number | undefined> =>
  (await server.deps.db.row<{ count: number }>('SELECT COUNT(*) AS count FROM files'))?.count

test('a snapshot sees the rows of its beginning whatever is written meanwhile, and changes nothing', async () => {
  const { db } = server.deps
  const before = await countFiles()
  await db.snapshot(async () => {
    await buildFile(user)
    expect(await countFiles()).toBe(before)
    await buildFile(user)
    expect(await countFiles()).toBe(before)
    await expect(db.change('DELETE FROM leases')).rejects.toThrow()
  })
  expect(await countFiles()).toBe((before ?? 0) + 2)
})

test('all rows of a table are read once, in slices that stay equal where no row has changed', async () => {
  const { db } = server.deps
  const folder = await buildFolder(user)
  await plantFiles(server, user, folder.id, 2500)
  const files = (await findTables(db)).find(({ name }) => name === 'files')
  if (files === undefined) throw new Error('no files')
  const read = async () => {
    const slices: Row[][] = []
    await db.snapshot(async () => {
      for await (const slice of readSlices(db, files)) slices.push(slice)
    })
    return slices
  }
  const [first, ...others] = await read()
  const rows = [...(first ?? []), ...others.flat()]
  expect(rows.map(({ id }) => id)).toEqual((await db.rows<Row>('SELECT id FROM files ORDER BY id')).map(({ id }) => id))
  expect(Object.keys(rows[0] ?? {})).not.toContain('live_parent')
  expect(typeof rows[0]?.name_folded).toBe('string')
  await buildFile(user)
  const again = await read()
  expect(again.slice(0, others.length)).toEqual([first, ...others].slice(0, others.length))
  expect(again.flat()).toHaveLength(rows.length + 1)
})

test('contents without rows stay during a backup, also in a sweep', async () => {
  const { db, store, leases, clock } = server.deps
  const later = clock.now() + 2 * 24 * 60 * 60 * 1000
  const runSweep = () => sweep(store, keys => findKeptKeys({ db, leases }, keys), later)
  const { id, sha256 } = await buildFile(user, {}, largeContent())
  const key = (await db.row<{ key: string }>('SELECT `key` FROM blobs WHERE sha256 = $1', [sha256]))?.key ?? ''
  await db.touch(() => leases.begin(`${backupPrefix}test`))
  await user.call(trashFile, { id })
  await user.call(deleteFile, { id })
  expect(await runSweep()).toMatchObject({ quarantined: 0 })
  expect((await readHoldings(server)).keys).toContain(key)
  await leases.end(`${backupPrefix}test`)
  await runSweep()
  expect((await readHoldings(server)).keys).not.toContain(key)
})

test('bytes that a backup holds are removed once it has ended', async () => {
  const { deps } = server
  const removals = openRemovals(deps, 20)
  onTestFinished(removals.close)
  const key = newBlobKey()
  await deps.store.put(key, chunks(Buffer.from('bytes')))
  await deps.db.touch(() => deps.leases.begin(`${backupPrefix}test`))
  await removals.add([key])
  await removals.settled()
  expect(await deps.store.size(key)).toBe(5)
  await deps.leases.end(`${backupPrefix}test`)
  await expect.poll(() => deps.store.size(key)).toBeNull()
})
