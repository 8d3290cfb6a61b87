/** Pages far behind the beginning of a list that is most of the table: each costs what the first one does. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { listChanges } from '../../src/api/changes.ts'
import { listFiles, type SortKey, type SortOrder } from '../../src/api/files.ts'
import { listTrash } from '../../src/api/trash.ts'
import type { Bind } from '../../src/db/connections.ts'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { plantFiles } from '../support/planted.ts'
import { explain } from '../support/query-plans.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

beforeEach(context => onlyOneServer('process', context))

let server: TestServer
let user: BuiltUser
let folder: { id: number }
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  folder = await buildFolder(user, 'most')
  await plantFiles(server, user, folder.id, 2000)
})
afterAll(() => server.close())

/** That the statement begins in an index at its position, and sorts no more than rows which are alike. */
async function expectRange(sql: string, bind: readonly Bind[] | undefined, index: string): Promise<void> {
  const [plan] = await explain(server, sql, bind)
  if (server.deps.db.dialect === 'mariadb') {
    expect(plan).toMatchObject({ type: 'range', key: index })
    expect(plan).not.toMatchObject({ Extra: expect.stringContaining('filesort') })
  } else expect(JSON.stringify(plan)).toMatch(new RegExp(`USING INDEX ${index} \\(.*[<>]`))
}

/** Runs a call that reads one page, and returns the statement of its rows. */
async function pageOf(call: () => Promise<unknown>): Promise<[sql: string, bind: readonly Bind[] | undefined]> {
  const read = vi.spyOn(server.deps.db, 'page')
  await call()
  const [, rest, bind] = read.mock.calls.at(0) ?? []
  read.mockRestore()
  return [`SELECT f.id, f.name ${rest}`, bind]
}

const indexes: Record<SortKey, string> = {
  name: 'files_by_name',
  date: 'files_by_date',
  size: 'files_by_size',
  type: 'files_by_type',
}

describe.each(Object.keys(indexes) as SortKey[])('a folder by %s', sort => {
  test.each(['asc', 'desc'] as SortOrder[])(
    'in the order %s is read from the position of the cursor on',
    async order => {
      const input = { parent_id: folder.id, sort, order, limit: 300 }
      const { next_cursor } = await user.call(listFiles, input)
      const [sql, bind] = await pageOf(() => user.call(listFiles, { ...input, cursor: next_cursor ?? expect.fail() }))
      await expectRange(sql, bind, indexes[sort])
    },
  )
})

test('the trash is read from the position of the cursor on, without sorting all of it', async () => {
  const { db } = server.deps
  const trash =
    'UPDATE files SET deleted_at = 1750000000000 + id % 100, trash_root_id = id WHERE parent_id = $1 AND id % 2 = 0'
  await db.touch(() => db.change(trash, [folder.id]))
  const { next_cursor, files } = await user.call(listTrash, { limit: 300 })
  expect(files.map(({ deleted_at }) => deleted_at)).toEqual(
    files
      .map(({ deleted_at }) => deleted_at)
      .sort()
      .reverse(),
  )
  const cursor = next_cursor ?? expect.fail()
  const [sql, bind] = await pageOf(() => user.call(listTrash, { limit: 300, cursor }))
  await expectRange(sql, bind, 'files_recent')
})

test('the feed of changes is read from its position on', async () => {
  const { db } = server.deps
  const { cursor } = await user.call(listChanges, {})
  await buildFolder(user, 'new')
  const read = vi.spyOn(db, 'rows')
  expect((await user.call(listChanges, { since: cursor })).changes).toHaveLength(1)
  const [sql, bind] = read.mock.calls.find(([text]) => text.includes('FROM events')) ?? expect.fail()
  read.mockRestore()
  await expectRange(sql, bind, 'events_revision')
})
