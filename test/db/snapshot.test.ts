/** Snapshot reads, and the contents that are kept for a backup in progress. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { minute } from '../../src/base/clock.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { sweep } from '../../src/blobs/sweep.ts'
import { newBackupLease } from '../../src/db/backup-leases.ts'
import { backupPrefix } from '../../src/db/leases.ts'
import { findTables, type Row, readSlices } from '../../src/db/tables.ts'
import { openRemovals } from '../../src/files/removals.ts'
import { openSweepRows } from '../../src/files/sweep-rows.ts'
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
  const runSweep = () => sweep(store, openSweepRows({ db, leases, store }), later)
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
  await removals.add([{ key, namedAt: 0 }])
  await removals.settled()
  expect(await deps.store.size(key)).toBe(5)
  await deps.leases.end(`${backupPrefix}test`)
  await expect.poll(() => deps.store.size(key)).toBeNull()
})

test('of bytes that lose their row those stay that some running backup may have found in one', async () => {
  const { db, leases, store } = server.deps
  const touched: string[] = []
  const noting = { ...store, rejuvenate: async (key: string) => void touched.push(key) }
  const removals = openRemovals({ ...server.deps, store: noting }, 20)
  onTestFinished(removals.close)
  const now = Date.now()
  /** Removes new bytes, and returns whether they are still there. */
  const removeNamedAt = async (namedAt: number | null) => {
    const key = newBlobKey()
    await store.put(key, chunks(Buffer.from('bytes')))
    await removals.add([{ key, namedAt }])
    await removals.settled()
    return { key, isThere: async () => (await store.size(key)) !== null }
  }
  const [earlier, later] = [newBackupLease(now - 10 * minute), newBackupLease(now)]
  for (const name of [earlier, later]) await db.touch(() => leases.begin(name))
  const ofBoth = await removeNamedAt(now - 20 * minute)
  const ofLater = await removeNamedAt(now - 5 * minute)
  // The clocks of servers may differ a little.
  const perhaps = await removeNamedAt(now + minute / 2)
  const ofNone = [await removeNamedAt(now + 2 * minute), await removeNamedAt(null)]
  for (const { isThere } of [ofBoth, ofLater, perhaps]) expect(await isThere()).toBe(true)
  for (const { isThere } of ofNone) expect(await isThere()).toBe(false)

  await leases.end(later)
  for (const { isThere } of [ofLater, perhaps]) await expect.poll(isThere).toBe(false)
  expect(await ofBoth.isThere()).toBe(true)
  // An object store copies what it makes young.
  expect(touched).toEqual([ofBoth, ofLater, perhaps].map(({ key }) => key))

  // A backup that reads its rows, or an import, may need all.
  const reading = newBackupLease()
  await db.touch(() => leases.begin(reading))
  const newest = await removeNamedAt(now + 2 * minute)
  expect(await newest.isThere()).toBe(true)
  await leases.end(earlier)
  expect(await newest.isThere()).toBe(true)
  await leases.end(reading)
  for (const { isThere } of [ofBoth, newest]) await expect.poll(isThere).toBe(false)
})
