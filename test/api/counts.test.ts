/** The counts that the database keeps equal a fresh count after every change to items. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyFile, favoriteFile, moveFile, renameFile } from '../../src/api/files.ts'
import { deleteFile, restoreFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser } from '../../src/api/users.ts'
import { signIn } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const expectTrueCounts = async (after: string): Promise<void> =>
  expect({ after, wrong: await findMiscounts(server.deps.db) }).toEqual({ after, wrong: [] })

test('statistics and totals stay true after every kind of change', async () => {
  const [user, other] = [await buildUser(server), await buildUser(server)]
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const folder = await buildFolder(user, 'folder')
  const inner = await buildFolder(user, 'inner', folder.id)
  const file = await buildFile(user, { name: 'a.png', parent_id: inner.id }, 'content')
  const alone = await buildFile(user, { name: 'b.txt' }, 'other content')
  const acts: Record<string, () => Promise<unknown>> = {
    uploads: async () => undefined,
    'a replacement': () => buildFile(user, { name: 'b.txt', on_conflict: 'replace' }, 'longer content than before'),
    'a rename to another type': () => user.call(renameFile, { id: alone.id, name: 'b.pdf' }),
    'a move': () => user.call(moveFile, { id: alone.id, parent_id: folder.id }),
    'a favourite': () => user.call(favoriteFile, { id: file.id, is_favorite: true }),
    "a folder's copy": () => user.call(copyFile, { id: folder.id, parent_id: null, name: 'copy' }),
    "a file's copy": () => user.call(copyFile, { id: file.id, parent_id: null }),
    trashing: () => user.call(trashFile, { id: alone.id }),
    "trashing a file's folder": () => user.call(trashFile, { id: folder.id }),
    'restoring to the root': () => user.call(restoreFile, { id: alone.id }),
    'restoring a folder': () => user.call(restoreFile, { id: folder.id }),
    'trashing in a folder': () => user.call(trashFile, { id: inner.id }),
    deleting: () => user.call(deleteFile, { id: inner.id }),
    'a handover': () => admin.call(deleteUser, { id: user.id, files: 'transfer', to: other.id }),
    'the end of a user': () => admin.call(deleteUser, { id: other.id, files: 'delete' }),
  }
  for (const [name, act] of Object.entries(acts)) {
    await act()
    await expectTrueCounts(name)
  }
})
