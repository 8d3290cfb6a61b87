/** Parallel changes to one folder tree: it stays a tree, and its counters stay correct. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, moveFile } from '../../src/api/files.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { rounds } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

interface TreeRow {
  id: number
  parent_id: number | null
  is_trashed: 0 | 1
}

const readTree = (user: BuiltUser): Promise<TreeRow[]> =>
  server.deps.db.rows<TreeRow>(
    `SELECT id, parent_id, CASE WHEN deleted_at IS NULL AND trash_root_id IS NULL THEN 0 ELSE 1 END AS is_trashed
     FROM files WHERE owner_id = $1`,
    [user.id],
  )

/** Items that are not below the root. */
function findLost(rows: TreeRow[]): number[] {
  const parents = new Map(rows.map(row => [row.id, row.parent_id]))
  const reachesRoot = (id: number): boolean => {
    const seen = new Set<number>()
    for (let at: number | null = id; at !== null; at = parents.get(at) ?? null) {
      if (seen.has(at)) return false
      seen.add(at)
    }
    return true
  }
  return rows.filter(row => !reachesRoot(row.id)).map(row => row.id)
}

/** Live items whose parent is in the trash. */
const findStranded = (rows: TreeRow[]): number[] => {
  const trashed = new Set(rows.filter(row => row.is_trashed === 1).map(row => row.id))
  return rows
    .filter(row => row.is_trashed === 0 && row.parent_id !== null && trashed.has(row.parent_id))
    .map(row => row.id)
}

async function expectTrueCounters(user: BuiltUser): Promise<void> {
  const { db } = server.deps
  const space = await db.row<object>('SELECT storage_used, item_count FROM spaces WHERE owner_id = $1', [user.id])
  const sums = await db.row<object>(
    'SELECT COALESCE(SUM(size), 0) AS storage_used, COUNT(*) AS item_count FROM files WHERE owner_id = $1',
    [user.id],
  )
  expect(space).toEqual(sums)
}

describe('races in one tree', () => {
  test('20 crossing moves make no cycle', async () => {
    const user = await buildUser(server)
    for (let round = 0; round < 10; round++) {
      const [one, two] = [await buildFolder(user), await buildFolder(user)]
      const moves = [
        user.call(moveFile, { id: one.id, parent_id: two.id }),
        user.call(moveFile, { id: two.id, parent_id: one.id }),
      ]
      const outcomes = await Promise.allSettled(moves)
      expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
      const refused = outcomes.find(outcome => outcome.status === 'rejected')
      expect(refused?.reason).toMatchObject({ status: 409, code: 'would_cycle' })
    }
    expect(findLost(await readTree(user))).toEqual([])
  })

  test('20 uploads during the deletion of their folder leave no live item in the trash', async () => {
    const user = await buildUser(server)
    for (let round = 0; round < 5; round++) {
      const folder = await buildFolder(user)
      const uploads = Array.from({ length: 20 }, () => buildFile(user, { parent_id: folder.id }))
      const outcomes = await Promise.allSettled([...uploads, user.call(trashFile, { id: folder.id })])
      const refused = outcomes.filter(outcome => outcome.status === 'rejected')
      for (const { reason } of refused) expect(reason).toMatchObject({ status: 404 })
    }
    expect(findStranded(await readTree(user))).toEqual([])
    await expectTrueCounters(user)
  })

  test('30 uploads with one name get 30 names', async () => {
    const user = await buildUser(server)
    const files = await Promise.all(Array.from({ length: 30 }, () => buildFile(user, { name: 'same.txt' })))
    const expected = ['same.txt', ...Array.from({ length: 29 }, (_, index) => `same (${index + 1}).txt`)]
    expect(files.map(file => file.name).sort()).toEqual(expected.sort())
  })

  test('one of 20 requests makes a folder, and with exist_ok all of them return it', async () => {
    const user = await buildUser(server)
    const make = (exist_ok: boolean) =>
      Array.from({ length: 20 }, () => user.call(createFolder, { name: `one-${exist_ok}`, exist_ok }))
    const outcomes = await Promise.allSettled(make(false))
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
    const answers = await Promise.all(make(true))
    expect(new Set(answers.map(({ file }) => file.id)).size).toBe(1)
  })

  test('parallel uploads fill the quota exactly and never exceed it', async () => {
    const user = await buildUser(server, { storageQuota: 1000 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => buildFile(user, {}, Buffer.alloc(100, n))),
    )
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(10)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 413, code: 'quota_exceeded' })
    }
    await expectTrueCounters(user)
  })

  test('hundreds of mixed changes by three users succeed or are refused with a reason', async () => {
    const users = await Promise.all([1, 2, 3].map(() => buildUser(server)))
    const folders = await Promise.all(users.map(user => buildFolder(user)))
    const files = await Promise.all(users.map((user, n) => buildFile(user, { parent_id: folders[n]?.id })))
    // A server admits 512 connections of one network.
    const changes = Array.from({ length: rounds(200, 450) }, (_, index) => {
      const n = index % 3
      const [user, folder, file] = [users[n], folders[n], files[n]]
      if (user === undefined || folder === undefined || file === undefined) throw new Error('unreachable')
      if (index % 7 === 0) return user.call(moveFile, { id: file.id, parent_id: index % 2 === 0 ? folder.id : null })
      if (index % 7 === 1) return user.call(trashFile, { id: file.id })
      if (index % 7 === 2) return user.call(restoreFile, { id: file.id })
      if (index % 7 === 3) return buildFolder(user)
      return buildFile(user, { parent_id: folder.id }, Buffer.alloc(index * 300, index))
    })
    for (const outcome of await Promise.allSettled(changes)) {
      if (outcome.status === 'rejected') expect([404, 409]).toContain(outcome.reason.status)
    }
    for (const user of users) {
      const rows = await readTree(user)
      expect([...findLost(rows), ...findStranded(rows)]).toEqual([])
      await expectTrueCounters(user)
    }
  })
})
