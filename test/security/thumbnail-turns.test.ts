/** Drawing thumbnails takes the processor for seconds: no account takes all of its turns, and nobody who has gone any. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Holds every drawing where it asks for free space, until it is opened; `holdNoMore` holds no further ones. */
function holdDrawings() {
  const { freeSpace } = server.deps
  const { admit } = freeSpace
  let begun = 0
  let open = (): void => undefined
  const holdNoMore = () => Object.assign(freeSpace, { admit })
  const gate = new Promise<void>(resolve => {
    open = () => {
      holdNoMore()
      resolve()
    }
  })
  Object.assign(freeSpace, {
    admit: async () => {
      begun += 1
      await gate
    },
  })
  onTestFinished(() => open())
  return { begun: () => begun, open, holdNoMore }
}

let shade = 0
async function buildPictures(user: BuiltUser, count: number) {
  const folder = await buildFolder(user)
  const ids: number[] = []
  for (let n = 0; n < count; n++) {
    shade += 1
    const image = await drawImage(60, 60, { r: shade, g: 7, b: 9 }).as('png')
    ids.push((await buildFile(user, { name: `${n}.png`, parent_id: folder.id }, image)).id)
  }
  return { folder, ids }
}

const thumbnailOf = (id: number | undefined): string => `/files/${id}/thumbnail`

async function countOf(metric: string): Promise<number> {
  const gauge = await server.deps.metrics.getSingleMetric(`filestore_${metric}_under_way`)?.get()
  return gauge?.values[0]?.value ?? expect.fail()
}

test('an account draws one at a time together with the visitors of its links, and others go on', async () => {
  const [eve, bob] = [await buildUser(server), await buildUser(server)]
  const { folder, ids } = await buildPictures(eve, 3)
  const theirs = await buildPictures(bob, 1)
  const visitors = [await buildLink(eve, folder), await buildLink(eve, folder)].map(({ token }) =>
    openVisitor(server.url, token),
  )
  const { begun, open } = holdDrawings()
  const asked = [
    eve.raw(`/api${thumbnailOf(ids[0])}`),
    ...visitors.map((visitor, index) => visitor.raw(thumbnailOf(ids[index + 1]))),
  ]
  await expect.poll(() => countOf('thumbnails')).toBe(3)
  const other = bob.raw(`/api${thumbnailOf(theirs.ids[0])}`)
  await expect.poll(begun).toBe(2)
  expect(await countOf('thumbnails')).toBe(4)
  open()
  for (const answer of [...asked, other]) expect((await answer).status).toBe(200)
})

test('visitors of all users’ links draw one at a time, so that a user does not wait for them', async () => {
  const [eve, ann, bob] = [await buildUser(server), await buildUser(server), await buildUser(server)]
  const own = await buildPictures(bob, 1)
  const visits: { token: string; id: number | undefined }[] = []
  for (const maker of [eve, ann]) {
    const { folder, ids } = await buildPictures(maker, 1)
    visits.push({ token: (await buildLink(maker, folder)).token, id: ids[0] })
  }
  const { begun, open, holdNoMore } = holdDrawings()
  const asked = visits.map(({ token, id }) => openVisitor(server.url, token).raw(thumbnailOf(id)))
  await expect.poll(() => countOf('thumbnails')).toBe(2)
  await expect.poll(begun).toBe(1)
  // Whatever else could begin has begun when a call is answered that came later.
  await bob.call(listFiles, {})
  expect(begun()).toBe(1)
  holdNoMore()
  expect((await bob.raw(`/api${thumbnailOf(own.ids[0])}`)).status).toBe(200)
  expect(await countOf('thumbnails')).toBe(2)
  open()
  for (const answer of asked) expect((await answer).status).toBe(200)
})

test('nothing is drawn for clients that are gone when their turn comes', async () => {
  const eve = await buildUser(server)
  const { ids } = await buildPictures(eve, 4)
  const { begun, open } = holdDrawings()
  const gone = new AbortController()
  const asked = ids.map(id => eve.raw(`/api${thumbnailOf(id)}`, { signal: gone.signal }).catch(() => null))
  await expect.poll(() => countOf('thumbnails')).toBe(4)
  await expect.poll(begun).toBe(1)
  gone.abort()
  await Promise.all(asked)
  await expect.poll(() => countOf('http_requests')).toBe(0)
  open()
  await expect.poll(() => countOf('thumbnails')).toBe(0)
  const { rows } = await server.deps.db
    .rows<{ rows: number }>(
      'SELECT COUNT(*) AS `rows` FROM file_thumbnails t JOIN spaces s ON s.id = t.space_id WHERE s.owner_id = $1',
      [eve.id],
    )
    .then(([row]) => row ?? expect.fail())
  expect(rows).toBe(1)
})
