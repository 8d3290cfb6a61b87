/** Thumbnails do not count against the quota, so each has a size limit, and those of a space have a limit together. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FileDetails } from '../../src/api/items.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { drawImage, interlacedPng, svg } from '../support/images.ts'
import { plantThumbnail } from '../support/planting.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const megabyte = 1024 ** 2

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

async function look(user: BuiltUser, { id }: FileDetails): Promise<Buffer> {
  const response = await user.raw(`/api/files/${id}/thumbnail`)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** Noise in every color, with noise as alpha, too, if `alpha` is `1`: it cannot be compressed well. */
const noise = (seed: number, alpha: '0' | '1') =>
  svg(
    `<filter id="a"><feTurbulence baseFrequency=".9" numOctaves="2" seed="${seed}"/>
     <feColorMatrix values="3 0 0 0 -.5 0 3 0 0 -.5 0 0 3 0 -.5 0 0 0 ${alpha} ${1 - Number(alpha)}"/></filter>
     <rect width="512" height="512" filter="url(#a)"/>`,
    512,
    512,
  )

test.each(['0', '1'] as const)('an incompressible image has a thumbnail of at most 64 KiB (alpha %s)', async alpha => {
  const user = await buildUser(server)
  const bytes = await look(user, await buildFile(user, { name: `${alpha}.svg` }, noise(1, alpha)))
  expect(bytes.length).toBeLessThanOrEqual(64 * 1024)
  expect((await sharp(bytes).metadata()).format).toBe('webp')
})

test('an image of random bytes with an alpha channel has a thumbnail of at most 64 KiB', async () => {
  const user = await buildUser(server)
  const pixels = Buffer.from(Array.from({ length: 600 * 300 * 4 }, (_, index) => (index * index * 7919) >> 3))
  const image = await sharp(pixels, { raw: { width: 600, height: 300, channels: 4 } })
    .png()
    .toBuffer()
  const bytes = await look(user, await buildFile(user, { name: 'random.png' }, image))
  expect(bytes.length).toBeLessThanOrEqual(64 * 1024)
})

test.each([
  [200, 24],
  [404, 52],
])(
  'an image that is decoded as a whole: %i with %i megapixels of eight bytes',
  { timeout: 60_000 },
  async (status, megapixels) => {
    const user = await buildUser(server)
    const file = await buildFile(user, { name: 'whole.png' }, await interlacedPng(8000, megapixels * 125))
    expect((await user.raw(`/api/files/${file.id}/thumbnail`)).status).toBe(status)
  },
)

/** Files with a thumbnail each, for which the table states this size; the first is the oldest. */
async function plantDrawn(user: BuiltUser, sizes: readonly number[]) {
  const drawn: { file: FileDetails; key: string }[] = []
  const { db } = server.deps
  for (const [index, size] of sizes.entries()) {
    const colour = { r: index % 256, g: Math.floor(index / 256), b: user.id % 256 }
    const image = sizes.length > 10 ? `no image ${user.id} ${index}` : await drawImage(8, 8, colour).as('png')
    const file = await buildFile(user, { name: `${index}.png` }, image)
    const key = await plantThumbnail(server, file.id)
    await db.touch(() => db.change('UPDATE file_thumbnails SET size = $1 WHERE `key` = $2', [size, key]))
    drawn.push({ file, key })
  }
  return drawn
}

async function drawOne(user: BuiltUser): Promise<void> {
  const image = await drawImage(9, 9, { r: 200, g: 200, b: user.id % 256 }).as('png')
  await look(user, await buildFile(user, { name: 'new.png' }, image))
}

/** The indexes of the thumbnails whose row and bytes are still there. */
async function findLeft(drawn: readonly { key: string }[]): Promise<number[]> {
  await server.deps.removals.settled()
  const { keys } = await readHoldings(server)
  const rows = await server.deps.db.rows<{ key: string }>('SELECT `key` FROM file_thumbnails')
  const named = new Set(rows.map(({ key }) => key))
  const left = drawn.flatMap(({ key }, index) => (named.has(key) ? [index] : []))
  expect(drawn.flatMap(({ key }, index) => (keys.includes(key) ? [index] : []))).toEqual(left)
  return left
}

test('the oldest thumbnails of a space beyond 64 MB are deleted for a new one, and are drawn again on request', async () => {
  const [user, other] = [await buildUser(server, { storageQuota: 1000 * megabyte }), await buildUser(server)]
  const [theirs, drawn] = [
    await plantDrawn(other, [60 * megabyte]),
    await plantDrawn(
      user,
      [1, 40, 30, 20].map(by => by * megabyte),
    ),
  ]
  await drawOne(user)
  expect(await findLeft(drawn)).toEqual([2, 3])
  expect(await findLeft(theirs)).toEqual([0])
  for (const { file } of drawn.slice(0, 2)) expect((await sharp(await look(user, file)).metadata()).width).toBe(8)
  expect(await findLeft(drawn)).toEqual([2, 3])
})

test('the thumbnails of a space may take 5 % of a larger quota', async () => {
  const user = await buildUser(server, { storageQuota: 4000 * megabyte })
  const drawn = await plantDrawn(
    user,
    [100, 90].map(by => by * megabyte),
  )
  await drawOne(user)
  expect(await findLeft(drawn)).toEqual([0, 1])
})

test('many small thumbnails are deleted together', async context => {
  onlyNightly(context)
  const user = await buildUser(server, { storageQuota: 1000 * megabyte })
  const drawn = await plantDrawn(user, Array<number>(120).fill(4 * megabyte))
  await drawOne(user)
  expect(await findLeft(drawn)).toEqual(Array.from({ length: 15 }, (_, index) => 105 + index))
})

test('a file without a thumbnail deletes no other thumbnails', async () => {
  const user = await buildUser(server, { storageQuota: 1000 * megabyte })
  const drawn = await plantDrawn(user, [70 * megabyte])
  const file = await buildFile(user, { name: 'none.png' }, 'no image')
  expect((await user.raw(`/api/files/${file.id}/thumbnail`)).status).toBe(404)
  expect(await findLeft(drawn)).toEqual([0])
})
