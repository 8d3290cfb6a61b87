/** Tags: each user has their own, with unique names and counts of live files. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTag, deleteTag, listTags, tagFiles, updateTag } from '../../src/api/tags.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildTag, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
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

const json = { 'content-type': 'application/json' }
const send = (method: string, path: string, body?: unknown, client = user) =>
  client.raw(`/api/tags${path}`, { method, headers: json, body: body === undefined ? undefined : JSON.stringify(body) })
const names = async () => (await user.call(listTags, {})).tags.map(({ name }) => name)
const taken = (name: string) => ({
  status: 409,
  error: 'name_taken',
  fields: { name: `'${name}' is already taken` },
})
const refused = (field: string) => ({ status: 400, error: 'invalid_input', fields: { [field]: expect.any(String) } })

describe('a new tag', () => {
  test('is returned with no files, and is listed', async () => {
    const response = await send('POST', '', { name: '  Work ', color: '#3b82f6' })
    expect(response.status).toBe(201)
    const { message, data } = await response.json()
    expect(message).toBe('Tag created')
    expect(data.tag).toEqual({ id: expect.any(Number), name: 'Work', color: '#3B82F6', file_count: 0 })
    expect((await user.call(listTags, {})).tags).toEqual([data.tag])
  })

  test('is 409 when the user has a tag of that name', async () => {
    await buildTag(user, 'Work')
    expect(await failure(await send('POST', '', { name: ' Work ', color: '#000000' }))).toEqual(taken('Work'))
    expect(await names()).toEqual(['Work'])
  })

  test('may have the name of another user’s tag', async () => {
    const stranger = await buildUser(server)
    const [one, two] = [await buildTag(user, 'Shared'), await buildTag(stranger, 'Shared')]
    expect(one.id).not.toBe(two.id)
    expect(await names()).toEqual(['Shared'])
  })

  test('has the same name as a tag with the other Unicode form of it', async () => {
    await buildTag(user, 'Café'.normalize('NFD'))
    expect(await names()).toEqual(['Café'.normalize('NFC')])
    const again = await send('POST', '', { name: 'Café'.normalize('NFC'), color: '#000000' })
    expect(await failure(again)).toEqual(taken('Café'))
  })

  test('is created once by 20 concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('POST', '', { name: 'race', color: '#000000' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    const losers = answers.filter(({ status }) => status === 409)
    for (const answer of losers) expect(await failure(answer)).toEqual(taken('race'))
    expect(await names()).toEqual(['race'])
  })

  test.each([
    [`"'; DROP TABLE tags; --`],
    ['<script>alert(1)</script>'],
    ['back\\slash/slash%_'],
    ['$1 $2 :name ?'],
    ['👩‍👩‍👧‍👦 family'],
    ['مهم جدا'],
    ['\u202Egnp.exe'],
    ['null'],
    ['__proto__'],
    ['😀'.repeat(50)],
    ['é'.repeat(50)],
  ])('keeps its name unchanged: %s', async name => {
    const tag = await buildTag(user, name)
    expect(tag.name).toBe(name)
    expect(await names()).toEqual([name])
    const file = await buildFile(user)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    const { data } = await (await user.raw(`/api/files/${file.id}`)).json()
    expect(data.file.tags).toEqual([{ id: tag.id, name, color: tag.color }])
  })

  test.each<[unknown, string]>([
    ['', 'blank'],
    ['   \t ', 'white space'],
    ['x'.repeat(51), '51 letters'],
    ['😀'.repeat(51), '51 emoji'],
    ['a\u0000b', 'NUL'],
    ['a\nb', 'a line break'],
    ['\ud800', 'half of a surrogate pair'],
    [7, 'a number'],
    [['a'], 'a list'],
    [null, 'null'],
  ])('is refused with an invalid name: %j (%s)', async name => {
    expect(await failure(await send('POST', '', { name, color: '#000000' }))).toEqual(refused('name'))
    expect(await names()).toEqual([])
  })

  test.each(['red', '#fff', '#12345', '#1234567', '3B82F6', '#GGGGGG', '#3B82F6;', '', null, 0x3b82f6])(
    'is refused with an invalid color: %j',
    async color => {
      expect(await failure(await send('POST', '', { name: 'a', color }))).toEqual(refused('color'))
    },
  )
})

describe('the list of tags', () => {
  test('is sorted by name, with numbers by value', async () => {
    for (const name of ['tag 10', 'Zoo', 'tag 9', 'élan', 'apple']) await buildTag(user, name)
    expect(await names()).toEqual(['apple', 'élan', 'tag 9', 'tag 10', 'Zoo'])
  })

  test('counts the live files of each tag', async () => {
    const [used, unused] = [await buildTag(user, 'used'), await buildTag(user, 'unused')]
    const files = [await buildFile(user), await buildFile(user), await buildFile(user)]
    await user.call(tagFiles, { tag_id: used.id, file_ids: files.map(({ id }) => id) })
    const counts = async () => (await user.call(listTags, {})).tags.map(({ id, file_count }) => [id, file_count])
    expect(await counts()).toEqual([
      [unused.id, 0],
      [used.id, 3],
    ])
    const id = files[0]?.id ?? 0
    await user.call(trashFile, { id })
    expect(await counts()).toContainEqual([used.id, 2])
    await user.call(restoreFile, { id })
    expect(await counts()).toContainEqual([used.id, 3])
  })
})

describe('changing a tag', () => {
  test('changes the given fields and no others', async () => {
    const tag = await buildTag(user, 'before', '#111111')
    const file = await buildFile(user)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    expect((await user.call(updateTag, { id: tag.id, name: 'after' })).tag).toEqual({
      id: tag.id,
      name: 'after',
      color: '#111111',
      file_count: 1,
    })
    expect((await user.call(updateTag, { id: tag.id, color: '#abcdef' })).tag).toMatchObject({
      name: 'after',
      color: '#ABCDEF',
    })
    expect((await user.call(updateTag, { id: tag.id })).tag).toMatchObject({ name: 'after', color: '#ABCDEF' })
  })

  test('to a taken name is 409 and changes nothing', async () => {
    await buildTag(user, 'one')
    const two = await buildTag(user, 'two', '#222222')
    expect(await failure(await send('PUT', `/${two.id}`, { name: 'one', color: '#333333' }))).toEqual(taken('one'))
    expect((await user.call(listTags, {})).tags).toContainEqual(two)
    expect((await send('PUT', `/${two.id}`, { name: 'two' })).status).toBe(200)
  })

  test('to one name by six concurrent requests succeeds once', async () => {
    const tags = await Promise.all([1, 2, 3, 4, 5, 6].map(() => buildTag(user)))
    const answers = await Promise.all(tags.map(({ id }) => send('PUT', `/${id}`, { name: 'one name' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  })
})

describe('deleting a tag', () => {
  test('removes it from its files and changes nothing else', async () => {
    const [tag, kept] = [await buildTag(user), await buildTag(user)]
    const file = await buildFile(user)
    const read = async () => (await (await user.raw(`/api/files/${file.id}`)).json()).data.file
    for (const { id } of [tag, kept]) await user.call(tagFiles, { tag_id: id, file_ids: [file.id] })
    const before = await read()
    expect(await user.call(deleteTag, { id: tag.id })).toBeNull()
    expect(await read()).toEqual({ ...before, tags: [{ id: kept.id, name: kept.name, color: kept.color }] })
    expect(await failure(await send('DELETE', `/${tag.id}`))).toEqual({ status: 404, error: 'not_found' })
  })

  test('on thousands of files removes it from each, and leaves other tags on them', async () => {
    const { db } = server.deps
    const [tag, kept] = [await buildTag(user), await buildTag(user)]
    const folder = await buildFolder(user)
    await plantFiles(server, user, folder.id, 4500)
    await db.touch(async () => {
      for (const { id } of [tag, kept]) {
        await db.change(
          `INSERT INTO file_tags (tag_id, file_id)
           SELECT $1, id FROM files WHERE parent_id = $2 AND is_directory = 0`,
          [id, folder.id],
        )
      }
    })
    await user.call(deleteTag, { id: tag.id })
    expect(await db.rows('SELECT file_id FROM file_tags WHERE tag_id = $1', [tag.id])).toEqual([])
    expect((await user.call(listTags, {})).tags).toEqual([{ ...kept, file_count: 4050 }])
  })

  test('on thousands of files records its event before the first removal, and each slice invalidates listings', async () => {
    const { db } = server.deps
    const tag = await buildTag(user)
    const folder = await buildFolder(user)
    await plantFiles(server, user, folder.id, 7000)
    await db.touch(() =>
      db.change('INSERT INTO file_tags (tag_id, file_id) SELECT $1, id FROM files WHERE parent_id = $2 AND size > 0', [
        tag.id,
        folder.id,
      ]),
    )
    const readState = () =>
      db.row<{ links: number; events: number; revision: number }>(
        `SELECT (SELECT COUNT(*) FROM file_tags WHERE tag_id = $1) AS links, s.revision,
           (SELECT COUNT(*) FROM events WHERE action = 'tag.delete' AND item_id = $1) AS events
         FROM spaces s WHERE s.owner_id = $2`,
        [tag.id, user.id],
      )
    let [last, isDone] = [await readState(), false]
    const deleting = user.call(deleteTag, { id: tag.id }).finally(() => {
      isDone = true
    })
    let steps = 0
    while (!isDone) {
      const state = await readState()
      if (state?.links !== last?.links) {
        steps += 1
        expect(state).toMatchObject({ events: 1 })
        expect(state?.revision).toBeGreaterThan(last?.revision ?? 0)
      }
      last = state
    }
    await deleting
    expect(steps).toBeGreaterThan(0)
  })

  test('frees its name, and a new tag of that name is on no file', async () => {
    const tag = await buildTag(user, 'again')
    const file = await buildFile(user)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    await user.call(deleteTag, { id: tag.id })
    expect((await buildTag(user, 'again')).file_count).toBe(0)
  })
})

describe('another user', () => {
  test('cannot see, change, use or delete a tag, not even as an administrator', async () => {
    const tag = await buildTag(user, 'private')
    for (const other of [await buildUser(server), await buildUser(server, { role: 'admin' })]) {
      const file = await buildFile(other)
      const calls = [
        send('PUT', `/${tag.id}`, { name: 'stolen' }, other),
        send('DELETE', `/${tag.id}`, undefined, other),
        send('POST', '/tag-files', { tag_id: tag.id, file_ids: [file.id] }, other),
        send('POST', '/untag-files', { tag_id: tag.id, file_ids: [file.id] }, other),
      ]
      for (const answer of await Promise.all(calls)) {
        expect(await failure(answer)).toEqual({ status: 404, error: 'not_found' })
      }
      expect((await other.call(listTags, {})).tags).toEqual([])
    }
    expect((await user.call(listTags, {})).tags).toEqual([tag])
  })
})

describe('an API key', () => {
  test('with tags:read can only list tags, and with tags:write can only change them', async () => {
    const tag = await buildTag(user)
    const [reader, writer] = [await buildKey(server, user, ['tags:read']), await buildKey(server, user, ['tags:write'])]
    expect((await reader.call(listTags, {})).tags).toEqual([tag])
    expect((await reader.raw(`/api/tags/${tag.id}`, { method: 'DELETE' })).status).toBe(403)
    expect((await writer.raw('/api/tags')).status).toBe(403)
    expect((await writer.call(createTag, { name: 'by key', color: '#000000' })).tag.name).toBe('by key')
  })
})
