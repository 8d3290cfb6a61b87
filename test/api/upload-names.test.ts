/** The file name of a multipart part, in every form that clients write. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { multipartBody, multipartType, type Part } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const send = (...parts: Part[]) =>
  user.raw('/api/files/upload', {
    method: 'POST',
    headers: { 'content-type': multipartType },
    body: multipartBody(parts),
  })
const nameOf = async (response: Response) => (await response.json()).data.file.name

describe('the file name of a part', () => {
  test.each([
    ['in UTF-8', 'Größe – 日本語 👍.txt', 'Größe – 日本語 👍.txt'],
    ['in decomposed UTF-8', 'Ame\u0301lie.txt', 'Am\u00e9lie.txt'],
    ['with quotes as curl writes them', 'say \\"ho\\".txt', 'say "ho".txt'],
    ['with quotes as browsers write them', 'say %22hi%22.txt', 'say "hi".txt'],
    ['with a percent sign', '100%.txt', '100%.txt'],
    ['with what looks encoded but is not', '%41%2F%5C.txt', '%41%2F%5C.txt'],
    ['with an apostrophe', "it's.txt", "it's.txt"],
    ['with a semicolon', 'a; filename=b.txt', 'a; filename=b.txt'],
    ['with spaces around', '  a.txt  ', '  a.txt  '],
    ['with directories in front', 'some/dir/a1.txt', 'a1.txt'],
    ['with Windows directories in front', 'C:\\Users\\me\\a2.txt', 'a2.txt'],
    ['with escaped Windows directories in front', 'C:\\\\Users\\\\me\\\\a3.txt', 'a3.txt'],
    ['with both kinds', 'C:\\some/dir\\a4.txt', 'a4.txt'],
    ['with a way out', '../../../etc/passwd', 'passwd'],
    ['with a Windows way out', '..\\..\\boot.ini', 'boot.ini'],
    ['of a hidden file below a directory', 'dir/.hidden', '.hidden'],
  ])('%s is decoded', async (_what, fileName, expected) => {
    expect(await nameOf(await send({ name: 'file', fileName, value: 'x' }))).toBe(expected)
  })

  test('of exactly 255 bytes is accepted, with directories before it removed', async () => {
    const name = `${'n'.repeat(251)}.txt`
    expect(await nameOf(await send({ name: 'file', fileName: `${'d'.repeat(300)}/${name}`, value: 'x' }))).toBe(name)
  })

  test.each([
    ['of 300 bytes', 'n'.repeat(300)],
    ['that ends with a slash', 'dir/'],
    ['that ends with a backslash', 'dir\\\\'],
    ['that is a dot', 'dir/.'],
    ['that is two dots', '..'],
    ['of white space', '   '],
    ['with a line break as browsers write it', 'a%0Ab.txt'],
    ['with a carriage return as browsers write it', 'a%0D%0AX-Header: b.txt'],
    ['with NUL', 'a\u0000.txt'],
    ['with a tab', 'a\tb.txt'],
  ])('%s is 400 and leaves nothing', async (_what, fileName) => {
    const before = await readHoldings(server)
    const response = await send({ name: 'file', fileName, value: 'x'.repeat(50_000) })
    expect(await failure(response)).toMatchObject({ status: 400, error: 'invalid_input' })
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test('is overridden by the field name, which is taken literally', async () => {
    for (const name of ['%22quoted%22.txt', 'back\\slash.txt', 'Größe.txt', '50%0A.txt']) {
      const field: Part = { name: 'name', value: name }
      const parts: Part[] = [{ name: 'file', fileName: 'other.txt', value: 'x' }, field]
      expect(await nameOf(await send(...parts.reverse()))).toBe(name)
    }
    const slashed = await send({ name: 'name', value: 'dir/a.txt' }, { name: 'file', fileName: 'a.txt', value: 'x' })
    expect(await failure(slashed)).toMatchObject({ status: 400, fields: { name: expect.any(String) } })
  })

  test('may be invalid when the field name comes before it', async () => {
    const field: Part = { name: 'name', value: 'usable.txt' }
    for (const fileName of ['..', 'n'.repeat(300), 'dir/']) {
      const response = await send(
        field,
        { name: 'on_conflict', value: 'replace' },
        { name: 'file', fileName, value: 'x' },
      )
      expect(await nameOf(response)).toBe('usable.txt')
    }
  })

  test('may be invalid when the field name comes after it', async () => {
    const field: Part = { name: 'name', value: 'usable too.txt' }
    expect(await nameOf(await send({ name: 'file', fileName: 'dir/', value: 'x' }, field))).toBe('usable too.txt')
  })
})
