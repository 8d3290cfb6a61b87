/** Requests that wait for their turn, and whose item leaves their user's reach meanwhile, send nothing of it. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { moveFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { maxOpenFiles, maxStreams } from '../../src/api/limits.ts'
import { deleteShare } from '../../src/api/shares.ts'
import { trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { drawImage, svg } from '../support/images.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { askWhile, hold } from './waiting.ts'

let server: TestServer
let owner: BuiltUser
let reader: BuiltUser
let folder: FileDetails
let inner: FileDetails
let file: FileDetails
let shareId: number
/** The reader's own, with which they keep their places. */
let large: FileDetails
let own: FileDetails

beforeAll(async () => {
  server = await startServer()
  reader = await buildUser(server)
  own = await buildFolder(reader)
  large = await buildFile(reader, { parent_id: own.id }, randomBytes(20 * 1024 ** 2))
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await buildUser(server)
  folder = await buildFolder(owner)
  inner = await buildFolder(owner, 'inner', folder.id)
  file = await buildFile(owner, { parent_id: inner.id, name: 'image.png' }, randomBytes(100_000))
  shareId = (await buildShare(owner, folder, reader, 'view')).id
})

const acts: [string, () => Promise<unknown>][] = [
  ['the share ends', () => owner.call(deleteShare, { id: shareId })],
  ['the folder is moved out of it', () => owner.call(moveFile, { id: inner.id, parent_id: null })],
  ['the folder is trashed', () => owner.call(trashFile, { id: inner.id })],
]
const gone = { status: 404, error: 'not_found' }

describe.each(acts)('once %s', (_what, act) => {
  test('a download and a preview that wait send nothing', async () => {
    const held = await hold(server, maxOpenFiles, `/api/files/${large.id}/download`, reader)
    const paths = [`/api/files/${file.id}/download`, `/api/files/${file.id}/preview`]
    expect(await askWhile(held, paths, reader, act)).toEqual([gone, gone])
  })

  test('a ZIP file of a folder or of chosen items that waits sends nothing', async () => {
    const held = await hold(server, maxStreams, `/api/files/${own.id}/archive`, reader)
    const chosen = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ids: [file.id, own.id] }),
    }
    const requests: Parameters<typeof askWhile>[1] = [`/api/files/${inner.id}/archive`, ['/api/files/archive', chosen]]
    expect(await askWhile(held, requests, reader, act)).toEqual([gone, gone])
  })

  test('a thumbnail that waits is neither drawn nor sent', async () => {
    const noise = `<filter id="f"><feTurbulence baseFrequency="0.05" numOctaves="15" seed="1"/></filter>
      <rect width="1000" height="1000" filter="url(#f)"/>`
    const costly = await buildFile(reader, { name: 'costly.svg' }, svg(noise, 1000, 1000))
    const small = await buildFile(owner, { parent_id: inner.id, name: 'b.png' }, await drawImage(5, 7).as('png'))
    const first = reader.raw(`/api/files/${costly.id}/thumbnail`)
    const underWay = async () =>
      /^filestore_thumbnails_under_way (\d+)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]
    await expect.poll(underWay).toBe('1')
    expect(await askWhile([], [`/api/files/${small.id}/thumbnail`], reader, act)).toEqual([gone])
    expect((await first).status).toBe(200)
    const query = 'SELECT t.id FROM file_thumbnails t JOIN files f ON f.id = t.file_id WHERE f.id = $1'
    expect(await server.deps.db.row(query, [small.id])).toBeUndefined()
  })
})
