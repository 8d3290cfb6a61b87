/** Equal content of two users is stored once, and no request reveals to one user that the other has it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteFile, emptyTrash, trashFile } from '../../src/api/trash.ts'
import { deleteUser } from '../../src/api/users.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { drawImage } from '../support/images.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { flipByte, pathOfKey } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
let admin: BuiltUser
let one: BuiltUser
let other: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())
beforeEach(async () => {
  one = await buildUser(server)
  other = await buildUser(server)
})

const keys = async (): Promise<string[]> => (await readHoldings(server)).keys

describe('a thumbnail', () => {
  let image: Buffer
  let ids: [number, number]
  beforeEach(async () => {
    const colour = { r: Math.floor(Math.random() * 255), g: Math.floor(Math.random() * 255), b: 7 }
    image = await drawImage(60, 40, colour).as('png')
    const files = [await buildFile(one, { name: 'a.png' }, image), await buildFile(other, { name: 'b.png' }, image)]
    ids = files.map(({ id }) => id) as [number, number]
  })
  const look = async (client: BuiltUser, id: number): Promise<string | null> => {
    const response = await client.raw(`/api/files/${id}/thumbnail`)
    expect(response.status).toBe(200)
    return response.headers.get('etag')
  }
  const thumbnails = () =>
    server.deps.db.rows<{ key: string; space_id: number }>(
      'SELECT t.`key`, t.space_id FROM space_thumbnails t JOIN files f ON f.blob_id = t.blob_id AND f.space_id = t.space_id WHERE f.id IN ($1, $2)',
      ids,
    )

  test('is drawn for each user separately, even when another user has the same image', async () => {
    const before = await keys()
    const first = await look(one, ids[0])
    expect((await keys()).length).toBe(before.length + 1)
    expect(await look(other, ids[1])).not.toBe(first)
    expect((await keys()).length).toBe(before.length + 2)
    expect(await thumbnails()).toHaveLength(2)
    expect(await look(one, ids[0])).toBe(first)
  })

  describe('of an image that the owner of a shared folder has elsewhere, too', () => {
    let folder: { id: number }
    let sent: { id: number }
    beforeEach(async () => {
      folder = await buildFolder(one)
      await buildShare(one, folder, other, 'edit')
      await look(one, ids[0])
      sent = await buildFile(other, { name: 'c.png', parent_id: folder.id }, image)
    })

    test('is drawn for the editor who sends the image, and for the owner no second time', async () => {
      const own = await look(one, sent.id)
      expect(await look(one, ids[0])).toBe(own)
      const drawn = await look(other, sent.id)
      expect(drawn).not.toBe(own)
      expect([await look(other, sent.id), await look(one, sent.id), await look(one, ids[0])]).toEqual([
        drawn,
        drawn,
        drawn,
      ])
      expect((await thumbnails()).map(({ key }) => key)).toHaveLength(1)
      await server.deps.removals.settled()
      expect(await look(one, ids[0])).toBe(drawn)
    })

    test('is drawn once for those who may open both files', async () => {
      const copy = await buildFile(other, { name: 'd.png', parent_id: folder.id }, image)
      const drawn = await look(other, sent.id)
      expect(await look(other, copy.id)).toBe(drawn)
    })

    test('is drawn again for a visitor of a link to the equal file alone', async () => {
      const drawn = await look(one, ids[0])
      const { token } = await buildLink(one, sent)
      const response = await openVisitor(server.url, token).raw(`/files/${sent.id}/thumbnail`)
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).not.toBe(drawn)
    })
  })

  test('is deleted with the last file of its space, and the other user’s stays', async () => {
    await look(one, ids[0])
    await look(other, ids[1])
    const [own, others] = (await thumbnails()).map(({ key }) => key)
    const copy = await buildFile(one, { name: 'c.png' }, image)
    for (const id of [ids[0], copy.id]) {
      expect(await keys()).toContain(own)
      await one.call(trashFile, { id })
      await one.call(deleteFile, { id })
    }
    await expect.poll(keys).not.toContain(own)
    expect(await keys()).toContain(others)
    expect(await thumbnails()).toHaveLength(1)
  })

  test('is transferred with the files of its user', async () => {
    const etag = await look(one, ids[0])
    const receiver = await buildUser(server)
    await admin.call(deleteUser, { id: one.id, files: 'transfer', to: receiver.id })
    expect(await look(receiver, ids[0])).toBe(etag)
  })
})

describe('content that another user has', () => {
  const download = async (client: BuiltUser, id: number): Promise<Buffer> =>
    Buffer.from(await (await client.raw(`/api/files/${id}/download`)).arrayBuffer())

  test.each<[who: string, sender: () => BuiltUser, send: (content: Buffer) => Promise<{ id: number }>]>([
    ['another user', () => other, content => buildFile(other, {}, content)],
    [
      'the editor of a shared folder',
      () => other,
      async content => {
        const folder = await buildFolder(one)
        await buildShare(one, folder, other, 'edit')
        return buildFile(other, { parent_id: folder.id }, content)
      },
    ],
    ['its own user', () => one, content => buildFile(one, {}, content)],
  ])('is replaced without being read by the equal bytes of %s, and is stored once', async (_who, sender, send) => {
    const content = largeContent()
    const before = await keys()
    const isNew = (key: string) => !before.includes(key)
    const first = await buildFile(one, {}, content)
    const held = (await keys()).filter(isNew)
    const second = await send(content)
    await server.deps.removals.settled()
    const kept = (await keys()).filter(isNew)
    expect([held.length, kept.length]).toEqual([1, 1])
    expect(kept).not.toEqual(held)
    for (const [client, { id }] of [[one, first] as const, [sender(), second] as const]) {
      expect((await download(client, id)).equals(content)).toBe(true)
    }
  })

  test('is restored after damage on the disk when another user uploads it', async () => {
    const content = largeContent()
    const before = await keys()
    const first = await buildFile(one, {}, content)
    const [key = ''] = (await keys()).filter(candidate => !before.includes(candidate))
    await flipByte(pathOfKey(server, key), 500)
    const second = await buildFile(other, {}, content)
    await expect.poll(async () => (await download(other, second.id)).equals(content)).toBe(true)
    expect((await download(one, first.id)).equals(content)).toBe(true)
  })

  test.each<[how: string, run: (id: number) => Promise<unknown>]>([
    ['by itself', id => one.call(deleteFile, { id })],
    ['with all of the trash', () => one.call(emptyTrash, { older_than_days: 0 })],
    ['with its user', () => admin.call(deleteUser, { id: one.id, files: 'delete' })],
  ])('is permanently deleted %s as fast as content that no other user has', async (_how, run) => {
    const { id } = await buildFile(one, {}, largeContent())
    await one.call(trashFile, { id })
    const before = await keys()
    const { store } = server.deps
    const { remove } = store
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    store.remove = async key => {
      await held
      return remove.call(store, key)
    }
    // If the answer waited for the bytes to be deleted, it would never arrive.
    await run(id).finally(() => {
      store.remove = remove
    })
    release()
    await expect.poll(async () => (await keys()).length).toBe(before.length - 1)
  })

  test('can be read while other users upload it again', async () => {
    const content = largeContent()
    const first = await buildFile(one, {}, content)
    const uploads = Promise.all(Array.from({ length: 12 }, async () => buildFile(await buildUser(server), {}, content)))
    const answers = await Promise.all(
      Array.from({ length: 40 }, async () => (await download(one, first.id)).equals(content)),
    )
    await uploads
    expect(answers).toEqual(answers.map(() => true))
  })
})
