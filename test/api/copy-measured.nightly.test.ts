/** A folder is measured before it is copied: in short reads, outside of any write, and no further than a copy may go. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { copyFile, listFiles, moveFile } from '../../src/api/files.ts'
import { leastItems } from '../../src/api/limits.ts'
import { trashFile } from '../../src/api/trash.ts'
import { updateUser } from '../../src/api/users.ts'
import type { Database } from '../../src/db/database.ts'
import { plantTree } from '../bench/plant.ts'
import { type BuiltUser, buildChain, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { onlyOn } from '../support/only-on.ts'
import { countItems, expectTrueCounters, plant } from '../support/planting.ts'
import { explain } from '../support/query-plans.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let user: BuiltUser
let db: Database
const undo: (() => void)[] = []
beforeAll(async () => {
  server = await startServer()
  db = server.deps.db
  admin = await buildUser(server, { role: 'admin' })
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterEach(() => {
  for (const back of undo.splice(0)) back()
})
afterAll(() => server.close())

const quotaExceeded = { status: 413, code: 'quota_exceeded' }
const tooDeep = { status: 400, code: 'invalid_input' }

/** A read of the database, with the number of rows that it returned. */
interface Read {
  sql: string
  bind: Parameters<Database['rows']>[1]
  count: number
  isInWrite: boolean
}

/** Lists what the database reads from now on. `before` runs before each read. */
function watchReads(before: (sql: string) => Promise<void> = async () => undefined): Read[] {
  const reads: Read[] = []
  const inWrite = new AsyncLocalStorage<true>()
  const { rows, row, write } = db
  const note = async <T extends object>(sql: string, bind: Read['bind'], found: Promise<T[]>): Promise<T[]> => {
    const list = await found
    reads.push({ sql, bind, count: list.length, isInWrite: inWrite.getStore() === true })
    return list
  }
  db.rows = async <T extends object>(sql: string, bind?: Read['bind']) => {
    await before(sql)
    return note(sql, bind, rows<T>(sql, bind))
  }
  db.row = async <T extends object>(sql: string, bind?: Read['bind']) => {
    await before(sql)
    return (await note(sql, bind, rows<T>(sql, bind)))[0]
  }
  db.write = (actor, work) => write(actor, record => inWrite.run(true, () => work(record)))
  undo.push(() => Object.assign(db, { rows, row, write }))
  return reads
}

/** Whether a statement follows a tree down to its last item. */
const followsDown = ({ sql }: Read): boolean => /RECURSIVE[\s\S]*f\.(live_parent|parent_id) = /.test(sql)

/** Whether a statement reads the items below folders. */
const isBelow = (sql: string): boolean => /f\.(live_)?parent_id (IN|=)|f\.live_parent = (folders|below)/.test(sql)

/**
 * Runs `change` once, before the first slice of a copy. Returns how many slices have begun. Each slice asks for free space
 * on the disk, and so does the call itself before it measures the folder.
 */
function beforeFirstSlice(change: () => Promise<unknown>): () => number {
  const { freeSpace } = server.deps
  const { admit } = freeSpace
  let slices = -1
  const count: typeof admit = async (...asked) => {
    slices += 1
    // The change asks for free space too.
    freeSpace.admit = admit
    if (slices === 1) await change()
    freeSpace.admit = count
    return admit.apply(freeSpace, asked)
  }
  freeSpace.admit = count
  undo.push(() => {
    freeSpace.admit = admit
  })
  return () => slices
}

describe('a copy of a large folder', () => {
  test('that exceeds the quota is refused after the first reads that show it, and before a write begins', async () => {
    user = await buildUser(server, { storageQuota: leastItems * 4096 })
    const folder = await plant(server, user, (planted, owner) => plantTree(planted, owner, 'large', 9000))
    const before = await readHoldings(server)
    const reads = watchReads()
    await expect(user.call(copyFile, { id: folder })).rejects.toMatchObject(quotaExceeded)
    expect(reads.filter(followsDown)).toEqual([])
    expect(reads.filter(({ isInWrite }) => isInWrite)).toEqual([])
    expect(Math.max(...reads.map(({ count }) => count))).toBeLessThanOrEqual(1000)
    expect(reads.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(2500)
    expect(await readHoldings(server)).toEqual(before)
  })

  test('that exceeds the quota of bytes is refused after the first reads that show it', async () => {
    const folder = await plant(server, user, (planted, owner) => plantTree(planted, owner, 'large', 4000))
    await admin.call(updateUser, { id: user.id, storage_quota: 20_000 })
    const reads = watchReads()
    await expect(user.call(copyFile, { id: folder })).rejects.toMatchObject(quotaExceeded)
    expect(reads.filter(followsDown)).toEqual([])
    expect(reads.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(2500)
  })

  test('that would become too deep is refused before a write begins, and reads no more of the tree', async () => {
    const [top = 0] = await buildChain(user, 60)
    const target = (await buildChain(user, 70)).at(-1)
    const reads = watchReads()
    await expect(user.call(copyFile, { id: top, parent_id: target })).rejects.toMatchObject(tooDeep)
    expect(reads.filter(followsDown)).toEqual([])
    expect(reads.filter(({ isInWrite }) => isInWrite)).toEqual([])
    // 30 levels fit below the target.
    expect(reads.filter(({ sql }) => isBelow(sql)).length).toBeLessThanOrEqual(32)
  })

  test('that fits is measured once, in reads of some hundred rows and outside of writes', async () => {
    const folder = await plant(server, user, (planted, owner) => plantTree(planted, owner, 'large', 3000))
    const items = await countItems(server, user)
    const reads = watchReads()
    await user.call(copyFile, { id: folder })
    expect(reads.filter(followsDown)).toEqual([])
    const begun = reads.findIndex(({ isInWrite }) => isInWrite)
    const measured = reads.slice(0, begun).filter(({ sql }) => isBelow(sql))
    expect(measured.reduce((sum, { count }) => sum + count, 0)).toBe(items - 1)
    expect(Math.max(...reads.map(({ count }) => count))).toBeLessThanOrEqual(1000)
    await expectTrueCounters(server, user)
  })

  test('reads the items of its folders by their parents, not all items of the space', async context => {
    onlyOn('sqlite', context)
    const folder = await plant(server, user, (planted, owner) => plantTree(planted, owner, 'large', 3000))
    const reads = watchReads()
    await user.call(copyFile, { id: folder })
    const below = reads.filter(({ sql }) => /ORDER BY f\.parent_id/.test(sql))
    const plans = await Promise.all(below.map(({ sql, bind }) => explain(server, sql, bind)))
    const ways = new Set(plans.map(steps => (steps as { detail: string }[]).map(({ detail }) => detail).join('; ')))
    expect([...ways]).toEqual(['SEARCH f USING INDEX files_parent (parent_id=? AND rowid>?)'])
  })

  test("is measured beside three others of a user's sessions, and other users and calls go on beside it", async () => {
    const folders = await Promise.all(Array.from({ length: 8 }, () => buildFolder(user)))
    for (const { id } of folders) await buildFile(user, { parent_id: id })
    const bob = await buildUser(server)
    const own = await buildFolder(bob)
    await buildFile(bob, { parent_id: own.id })
    const moved = await buildFolder(user)
    let open = () => {}
    const opened = new Promise<void>(resolve => {
      open = resolve
    })
    let [begun, isHolding] = [0, true]
    watchReads(async sql => {
      if (!isHolding || !isBelow(sql)) return
      begun += 1
      await opened
    })
    const copies = folders.map(({ id }) => user.call(copyFile, { id }))
    await expect.poll(() => begun).toBe(4)
    const other = bob.call(copyFile, { id: own.id })
    await expect.poll(() => begun).toBe(5)
    expect((await user.call(listFiles, { limit: 1 })).folders).toHaveLength(1)
    const key = await buildKey(server, user, ['files:read', 'files:write'])
    const byKey = key.call(copyFile, { id: folders[0]?.id ?? 0 })
    await expect.poll(() => begun).toBe(6)
    isHolding = false
    await user.call(moveFile, { id: moved.id, parent_id: folders[0]?.id })
    await user.call(trashFile, { id: moved.id })
    expect(begun).toBe(6)
    open()
    await Promise.all([...copies, other, byKey])
  })
})

describe('a folder that changes after it was measured', () => {
  test('is not copied beyond the greatest depth: the copy stops at that level and leaves nothing', async () => {
    const [top = 0, inner = 0] = await buildChain(user, 2)
    const target = (await buildChain(user, 98)).at(-1)
    const [late = 0] = await buildChain(user, 20)
    const before = await readHoldings(server)
    const slices = beforeFirstSlice(() => user.call(moveFile, { id: late, parent_id: inner }))
    await expect(user.call(copyFile, { id: top, parent_id: target })).rejects.toMatchObject(tooDeep)
    // Two slices: the second one copies the third level, which is the first that does not fit.
    expect(slices()).toBe(2)
    expect(await readHoldings(server)).toEqual(before)
    await expectTrueCounters(server, user)
  })

  test('is not copied beyond the quota: the copy stops at the slice that does not fit, and leaves nothing', async () => {
    user = await buildUser(server, { storageQuota: 1000 })
    const [top = 0, inner = 0] = await buildChain(user, 2)
    await buildFile(user, { parent_id: inner }, Buffer.alloc(300))
    const late = await buildFile(user, {}, Buffer.alloc(300))
    const items = await countItems(server, user)
    const slices = beforeFirstSlice(() => user.call(moveFile, { id: late.id, parent_id: inner }))
    await expect(user.call(copyFile, { id: top })).rejects.toMatchObject(quotaExceeded)
    expect(slices()).toBe(2)
    expect(await countItems(server, user)).toBe(items)
    expect(await db.rows("SELECT name FROM leases WHERE name LIKE 'tree:%'")).toEqual([])
    await expectTrueCounters(server, user)
  })
})
