/** Drawing thumbnails takes the processor for seconds: no account takes all of its turns, and nobody who has gone any. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
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

/** Holds every drawing where it asks for free space, until it is opened. */
function holdDrawings() {
  const { freeSpace } = server.deps
  const { admit } = freeSpace
  let begun = 0
  let open = (): void => undefined
  const gate = new Promise<void>(resolve => {
    open = () => {
      Object.assign(freeSpace, { admit })
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
  return { begun: () => begun, open }
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
