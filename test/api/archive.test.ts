/** Archives: a folder or several chosen items as one ZIP file, made while it is sent. */
import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { listArchive, needProgram, openFolder, saveArchive } from '../support/archives.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const ofFolder = (id: number, method = 'GET') => user.raw(`/api/files/${id}/archive`, { method })
const ofItems = (ids: unknown) =>
  user.raw('/api/files/archive', { method: 'POST', headers: json, body: JSON.stringify({ ids }) })
const namesOf = async (response: Response) => (await listArchive(await saveArchive(response))).map(({ name }) => name)

/** A small tree of folders and files: texts, a large file, an empty file, an empty folder, names in many scripts. */
async function buildTree() {
  const large = randomBytes(3 * 1024 ** 2)
  const top = await buildFolder(user, 'Übersicht 2024', (await buildFolder(user)).id)
  const photos = await buildFolder(user, '写真', top.id)
  await buildFolder(user, 'empty', top.id)
  await buildFile(user, { name: 'a.txt', parent_id: top.id, modified_at: '2021-05-06T07:08:10Z' }, 'first')
  await buildFile(user, { name: 'nothing', parent_id: top.id }, '')
  await buildFile(user, { name: '👍 œ.bin', parent_id: photos.id }, large)
  return { top, large, names: ['a.txt', 'empty/', 'nothing', '写真/', '写真/👍 œ.bin'] }
}

describe('an archive of a folder', () => {
  test('has the folder’s name and holds everything below it, without the folder itself', async () => {
    const { top, names } = await buildTree()
    const response = await ofFolder(top.id)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="_bersicht 2024.zip"; filename*=UTF-8''%C3%9Cbersicht%202024.zip`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const entries = await listArchive(await saveArchive(response))
    expect(entries.map(({ name }) => name)).toEqual(names)
    const [first] = entries
    expect(first).toMatchObject({ content: 'first', method: 0, time: [2021, 5, 6, 7, 8, 10], mode: 0o100644 })
    expect(entries.every(({ flags }) => (flags & 0x800) !== 0)).toBe(true)
    expect(entries[1]).toMatchObject({ name: 'empty/', size: 0, mode: 0o040755 })
  })

  test.for([
    ['unzip', (file: string, to: string) => ['-q', file, '-d', to]],
    ['bsdtar', (file: string, to: string) => ['-xf', file, '-C', to]],
    ['python3', (file: string, to: string) => ['-m', 'zipfile', '-e', file, to]],
  ] as const)('is unpacked without a changed byte by %s', async ([program, argumentsOf], context) => {
    needProgram(context, program)
    const { top, large } = await buildTree()
    const to = await openFolder()
    await execa(program, argumentsOf(await saveArchive(await ofFolder(top.id)), to))
    expect((await readdir(to)).sort()).toEqual(['a.txt', 'empty', 'nothing', '写真'])
    expect((await readFile(join(to, '写真/👍 œ.bin'))).equals(large)).toBe(true)
    expect((await stat(join(to, 'nothing'))).size).toBe(0)
    expect(await readdir(join(to, 'empty'))).toEqual([])
    // Python's zipfile sets no times.
    const expected = program === 'python3' ? expect.anything() : Date.parse('2021-05-06T07:08:10Z')
    expect((await stat(join(to, 'a.txt'))).mtimeMs).toEqual(expected)
  })

  test('is unpacked by bsdtar from a stream', async context => {
    needProgram(context, 'bsdtar')
    const { top, large } = await buildTree()
    const to = await openFolder()
    const input = Buffer.from(await (await ofFolder(top.id)).arrayBuffer())
    await execa('bsdtar', ['-xf', '-', '-C', to], { input })
    expect((await readFile(join(to, '写真/👍 œ.bin'))).equals(large)).toBe(true)
  })

  test('keeps times before 1980 and after 2038 as well as the format can', async context => {
    needProgram(context, 'unzip')
    const folder = await buildFolder(user)
    for (const [name, modified_at] of [
      ['1970', '1970-01-01T00:00:01Z'],
      ['2100', '2100-01-02T03:04:06Z'],
    ] as const) {
      await buildFile(user, { name, modified_at, parent_id: folder.id })
    }
    const file = await saveArchive(await ofFolder(folder.id))
    expect((await listArchive(file)).map(({ time }) => time)).toEqual([
      [1980, 1, 1, 0, 0, 0],
      [2100, 1, 2, 3, 4, 6],
    ])
    const to = await openFolder()
    await execa('unzip', ['-q', file, '-d', to])
    expect((await stat(join(to, '1970'))).mtimeMs).toBe(1000)
  })

  test('is empty for an empty folder', async () => {
    const folder = await buildFolder(user)
    expect(await namesOf(await ofFolder(folder.id))).toEqual([])
  })

  test('leaves out trashed files and holds more entries than one page', async () => {
    const folder = await buildFolder(user)
    await plantFiles(server, user, folder.id, 600)
    const trashed = await buildFile(user, { name: 'trashed', parent_id: folder.id })
    await user.call(trashFile, { id: trashed.id })
    const names = await namesOf(await ofFolder(folder.id))
    expect(new Set(names).size).toBe(600)
    expect(names).not.toContain('trashed')
  })

  test('holds the owner’s files that wait for approval', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { name: 'held', parent_id: folder.id })
    const { db } = server.deps
    await db.touch(() => db.change("UPDATE files SET validation_status = 'pending' WHERE id = $1", [file.id]))
    expect(await namesOf(await ofFolder(folder.id))).toEqual(['held'])
  })

  test('has the same headers and no bytes when the method is HEAD', async () => {
    const { top } = await buildTree()
    const [get, head] = [await ofFolder(top.id), await ofFolder(top.id, 'HEAD')]
    const about = (response: Response) =>
      [...response.headers].filter(
        ([name]) => !/^(date|set-cookie|x-request-id|connection|keep-alive|transfer-.*)$/.test(name),
      )
    expect(head.status).toBe(200)
    expect(about(head)).toEqual(about(get))
    await get.arrayBuffer()
  })

  test('is 404 for a file, a trashed folder, another user’s folder and an unknown id', async () => {
    const stranger = await buildUser(server, { role: 'admin' })
    const trashed = await buildFolder(user)
    await user.call(trashFile, { id: trashed.id })
    const ids = [(await buildFile(user)).id, trashed.id, (await buildFolder(stranger)).id, 999_999]
    for (const id of ids) expect(await failure(await ofFolder(id))).toEqual({ status: 404, error: 'not_found' })
  })
})

describe('an archive of chosen items', () => {
  test('holds them at the top under their own names, and numbers equal names', async () => {
    const [one, two] = [await buildFolder(user, 'one.d'), await buildFolder(user, 'two')]
    const same = await buildFolder(user, 'one.d', two.id)
    await buildFile(user, { name: 'inside', parent_id: same.id })
    const files = [
      await buildFile(user, { name: 'a.txt', parent_id: one.id }),
      await buildFile(user, { name: 'a.txt', parent_id: two.id }),
      await buildFile(user, { name: 'a.txt', parent_id: same.id }),
    ]
    const ids = [...files.map(({ id }) => id), one.id, same.id]
    const response = await ofItems(ids)
    const today = new Date().toISOString().slice(0, 10)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="filestore-${today}.zip"`)
    expect(await namesOf(response)).toEqual([
      'a.txt',
      'a (1).txt',
      'a (2).txt',
      'one.d/',
      'one.d/a.txt',
      'one.d (1)/',
      'one.d (1)/a.txt',
      'one.d (1)/inside',
    ])
  })

  test('holds an item once that is named twice', async () => {
    const file = await buildFile(user, { name: 'once' })
    expect(await namesOf(await ofItems([file.id, file.id]))).toEqual(['once'])
  })

  test('may be requested by an HTML form', async () => {
    const files = [await buildFile(user, { name: 'form a' }), await buildFile(user, { name: 'form b' })]
    const send = (body: string, headers: Record<string, string> = form) =>
      user.raw('/api/files/archive', { method: 'POST', headers, body })
    expect(await namesOf(await send(`ids=${files[0]?.id}&ids=${files[1]?.id}`))).toEqual(['form a', 'form b'])
    expect(await namesOf(await send(`ids=${files[1]?.id}`))).toEqual(['form b'])
    for (const body of [
      '',
      'ids=',
      'ids=1&other=2',
      'ids=x',
      'ids=1&ids=-2',
      'IDS=1',
      '__proto__=1&ids=1',
      'ids[]=1',
    ]) {
      expect(await failure(await send(body))).toMatchObject({ status: 400, error: 'invalid_input' })
    }
    expect(await failure(await send(`ids=1&x=${'y'.repeat(1024 ** 2)}`))).toEqual({
      status: 413,
      error: 'body_too_large',
    })
    const many = Array.from({ length: 1001 }, () => 'ids=1').join('&')
    expect(await failure(await send(many))).toMatchObject({ status: 400, fields: { ids: expect.any(String) } })
    const gzip = { ...form, 'content-encoding': 'gzip' }
    expect((await send('ids=1', gzip)).status).toBe(415)
    expect((await send('ids=1', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send('ids=1', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(415)
  })

  test('needs ids that are numbers in JSON, not strings of digits', async () => {
    const file = await buildFile(user)
    const refused = (field: string) => ({
      status: 400,
      error: 'invalid_input',
      fields: { [field]: expect.any(String) },
    })
    for (const ids of [String(file.id), file.id, null, {}]) {
      expect(await failure(await ofItems(ids))).toEqual(refused('ids'))
    }
    for (const id of [String(file.id), 1.5, [file.id], null]) {
      expect(await failure(await ofItems([id]))).toEqual(refused('ids.0'))
    }
  })

  test('is refused when the form of another site requests it', async () => {
    const file = await buildFile(user)
    const response = await user.raw('/api/files/archive', {
      method: 'POST',
      headers: { ...form, origin: 'https://elsewhere.example' },
      body: `ids=${file.id}`,
    })
    expect(await failure(response)).toEqual({ status: 403, error: 'bad_origin' })
  })

  test('is 400 without ids, and 404 when one id is not a live item of the caller', async () => {
    const stranger = await buildUser(server, { role: 'admin' })
    const own = await buildFile(user)
    const trashed = await buildFile(user)
    await user.call(trashFile, { id: trashed.id })
    expect(await failure(await ofItems([]))).toMatchObject({ status: 400, error: 'invalid_input' })
    for (const id of [trashed.id, (await buildFile(stranger)).id, 999_999]) {
      expect(await failure(await ofItems([own.id, id]))).toEqual({ status: 404, error: 'not_found' })
    }
  })
})
