/** Thumbnails: upright, small, drawn once for each content, and harmless for every image. */

import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { sweep } from '../../src/blobs/sweep.ts'
import { openSweepRows } from '../../src/files/sweep-rows.ts'
import { failure, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { colourAt, drawAnimation, drawImage, gifBomb, pngBomb, svg } from '../support/images.ts'
import { s3Service } from '../support/s3-service.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const look = (id: number, headers: Record<string, string> = {}, method = 'GET', client: TestClient = user) =>
  client.raw(`/api/files/${id}/thumbnail`, { method, headers })

const thumbnailOf = async (id: number): Promise<Buffer> => {
  const response = await look(id)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const red = [255, 0, 0]
const isNear = (colour: number[], expected: number[]) =>
  expect(expected.every((value, index) => Math.abs(value - (colour[index] ?? 0)) < 20)).toBe(true)

const noThumbnail = { status: 404, error: 'not_found' }
const rowOf = (id: number) =>
  server.deps.db.row<{ key: string | null; size: number }>(
    'SELECT t.`key`, t.size FROM file_thumbnails t JOIN files f ON f.id = t.file_id WHERE f.id = $1',
    [id],
  )

/** A small image of the user, the same one for all tests that only look at it. */
let known: Promise<number> | undefined
function small(): Promise<number> {
  known ??= drawImage(30, 20)
    .as('png')
    .then(async bytes => (await buildFile(user, { name: 'Größe.png' }, bytes)).id)
  return known
}

describe('a thumbnail', () => {
  test.each(['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'] as const)(
    'of %s is WebP of at most 512 pixels',
    async format => {
      const file = await buildFile(user, { name: `wide.${format}` }, await drawImage(800, 400).as(format))
      expect(file.thumbnail_path).toBe(`/api/files/${file.id}/thumbnail`)
      const bytes = await thumbnailOf(file.id)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 256 })
      isNear(await colourAt(bytes, 0.5, 0.5), red)
    },
  )

  test('of a small image is not enlarged', async () => {
    expect(await sharp(await thumbnailOf(await small())).metadata()).toMatchObject({ width: 30, height: 20 })
  })

  test('of a rotated photo is upright and has no EXIF data', async () => {
    const blue = { r: 0, g: 0, b: 255 }
    const photo = await drawImage(600, 200, { r: 255, g: 0, b: 0 }, blue).as('jpeg', 6)
    const bytes = await thumbnailOf((await buildFile(user, { name: 'photo.jpg' }, photo)).id)
    const about = await sharp(bytes).metadata()
    expect(about).toMatchObject({ width: 171, height: 512 })
    expect(about.exif).toBeUndefined()
    isNear(await colourAt(bytes, 0.5, 0.2), red)
    isNear(await colourAt(bytes, 0.5, 0.8), [0, 0, 255])
  })

  test('of an animation is its first frame', async () => {
    const bytes = await thumbnailOf((await buildFile(user, { name: 'moving.gif' }, await drawAnimation())).id)
    const { pages, width, height } = await sharp(bytes).metadata()
    expect({ pages: pages ?? 1, width, height }).toEqual({ pages: 1, width: 64, height: 64 })
    isNear(await colourAt(bytes, 0.5, 0.5), red)
  })

  test('has headers for caching, and none of it can run', async () => {
    const id = await small()
    const response = await look(id)
    const etag = response.headers.get('etag') ?? ''
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': `inline; filename="Gr__e.webp"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.webp`,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
    const again = await look(id, { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await look(id, {}, 'HEAD')
    expect(head.headers.get('etag')).toBe(etag)
    expect(head.headers.get('content-length')).toBe(response.headers.get('content-length'))
    expect(await rowOf(id).then(row => etag.includes(row?.key ?? ''))).toBe(false)
  })

  test('is drawn once for 20 concurrent requests', async () => {
    const before = await readHoldings(server)
    const bytes = await drawImage(800, 800, { r: 1, g: 2, b: 3 }).as('webp')
    const file = await buildFile(user, { name: 'once.webp' }, bytes)
    const uploaded = await readHoldings(server)
    const answers = await Promise.all(Array.from({ length: 20 }, () => look(file.id)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
    const stored = s3Service === undefined ? 1 : 0
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(uploaded.keys.length + stored)
    expect(uploaded.blobs).toBe(before.blobs + 1)
  })

  test('of new content is new, and the bytes of the old one are deleted', async () => {
    const name = 'replaced.png'
    const file = await buildFile(user, { name }, await drawImage(90, 90, { r: 10, g: 200, b: 10 }).as('png'))
    const first = await look(file.id)
    const old = await rowOf(file.id)
    await buildFile(user, { name, on_conflict: 'replace' }, await drawImage(90, 90, { r: 9, g: 9, b: 250 }).as('png'))
    const second = await look(file.id)
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
    isNear(await colourAt(Buffer.from(await second.arrayBuffer()), 0.5, 0.5), [9, 9, 250])
    await expect.poll(async () => (await readHoldings(server)).keys.includes(old?.key ?? '')).toBe(false)
  })

  test('survives a sweep of the store', async () => {
    await thumbnailOf(await small())
    const { deps } = server
    await sweep(deps.store, openSweepRows(deps), Date.now() + 2 * 24 * 60 * 60 * 1000)
    await thumbnailOf(await small())
  })
})

describe('a missing thumbnail is 404', () => {
  test.each([
    ['no-image.png', 'text'],
    ['empty.png', ''],
  ])('for content that is no image: %s', async (name, bytes) => {
    const file = await buildFile(user, { name }, bytes)
    for (const _ of [1, 2]) expect(await failure(await look(file.id))).toEqual(noThumbnail)
  })

  test.each([
    ['text.txt', 'text'],
    ['film.mp4', 'no film'],
    ['old.bmp', Buffer.from('424d3a0000000000000036000000280000000100000001000000010018000000', 'hex')],
  ])('for a type that cannot be drawn, and the item shows no thumbnail path: %s', async (name, bytes) => {
    const file = await buildFile(user, { name }, bytes)
    expect(file.thumbnail_path).toBeNull()
    expect(await failure(await look(file.id))).toEqual(noThumbnail)
  })

  test('for a truncated image, and the failure is stored', async () => {
    const whole = await drawImage(900, 900, { r: 7, g: 77, b: 177 }, { r: 200, g: 1, b: 1 }).as('jpeg')
    const file = await buildFile(user, { name: 'cut.jpg' }, whole.subarray(0, whole.length / 2))
    expect(await failure(await look(file.id))).toEqual(noThumbnail)
    expect(await rowOf(file.id)).toEqual({ key: null, size: 0 })
    expect(await failure(await look(file.id))).toEqual(noThumbnail)
  })

  test.each([
    ['bomb.png', pngBomb(30_000, 30_000)],
    ['long.png', pngBomb(1, 2_000_000_000)],
    ['bomb.gif', gifBomb()],
    ['bomb.svg', svg('<rect width="1" height="1"/>', 30_000, 30_000)],
    [
      'laughs.svg',
      svg(Array.from({ length: 30 }, (_, n) => `<g id="a${n}">${`<use href="#a${n + 1}"/>`.repeat(10)}</g>`).join('')),
    ],
  ])('for a few bytes that describe very many pixels, and memory stays low: %s', async (name, bytes) => {
    const file = await buildFile(user, { name }, bytes)
    const { rss } = process.memoryUsage()
    const answer = look(file.id)
    expect((await user.raw('/api/files')).status).toBe(200)
    expect(await failure(await answer)).toEqual(noThumbnail)
    expect(process.memoryUsage().rss - rss).toBeLessThan(100 * 1024 ** 2)
  })

  test('for a folder, a trashed file, another user’s file and an unknown id', async () => {
    const stranger = await buildUser(server, { role: 'admin' })
    const bytes = await drawImage(40, 40).as('png')
    const trashed = await buildFile(user, { name: 'trashed.png' }, bytes)
    await user.call(trashFile, { id: trashed.id })
    const theirs = await buildFile(stranger, { name: 'theirs.png' }, bytes)
    for (const id of [(await buildFolder(user, 'folder.png')).id, trashed.id, theirs.id, 999_999]) {
      expect(await failure(await look(id))).toEqual(noThumbnail)
    }
  })

  test('unless the bytes of the image are lost: that is 500 and is not stored', async () => {
    const before = await readHoldings(server)
    const pixels = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * 7919) % 251))
    const image = await sharp(pixels, { raw: { width: 300, height: 300, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer()
    const file = await buildFile(user, { name: 'lost.png' }, image)
    const key = (await readHoldings(server)).keys.find(candidate => !before.keys.includes(candidate)) ?? ''
    await server.deps.store.remove(key)
    expect(await failure(await look(file.id))).toEqual({ status: 500, error: 'internal' })
    expect(await rowOf(file.id)).toBeUndefined()
    await server.deps.store.put(key, Readable.from([image]))
    await thumbnailOf(file.id)
  })
})

describe('costly images of one user', () => {
  test('do not delay the thumbnails of other users', { timeout: 120_000 }, async () => {
    const other = await buildUser(server)
    const bytes = await drawImage(21, 12).as('png')
    const [small, same] = [
      await buildFile(other, { name: 'small.png' }, bytes),
      await buildFile(user, { name: 'same.png' }, bytes),
    ]
    const noise = (seed: number) =>
      svg(
        `<filter id="f"><feTurbulence baseFrequency="0.05" numOctaves="15" seed="${seed}"/></filter>
         <rect width="1000" height="1000" filter="url(#f)"/>`,
        1000,
        1000,
      )
    const costly = await Promise.all([1, 2, 3].map(n => buildFile(user, { name: `${n}.svg` }, noise(n))))
    let ended = 0
    const looks = [...costly, same].map(({ id }) => look(id).finally(() => (ended += 1)))
    expect((await look(small.id, {}, 'GET', other)).status).toBe(200)
    expect(ended).toBeLessThanOrEqual(2)
    await Promise.all(looks)
  })
})

describe('an image that waits for approval', () => {
  test('is visible to its owner and to reviewers, and after its approval to its owner only', async () => {
    const reviewer = await buildUser(server, { role: 'admin' })
    const other = await buildUser(server)
    const file = await buildFile(user, { name: 'held.png' }, await drawImage(33, 44).as('png'))
    const { db } = server.deps
    const setStatus = (status: string) =>
      db.touch(() => db.change('UPDATE files SET validation_status = $1 WHERE id = $2', [status, file.id]))
    const statuses = () =>
      Promise.all([user, reviewer, other].map(async client => (await look(file.id, {}, 'GET', client)).status))
    await setStatus('pending')
    expect(await statuses()).toEqual([200, 200, 404])
    await setStatus('approved')
    expect(await statuses()).toEqual([200, 404, 404])
  })
})

describe('an SVG', () => {
  test('loads no local files and nothing from the network', async () => {
    const requests: string[] = []
    const listener = createServer((request, response) => {
      requests.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
    const { port } = listener.address() as AddressInfo
    const secret = join(server.dataDir, 'secret.png')
    await writeFile(secret, await drawImage(50, 50).as('png'))
    const image = (url: string) => `<image width="100" height="100" href="${url}" xlink:href="${url}"/>`
    const web = `http://127.0.0.1:${port}`
    const content = `<style>@import url(${web}/a.css);</style>${image(secret)}${image(`file://${secret}`)}${image(`${web}/b.png`)}`
    const withEntity = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg(`${content}<text>&x;</text>`)}`
    for (const [name, text] of [
      ['loads.svg', svg(content)],
      ['entity.svg', withEntity],
    ] as const) {
      const response = await look((await buildFile(user, { name }, text)).id)
      if (response.status === 404) continue
      expect((await colourAt(Buffer.from(await response.arrayBuffer()), 0.5, 0.5))[3]).toBe(0)
    }
    expect(requests).toEqual([])
    listener.close()
  })

  test('is drawn', async () => {
    const file = await buildFile(user, { name: 'drawn.svg' }, svg('<rect width="100" height="100" fill="#f00"/>'))
    isNear(await colourAt(await thumbnailOf(file.id), 0.5, 0.5), red)
  })
})
