/** The largest files of the own tree, and the size of a folder: what counts, and what they cost. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getFolderSize } from '../../src/api/files.ts'
import { getFileStats, listLargest } from '../../src/api/search.ts'
import { trashFile } from '../../src/api/trash.ts'
import { plantTree } from '../bench/plant.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildShare,
  buildTeam,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { readPages } from '../support/pages.ts'
import { plant } from '../support/planting.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

const ofBytes = (count: number): string => 'x'.repeat(count)

describe('the largest files', () => {
  const pagesOf = async (limit: number, kind?: 'image' | 'document' | 'video') => {
    const { entries } = await readPages(async cursor => {
      const { files, next_cursor } = await user.call(listLargest, { kind, limit, cursor })
      return { entries: files, next_cursor }
    })
    return entries.map(({ name }) => name)
  }

  test('are the live files of the own tree, the largest first, in pages of any size, of all kinds or one', async () => {
    const folder = await buildFolder(user, 'folder')
    await buildFile(user, { name: 'middle.txt', parent_id: folder.id }, ofBytes(500))
    await buildFile(user, { name: 'large.png' }, ofBytes(900))
    await buildFile(user, { name: 'empty.txt' }, '')
    const gone = await buildFolder(user, 'gone')
    await buildFile(user, { name: 'trashed.txt', parent_id: gone.id }, ofBytes(5000))
    await user.call(trashFile, { id: gone.id })
    const team = await buildTeam(await buildUser(server, { role: 'admin' }), user)
    await buildFile(user, { name: 'of the team.txt', parent_id: team.folder_id }, ofBytes(6000))
    for (const limit of [1, 2, 3, 100]) {
      expect(await pagesOf(limit)).toEqual(['large.png', 'middle.txt', 'empty.txt'])
      expect(await pagesOf(limit, 'document')).toEqual(['middle.txt', 'empty.txt'])
    }
    expect(await pagesOf(100, 'image')).toEqual(['large.png'])
    expect(await pagesOf(100, 'video')).toEqual([])
    const { files } = await user.call(listLargest, { limit: 2 })
    expect(files[1]).toMatchObject({ path: '/folder/middle.txt', size: 500, place: null })
  })

  test('are those that are there twice, if only duplicates are asked for', async () => {
    const folder = await buildFolder(user, 'folder')
    await buildFile(user, { name: 'large.bin' }, 'a'.repeat(900))
    await buildFile(user, { name: 'large again.bin', parent_id: folder.id }, 'a'.repeat(900))
    await buildFile(user, { name: 'as large.bin' }, 'b'.repeat(900))
    await buildFile(user, { name: 'small.txt' }, 'small')
    await buildFile(user, { name: 'small too.txt' }, 'small')
    await buildFile(user, { name: 'once.txt' }, 'once')
    const trashed = await buildFile(user, { name: 'trashed.txt' }, 'once')
    await user.call(trashFile, { id: trashed.id })
    await buildFile(user, { name: 'empty.txt' }, '')
    await buildFile(user, { name: 'empty too.txt' }, '')
    await buildFile(await buildUser(server), {}, 'once')
    for (const limit of [1, 3, 100]) {
      const { entries } = await readPages(async cursor => {
        const { files, next_cursor } = await user.call(listLargest, { duplicates: 'true', limit, cursor })
        return { entries: files, next_cursor }
      })
      expect(entries.map(({ name }) => name)).toEqual(['large again.bin', 'large.bin', 'small too.txt', 'small.txt'])
    }
    expect((await user.call(listLargest, { duplicates: 'true', kind: 'document' })).files).toHaveLength(2)
  })

  test('that are there twice stand beside each other on a page, also among others of their size', async () => {
    for (const name of ['one', 'two', 'three']) {
      await buildFile(user, { name: `a ${name}.bin` }, 'a'.repeat(900))
      await buildFile(user, { name: `b ${name}.bin` }, 'b'.repeat(900))
    }
    const { files } = await user.call(listLargest, { duplicates: 'true' })
    expect(files.map(({ name }) => name.slice(0, 1)).join('')).toMatch(/^(aaabbb|bbbaaa)$/)
  })

  test('that are there twice come once each where their paths end a page early', async context => {
    onlyNightly(context)
    let folder = await buildFolder(user, 'f'.repeat(250))
    for (let depth = 1; depth < 95; depth++) folder = await buildFolder(user, 'f'.repeat(250), folder.id)
    const built = Array.from({ length: 200 }, (_, n) => n)
    // The second half has the contents of the first, so that twins lie far from each other.
    for (const n of built)
      await buildFile(user, { name: `${n}.txt`, parent_id: folder.id }, `content ${100 + (n % 100)}`)
    const sizes: number[] = []
    const { entries } = await readPages(async cursor => {
      const { files, next_cursor } = await user.call(listLargest, { duplicates: 'true', limit: 1000, cursor })
      sizes.push(files.length)
      return { entries: files, next_cursor }
    })
    expect(sizes.length).toBeGreaterThan(1)
    expect(entries.map(({ name }) => Number.parseInt(name, 10)).sort((a, b) => a - b)).toEqual(built)
  })

  test('that are there twice do not tell of a file that waits for approval in a folder for uploads', async () => {
    const giver = await buildUser(server)
    const box = await buildFolder(user, 'box')
    await buildShare(user, box, giver, 'upload')
    await buildFile(user, { name: 'mine.txt' }, 'the same words')
    const admin = await buildUser(server, { role: 'admin' })
    await turnSettings(admin, { validation_enabled: true })
    await buildFile(giver, { name: 'waiting.txt', parent_id: box.id }, 'the same words')
    await turnSettings(admin, { validation_enabled: false })
    expect((await user.call(listLargest, { duplicates: 'true' })).files).toEqual([])
  })

  test('are found behind a trashed folder of thousands of larger files', async () => {
    await buildFile(user, { name: 'live.txt' }, '')
    const tree = await plant(server, user, (db, owner) => plantTree(db, owner, 'tree', 6000))
    await user.call(trashFile, { id: tree })
    expect(await pagesOf(50)).toEqual(['live.txt'])
  })
})

describe('the size of a folder', () => {
  test('counts all levels, but nothing that is trashed', async () => {
    const folder = await buildFolder(user, 'folder')
    const inner = await buildFolder(user, 'inner', folder.id)
    await buildFolder(user, 'empty', inner.id)
    await buildFile(user, { parent_id: folder.id }, ofBytes(100))
    await buildFile(user, { parent_id: inner.id }, ofBytes(30))
    const gone = await buildFolder(user, 'gone', folder.id)
    await buildFile(user, { parent_id: gone.id }, ofBytes(7))
    await user.call(trashFile, { id: gone.id })
    const size = { files: 2, folders: 2, bytes: 130, is_exact: true }
    expect(await user.call(getFolderSize, { id: folder.id })).toEqual(size)
    const viewer = await buildUser(server)
    await buildShare(user, folder, viewer, 'view')
    expect(await viewer.call(getFolderSize, { id: folder.id })).toEqual(size)
    expect(await user.call(getFolderSize, { id: inner.id })).toEqual({
      files: 1,
      folders: 1,
      bytes: 30,
      is_exact: true,
    })
  })

  test('counts a folder of thousands exactly', async () => {
    const tree = await plant(server, user, (db, owner) => plantTree(db, owner, 'tree', 3000))
    const { total_files, total_folders, by_kind } = await user.call(getFileStats, {})
    const bytes = by_kind.reduce((sum, kind) => sum + kind.bytes, 0)
    const size = { files: total_files, folders: total_folders - 1, bytes, is_exact: true }
    expect(await user.call(getFolderSize, { id: tree })).toEqual(size)
  })

  test('leaves out what waits for approval and is another’s, and in a drop box all but the own files', async () => {
    const [admin, viewer, dropper] = [
      await buildUser(server, { role: 'admin' }),
      await buildUser(server),
      await buildUser(server),
    ]
    const folder = await buildFolder(user, 'folder')
    await buildFile(user, { parent_id: folder.id }, ofBytes(100))
    await turnSettings(admin, { validation_enabled: true })
    await buildFile(user, { parent_id: folder.id }, ofBytes(20))
    await turnSettings(admin, { validation_enabled: false })
    await buildShare(user, folder, viewer, 'view')
    await buildShare(user, folder, dropper, 'upload')
    await buildFile(dropper, { parent_id: folder.id }, ofBytes(3))
    const sizeFor = async (reader: BuiltUser) => {
      const { files, bytes } = await reader.call(getFolderSize, { id: folder.id })
      return [files, bytes]
    }
    expect(await sizeFor(user)).toEqual([3, 123])
    expect(await sizeFor(viewer)).toEqual([2, 103])
    expect(await sizeFor(dropper)).toEqual([1, 3])
  })
})
