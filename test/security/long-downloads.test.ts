/** A download whose reader loses the right ends at the next 64 MB; another is read to its end. */
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { copyFile, moveFile, renameFile } from '../../src/api/files.ts'
import { deleteShare } from '../../src/api/shares.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser, disableUser } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { requestHead, sendUnread } from '../support/wire.ts'

const megabyte = 1024 ** 2
const size = 100 * megabyte
/** Bytes between two checks, and what connections hold beyond them. */
const mostAfterwards = 80 * megabyte
/** `sendUnread` takes the first bytes itself. */
const whole = size - megabyte

let server: TestServer
let owner: BuiltUser
/** The file of which each test takes a copy. */
let film: number
beforeAll(async () => {
  server = await startServer({ maxFileSize: '200MB' })
  owner = await buildUser(server)
  const originals = await buildFolder(owner)
  const form = { parent_id: originals.id, name: 'film.mp4' }
  film = (await buildFile(owner, form, Buffer.alloc(size, 'a long film '))).id
})
afterAll(() => server.close())

/** Reads an answer to its end, or to the end of its connection; returns its bytes. */
async function readRest(socket: Socket): Promise<number> {
  let bytes = 0
  for await (const piece of socket) {
    bytes += (piece as Buffer).length
    if (bytes >= whole) break
  }
  return bytes
}

/** A file in a shared folder, whose download by the recipient has begun. */
async function begin() {
  const [reader, folder] = [await buildUser(server), await buildFolder(owner)]
  const { file } = await owner.call(copyFile, { id: film, parent_id: folder.id })
  const share = await buildShare(owner, folder, reader, 'view')
  const head = requestHead(server.url, 'GET', `/api/files/${file.id}/download`, reader.headers)
  return { reader, file, share, socket: await sendUnread(server.url, head) }
}

type Begun = Awaited<ReturnType<typeof begin>>

test.each<[string, (begun: Begun) => Promise<unknown>]>([
  ['the share ends', ({ share }) => owner.call(deleteShare, { id: share.id })],
  ['the file leaves the shared folder', ({ file }) => owner.call(moveFile, { id: file.id, parent_id: null })],
  ['the file is trashed, which its reader may not restore', ({ file }) => owner.call(trashFile, { id: file.id })],
  [
    'the file is deleted for good',
    async ({ file }) => {
      await owner.call(trashFile, { id: file.id })
      await owner.call(deleteFile, { id: file.id })
    },
  ],
  ['the reader is disabled', ({ reader }) => disableUser(server, reader.id)],
])('a download ends when %s, which the log calls no failure of the store', async (_what, end) => {
  const told = vi.spyOn(server.deps.log, 'error')
  onTestFinished(() => told.mockRestore())
  const begun = await begin()
  await end(begun)
  expect(await readRest(begun.socket)).toBeLessThan(mostAfterwards)
  expect(told).not.toHaveBeenCalled()
})

test('a download goes on when its file is renamed, and in the reader’s own tree when it is deleted for good', async context => {
  onlyNightly(context)
  const renamed = await begin()
  await owner.call(renameFile, { id: renamed.file.id, name: 'renamed.mp4' })
  expect(await readRest(renamed.socket)).toBeGreaterThanOrEqual(whole)
  const { id } = (await owner.call(copyFile, { id: film, parent_id: null })).file
  const own = await sendUnread(server.url, requestHead(server.url, 'GET', `/api/files/${id}/download`, owner.headers))
  await owner.call(trashFile, { id })
  await owner.call(deleteFile, { id })
  expect(await readRest(own)).toBeGreaterThanOrEqual(whole)
})
