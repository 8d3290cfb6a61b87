/** Statistics: counts of live items, bytes by kind, and the newest files. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { renameFile } from '../../src/api/files.ts'
import { getFileStats } from '../../src/api/search.ts'
import { trashFile } from '../../src/api/trash.ts'
import { plantTree } from '../bench/plant.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { plant } from '../support/planting.ts'
import { explain } from '../support/query-plans.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('statistics', () => {
  test('of an empty account are zeros and empty lists', async () => {
    const user = await buildUser(server)
    expect(await user.call(getFileStats, {})).toEqual({
      total_files: 0,
      total_folders: 0,
      by_kind: [],
      recent_files: [],
    })
  })

  test('count the live files and folders of one user, at every depth', async () => {
    const [user, stranger] = [await buildUser(server), await buildUser(server)]
    const folder = await buildFolder(user)
    const inner = await buildFolder(user, 'inner', folder.id)
    await buildFile(user, { parent_id: inner.id })
    await buildFile(user)
    await buildFile(stranger)
    const gone = await buildFolder(user)
    await buildFile(user, { parent_id: gone.id })
    await user.call(trashFile, { id: gone.id })
    expect(await user.call(getFileStats, {})).toMatchObject({ total_files: 2, total_folders: 2 })
  })

  test('sum bytes and files by kind, the largest first', async () => {
    const user = await buildUser(server)
    const contents = {
      'a.png': 10,
      'b.JPG': 20,
      'c.mp4': 500,
      'd.pdf': 5,
      'e.txt': 40,
      'f.zip': 7,
      'g.xlsx': 6,
      'h.bin': 1,
    }
    for (const [name, size] of Object.entries(contents)) await buildFile(user, { name }, 'x'.repeat(size))
    const gone = await buildFile(user, { name: 'gone.mp4' }, 'x'.repeat(900))
    await user.call(trashFile, { id: gone.id })
    expect((await user.call(getFileStats, {})).by_kind).toEqual([
      { kind: 'video', files: 1, bytes: 500 },
      { kind: 'document', files: 1, bytes: 40 },
      { kind: 'image', files: 2, bytes: 30 },
      { kind: 'archive', files: 1, bytes: 7 },
      { kind: 'sheet', files: 1, bytes: 6 },
      { kind: 'pdf', files: 1, bytes: 5 },
      { kind: 'other', files: 1, bytes: 1 },
    ])
  })

  test('list the ten newest files, newest first, with their paths, and no folder', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'folder')
    const files = []
    for (let index = 0; index < 12; index++)
      files.push(await buildFile(user, { name: `f${index}`, parent_id: folder.id }))
    await user.call(trashFile, { id: files[11]?.id ?? 0 })
    const { file } = await user.call(renameFile, { id: files[0]?.id ?? 0, name: 'touched' })
    const { recent_files } = await user.call(getFileStats, {})
    expect(recent_files).toHaveLength(10)
    expect(recent_files[0]).toMatchObject({ id: file.id, path: '/folder/touched' })
    const times = recent_files.map(({ updated_at }) => updated_at)
    expect(times).toEqual([...times].sort().reverse())
    expect(recent_files.map(({ id }) => id)).not.toContain(files[11]?.id)
  })

  test('list the newest live files, even behind thousands of files in a trashed folder', async () => {
    const user = await buildUser(server)
    const old = []
    for (let index = 0; index < 8; index++) old.push((await buildFile(user, { name: `old ${index}` })).id)
    const tree = await plant(server, user, (db, owner) => plantTree(db, owner, 'tree', 6000))
    await server.deps.db.touch(async () => {
      // Make these older than the planted files, which share one time, so that a slice ends within that time.
      await server.deps.db.change("UPDATE files SET updated_at = updated_at - 60000 WHERE name LIKE 'old %'", [])
    })
    const newest = await buildFile(user, { name: 'newest' })
    expect((await user.call(getFileStats, {})).recent_files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['newest', expect.stringMatching(/^Report/)]),
    )
    await user.call(trashFile, { id: tree })
    const { recent_files, total_files } = await user.call(getFileStats, {})
    expect(recent_files.map(({ id }) => id)).toEqual([newest.id, ...old.reverse()])
    expect(total_files).toBe(9)
  })

  test('find files that wait for approval by the index of such files, without reading all others', async context => {
    onlyOneServer('process', context)
    const { db } = server.deps
    const read = vi.spyOn(db, 'rows')
    await (await buildUser(server)).call(getFileStats, {})
    const [sql, bind] = read.mock.calls.find(([text]) => text.includes("validation_status <> 'approved'")) ?? []
    read.mockRestore()
    expect(JSON.stringify(await explain(server, sql ?? '', bind))).toContain('files_held')
  })
})
