/**
 * Archives that are disturbed while they are sent: by a damaged disk, a client that disconnects, or changes to the
 * files.
 */
import { randomBytes } from 'node:crypto'
import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moveFile } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { listArchive, saveArchive } from '../support/archives.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { countOpenBlobs, readHoldings } from '../support/holdings.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const ofFolder = (id: number) => user.raw(`/api/files/${id}/archive`)
const namesOf = async (response: Response) => (await listArchive(await saveArchive(response))).map(({ name }) => name)

describe('an archive during a disturbance', () => {
  /** Whether the answer arrives completely. */
  const arrives = (response: Response) =>
    response.arrayBuffer().then(
      () => true,
      () => false,
    )

  /** A folder with a large file first, so that the answer has begun, and a second file that the test may damage. */
  const buildHarmed = async () => {
    const folder = await buildFolder(user)
    await buildFile(user, { name: 'a', parent_id: folder.id }, randomBytes(2 * 1024 ** 2))
    const before = await readHoldings(server)
    await buildFile(user, { name: 'b', parent_id: folder.id }, randomBytes(300_000))
    const key = (await readHoldings(server)).keys.find(candidate => !before.keys.includes(candidate)) ?? ''
    return { folder, path: join(server.dataDir, 'storage', 'blobs', key.slice(0, 2), key) }
  }

  test('breaks off instead of ending like a complete one', async () => {
    for (const harm of [(path: string) => rm(path), (path: string) => truncate(path, 100_000)]) {
      const { folder, path } = await buildHarmed()
      await harm(path)
      expect(await arrives(await ofFolder(folder.id))).toBe(false)
    }
    const { folder } = await buildHarmed()
    expect(await arrives(await ofFolder(folder.id))).toBe(true)
  })

  test('closes its files and stops reading when the client disconnects', async context => {
    onlyOneServer('process', context)
    const folder = await buildFolder(user)
    for (const name of ['a', 'b', 'c']) {
      await buildFile(user, { name, parent_id: folder.id }, randomBytes(10 * 1024 ** 2))
    }
    const head = requestHead(server.url, 'GET', `/api/files/${folder.id}/archive`, user.headers)
    for (let round = 0; round < 10; round++) {
      const socket = await openSocket(server.url)
      // Every second client has asked for the next archive already.
      socket.write(head.repeat(1 + (round % 2)))
      await new Promise(resolve => socket.once('data', resolve))
      if (round === 0) expect(countOpenBlobs(server)).toBe(1)
      socket.destroy()
    }
    await expect.poll(() => countOpenBlobs(server)).toBe(0)
  })

  test('is complete even while its files get new content', async context => {
    onlyNightly(context)
    const folder = await buildFolder(user)
    const names = Array.from({ length: 20 }, (_, index) => `changing ${index}`)
    const replace = async (name: string) => {
      await buildFile(user, { name, parent_id: folder.id, on_conflict: 'replace' }, randomBytes(40_000))
    }
    for (const name of names) await replace(name)
    const change = async () => {
      for (let round = 0; round < 5; round++) for (const name of names) await replace(name)
    }
    const read = async () => {
      for (let round = 0; round < 10; round++) expect((await namesOf(await ofFolder(folder.id))).length).toBe(20)
    }
    await Promise.all([change(), read()])
  })

  test('breaks off when a folder in it goes to the trash, but is complete when that folder is only moved', async () => {
    for (const [act, isWhole] of [
      [(id: number) => user.call(trashFile, { id }), false],
      [(id: number) => user.call(moveFile, { id, parent_id: null }), true],
    ] as const) {
      const folder = await buildFolder(user)
      const inner = await buildFolder(user, `inner ${isWhole}`, folder.id)
      await buildFile(user, { name: 'a', parent_id: inner.id }, randomBytes(20 * 1024 ** 2))
      await buildFile(user, { name: 'b', parent_id: inner.id })
      const response = await ofFolder(folder.id)
      await act(inner.id)
      expect(await arrives(response)).toBe(isWhole)
    }
  })
})
