/** File and folder names: which names are stored unchanged, and which are refused by every call. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, getFile, listFiles, renameFile } from '../../src/api/files.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let fileId: number
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  fileId = (await buildFile(user, { name: 'as it was' })).id
})
afterAll(() => server.close())

const json = { 'content-type': 'application/json' }
const makeFolder = (name: string) =>
  user.raw('/api/files/folders', { method: 'POST', headers: json, body: JSON.stringify({ name }) })
const rename = (name: string) =>
  user.raw(`/api/files/${fileId}/rename`, { method: 'PUT', headers: json, body: JSON.stringify({ name }) })
/** Uploads with the form's field `name` before or after the file. */
const upload = (name: string, fields: 'before' | 'after') => {
  const parts = [
    { name: 'name', value: name },
    { name: 'file', fileName: 'part.txt', value: 'x'.repeat(40_000) },
  ]
  const body = multipartBody(fields === 'before' ? parts : parts.reverse())
  return user.raw('/api/files/upload', { method: 'POST', headers: { 'content-type': multipartType }, body })
}

describe('a name', () => {
  test.each([
    ['nothing', ''],
    ['white space alone', '   '],
    ['other white space alone', '\u00a0\u2003\u3000'],
    ['a slash', 'a/b'],
    ['a slash in front', '/a'],
    ['NUL', 'a\u0000b'],
    ['a line break', 'a\nb'],
    ['a carriage return', 'a\rb'],
    ['an escape sequence', '\u001b[31mred'],
    ['DEL', 'a\u007f'],
    ['a C1 control', 'a\u0085b'],
    ['a dot', '.'],
    ['two dots', '..'],
    ['300 bytes', 'x'.repeat(300)],
    ['256 bytes', 'x'.repeat(256)],
    ['256 bytes of two each', 'é'.repeat(128)],
    ['255 bytes that NFC makes more', '\u0958'.repeat(85)],
  ])('of %s is refused by every call, and leaves nothing', async (_what, name) => {
    const before = await readHoldings(server)
    const refused = { status: 400, error: 'invalid_input', fields: { name: expect.any(String) } }
    expect(await failure(await makeFolder(name))).toEqual(refused)
    expect(await failure(await rename(name))).toEqual(refused)
    expect(await failure(await upload(name, 'before'))).toEqual(refused)
    expect(await failure(await upload(name, 'after'))).toEqual(refused)
    expect(await readHoldings(server)).toEqual(before)
    expect((await user.call(getFile, { id: fileId })).file.name).toBe('as it was')
  })

  test.each(['\ud800', 'a\udfffb', '\udc00\ud800'])('with an unpaired surrogate is refused: %j', async name => {
    const refused = { status: 400, error: 'invalid_input', fields: { name: expect.any(String) } }
    expect(await failure(await makeFolder(name))).toEqual(refused)
    expect(await failure(await rename(name))).toEqual(refused)
  })

  test.each([
    ' leading and trailing ',
    '...',
    '.hidden',
    'trailing.',
    'back\\slash',
    'C:\\Windows\\x',
    '%2e%2e%2f',
    'quo\'te "double"',
    '<img src=x onerror=alert(1)>',
    '$1 :name ? %s $x {{x}}',
    '-rf',
    'CON',
    '\u202egnp.exe',
    'a\u200bb',
    '日本語',
    '👩‍👩‍👧‍👦',
    '\u{10FFFF}',
    '__proto__',
    'x'.repeat(255),
    'é'.repeat(127),
    '👍'.repeat(63),
  ])('is stored unchanged: %s', async name => {
    const { file: folder } = await user.call(createFolder, { name })
    expect(folder.name).toBe(name)
    const holder = await buildFolder(user)
    const file = await user.upload('x', { name, parent_id: holder.id })
    expect((await user.call(getFile, { id: file.id })).file).toMatchObject({ name, path: `/${holder.name}/${name}` })
    const { files } = await user.call(listFiles, { parent_id: holder.id })
    expect(files.map(entry => entry.name)).toEqual([name])
  })

  test('is stored in Unicode form NFC, and is taken in that form', async () => {
    const composed = 'Ame\u0301lie'.normalize('NFC')
    const { file } = await user.call(createFolder, { name: 'Ame\u0301lie' })
    expect(file.name).toBe(composed)
    expect((await makeFolder(composed)).status).toBe(409)
    expect((await user.call(renameFile, { id: file.id, name: 'Ame\u0301lie' })).file.name).toBe(composed)
    const before = await user.upload('x', { name: 'Zoe\u0308' })
    expect(before.name).toBe('Zoë')
  })

  test('differs from another by case, by accents, and by spaces at either end', async () => {
    const parent = await buildFolder(user)
    for (const name of ['b', 'B', 'b ', ' b', 'ḃ', 'ｂ', 'ß', 'ss']) await buildFolder(user, name, parent.id)
    expect((await user.call(listFiles, { parent_id: parent.id })).total).toBe(8)
  })

  test('decides the type of a file, and a leading dot starts no extension', async () => {
    const types = {
      'a.txt': 'text/plain',
      'A.PNG': 'image/png',
      'a.tar.gz': 'application/gzip',
      'a.html': 'text/html',
      'a.svg': 'image/svg+xml',
      'a.unknown-extension': 'application/octet-stream',
      'no extension': 'application/octet-stream',
      html: 'application/octet-stream',
      '.html': 'application/octet-stream',
      '.env': 'application/octet-stream',
      'ends with a dot.': 'application/octet-stream',
    }
    for (const [name, type] of Object.entries(types)) {
      const file = await user.upload('<html><script>alert(1)</script>', { name })
      expect({ name, type: file.mime_type }).toEqual({ name, type })
    }
  })
})
