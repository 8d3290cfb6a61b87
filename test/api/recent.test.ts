/** The files that changed last: their order, their pages, whose they are, and what a page costs. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { renameFile } from '../../src/api/files.ts'
import { listRecent } from '../../src/api/search.ts'
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
import { onlyOneServer } from '../support/only-on.ts'
import { readPages } from '../support/pages.ts'
import { plant } from '../support/planting.ts'
import { explain } from '../support/query-plans.ts'
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

const pagesOf = (reader: BuiltUser, limit: number) =>
  readPages(async cursor => {
    const { files, next_cursor } = await reader.call(listRecent, { limit, cursor })
    return { entries: files, next_cursor }
  })

describe('the recent files', () => {
  test('are the live files of all folders, the last changed first, in pages of any size', async () => {
    const folder = await buildFolder(user, 'folder')
    const files = []
    for (let index = 0; index < 7; index++) {
      files.push(await buildFile(user, { name: `f${index}`, parent_id: index % 2 === 0 ? folder.id : null }))
    }
    await user.call(trashFile, { id: files[3]?.id ?? 0 })
    await user.call(renameFile, { id: files[0]?.id ?? 0, name: 'touched' })
    const names = ['touched', 'f6', 'f5', 'f4', 'f2', 'f1']
    for (const limit of [1, 2, 5, 6, 7]) {
      expect((await pagesOf(user, limit)).entries.map(({ name }) => name)).toEqual(names)
    }
    const { files: all, next_cursor } = await user.call(listRecent, {})
    expect(all[0]).toMatchObject({ path: '/folder/touched', place: null })
    expect(next_cursor).toBeNull()
    expect(await (await buildUser(server)).call(listRecent, {})).toEqual({ files: [], next_cursor: null })
  })

  test('include those of team folders, but no file that waits and is another’s', async () => {
    const [admin, member] = [await buildUser(server, { role: 'admin' }), await buildUser(server)]
    const team = await buildTeam(admin, user)
    await buildShare(user, { id: team.folder_id }, member, 'edit')
    const mine = await buildFile(member, { name: 'mine.txt' })
    const theirs = await buildFile(user, { name: 'theirs.txt', parent_id: team.folder_id })
    await buildFile(user, { name: 'private.txt' })
    await turnSettings(admin, { validation_enabled: true })
    const held = await buildFile(user, { name: 'held.txt', parent_id: team.folder_id })
    await turnSettings(admin, { validation_enabled: false })
    const newest = await buildFile(member, { name: 'newest.txt', parent_id: team.folder_id })
    for (const limit of [1, 2, 100]) {
      const { entries } = await pagesOf(member, limit)
      expect(entries.map(({ id }) => id)).toEqual([newest.id, theirs.id, mine.id])
    }
    const { files } = await user.call(listRecent, {})
    expect(files.slice(0, 2).map(({ id }) => id)).toEqual([newest.id, held.id])
    expect(files[0]?.place).toMatchObject({ kind: 'team', id: team.folder_id })
  })

  test('are found behind a trashed folder of thousands of files, by pages of bounded cost', async context => {
    onlyOneServer('process', context)
    const old = await buildFile(user, { name: 'old' })
    const tree = await plant(server, user, (db, owner) => plantTree(db, owner, 'tree', 12_000))
    await server.deps.db.touch(() =>
      server.deps.db.change('UPDATE files SET updated_at = updated_at - 60000 WHERE id = $1', [old.id]),
    )
    await user.call(trashFile, { id: tree })
    const read = vi.spyOn(server.deps.db, 'page')
    const { entries, sizes } = await pagesOf(user, 10)
    const queries = read.mock.calls.filter(([, rest]) => rest.includes('f.updated_at'))
    read.mockRestore()
    expect(entries.map(({ id }) => id)).toEqual([old.id])
    expect(sizes).toEqual([0, 0, 1])
    const { dialect } = server.deps.db
    const [range, sort] = {
      sqlite: [/files_recent \(space_id=\? AND deleted_at=\? AND is_directory=\?/, /TEMP B-TREE/],
      mariadb: [/"key":"files_recent"/, /filesort/],
    }[dialect]
    for (const [, rest, bind] of queries) {
      const plan = JSON.stringify(await explain(server, `SELECT f.id, f.name ${rest}`, bind))
      expect(plan).toMatch(range as RegExp)
      expect(plan).not.toMatch(sort as RegExp)
    }
  })

  test('have cursors of their own', async () => {
    for (const query of ['cursor=made-up', 'limit=0', 'since=1']) {
      expect((await user.raw(`/api/files/recent?${query}`)).status).toBe(400)
    }
  })
})
