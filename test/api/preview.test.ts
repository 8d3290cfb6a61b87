/** Previews: browsers show them, and nothing in them can run or load. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const strict = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
const plain = 'text/plain; charset=utf-8'

const preview = async (name: string, content = `content of ${name}`, headers: Record<string, string> = {}) => {
  const file = await buildFile(user, { name }, content)
  return user.raw(`/api/files/${file.id}/preview`, { headers })
}

describe('a preview', () => {
  test.each([
    ['a.jpg', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['a.png', 'image/png'],
    ['a.gif', 'image/gif'],
    ['a.webp', 'image/webp'],
    ['a.bmp', 'image/bmp'],
    ['a.svg', 'image/svg+xml'],
  ])('of an image has its type and may load nothing: %s', async (name, type) => {
    const { status, headers } = await preview(name)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('content-security-policy')).toBe(strict)
  })

  test.each([
    'a.txt',
    'a.html',
    'a.htm',
    'a.css',
    'a.js',
    'a.mjs',
    'a.json',
    'a.xml',
    'a.yaml',
    'a.yml',
    'a.md',
    'a.markdown',
  ])('of text of any kind has the type text/plain: %s', async name => {
    const response = await preview(name, '<script>alert(document.domain)</script>')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(plain)
    expect(response.headers.get('content-security-policy')).toBe(strict)
    expect(await response.text()).toBe('<script>alert(document.domain)</script>')
  })

  test.each([
    ['a.pdf', 'application/pdf'],
    ['a.mp4', 'video/mp4'],
    ['a.webm', 'video/webm'],
    ['a.ogv', 'video/ogg'],
    ['a.mp3', 'audio/mpeg'],
    ['a.ogg', 'audio/ogg'],
    ['a.m4a', /^audio\/(mp4|x-m4a)$/],
    ['a.wav', /^audio\/(x-)?wav$/],
    ['a.flac', /^audio\/(x-)?flac$/],
  ])('of a PDF, video or audio file is sandboxed without further limits: %s', async (name, type) => {
    const { status, headers } = await preview(name)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(type)
    expect(headers.get('content-security-policy')).toBe('sandbox')
  })

  test('supports ranges, so a player can seek', async () => {
    const response = await preview('film.mp4', '0123456789', { range: 'bytes=4-6' })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe('bytes 4-6/10')
    expect(await response.text()).toBe('456')
  })

  test('is inline, not sniffed, and cached only by the user’s browser', async () => {
    const { headers } = await preview('Größe.png')
    expect(headers.get('content-disposition')).toMatch(/^inline; filename=/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('accept-ranges')).toBe('bytes')
  })

  test('has the ETag of the content', async () => {
    const file = await buildFile(user, { name: 'etag.txt' }, 'x')
    const path = `/api/files/${file.id}/preview`
    const { headers } = await user.raw(path)
    expect(headers.get('etag')).toBe(`"${file.sha256}"`)
    const again = await user.raw(path, { headers: { 'if-none-match': `"${file.sha256}"` } })
    expect(again.status).toBe(304)
  })

  test.each(['a.zip', 'a.exe', 'a.docx', 'a.xhtml', 'a.swf', 'a.tiff', 'a.wasm', 'html', '.svg', 'a.mht'])(
    'of another type is 415: %s',
    async name => {
      const response = await preview(name)
      expect(response.status).toBe(415)
      const body = await response.json()
      expect(body).toMatchObject({
        error: 'unsupported_media',
        message: 'Preview not available for this file type',
      })
    },
  )

  test('is 404 for a folder, a trashed file, another user’s file and an unknown id', async () => {
    const stranger = await buildUser(server, { role: 'admin' })
    const trashed = await buildFile(user)
    await user.call(trashFile, { id: trashed.id })
    const ids = [(await buildFolder(user, 'folder.png')).id, trashed.id, (await buildFile(stranger)).id, 999_999]
    for (const id of ids) {
      expect(await failure(await user.raw(`/api/files/${id}/preview`))).toEqual({ status: 404, error: 'not_found' })
    }
  })
})
