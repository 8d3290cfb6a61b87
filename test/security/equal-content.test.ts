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
    server.deps.db.rows<{ key: string }>(
      'SELECT `key` FROM file_thumbnails WHERE file_id IN ($1, $2) ORDER BY file_id',
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

  test('is drawn for each file separately, and stays when somebody looks at an equal one', async () => {
    const folder = await buildFolder(one)
    const third = await buildUser(server)
    for (const sender of [other, third]) await buildShare(one, folder, sender, 'upload')
    const own = await look(one, ids[0])
    const drawn: (string | null)[] = [own]
    for (const [index, sender] of [other, third].entries()) {
      const { id } = await buildFile(sender, { name: `${index}.png`, parent_id: folder.id }, image)
      const first = await look(sender, id)
      expect(drawn).not.toContain(first)
      drawn.push(first)
      expect(await look(one, id)).toBe(first)
      expect(await look(one, ids[0])).toBe(own)
      expect(await look(sender, id)).toBe(first)
    }
  })

  test('is deleted with its file, and the other user’s stays', async () => {
    await look(one, ids[0])
    await look(other, ids[1])
    const [own, others] = (await thumbnails()).map(({ key }) => key)
    await one.call(trashFile, { id: ids[0] })
    await one.call(deleteFile, { id: ids[0] })
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
