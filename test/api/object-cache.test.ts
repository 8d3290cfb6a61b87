/** The server's local copies of what it reads from an object store. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runOn } from '../commands/administration.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { largeContent } from '../support/planting.ts'
import { type S3Server, s3Environment, startS3Server } from '../support/s3-server.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

beforeEach(context => onlyOneServer('counts', context))

let store: S3Server
let server: TestServer
let user: BuiltUser

beforeAll(async () => {
  store = await startS3Server()
  server = await startServer({ storage: store.flag, cacheSize: '100MB' })
  user = await buildUser(server)
})
beforeEach(() => {
  store.decide = () => 'serve'
})
afterAll(async () => {
  await server.close()
  await store.close()
})

async function get(path: string): Promise<Buffer> {
  const response = await user.raw(`/api/files/${path}`)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** How often a counter of the cache has counted. */
async function count(what: 'hits' | 'misses'): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(new RegExp(`^filestore_cache_${what}_total (\\d+)$`, 'm').exec(text)?.[1])
}

/** Reads until a copy answers, because the first one is kept only once the folder has been looked through. */
async function readFromCopy(path: string): Promise<Buffer> {
  const before = await count('hits')
  let bytes: Buffer = Buffer.alloc(0)
  const isHit = async () => {
    bytes = await get(path)
    return (await count('hits')) > before
  }
  await expect.poll(isHit).toBe(true)
  return bytes
}

const bytesAsked = (): number => store.requests.filter(name => /^GET .*\/b\//.test(name)).length

test('a file, its thumbnail and a ZIP file are answered by local copies, while the store is away too', async () => {
  const picture = Buffer.concat([await drawImage(900, 700).as('png'), largeContent()])
  const folder = await buildFolder(user)
  const { id } = await buildFile(user, { name: 'a.png', parent_id: folder.id }, picture)
  const thumbnail = await get(`${id}/thumbnail`)
  expect((await readFromCopy(`${id}/download`)).equals(picture)).toBe(true)
  const [asked, misses] = [bytesAsked(), await count('misses')]
  expect(misses).toBeGreaterThan(0)
  store.decide = () => 'break'
  expect((await get(`${id}/download`)).equals(picture)).toBe(true)
  expect((await get(`${id}/thumbnail`)).equals(thumbnail)).toBe(true)
  expect((await get(`${folder.id}/archive`)).includes(picture.subarray(0, 5000))).toBe(true)
  store.decide = () => 'serve'
  expect([bytesAsked(), await count('misses')]).toEqual([asked, misses])
})

test('fsck finds what is lost or damaged in the store itself', async () => {
  const files = [await buildFile(user, {}, largeContent()), await buildFile(user, {}, largeContent())]
  const keys = [...store.objects.keys()].filter(key => key.startsWith('here/b/')).slice(-2)
  for (const { id } of files) await readFromCopy(`${id}/download`)
  const [lost = '', damaged = ''] = keys
  store.objects.delete(lost)
  const object = store.objects.get(damaged) ?? expect.fail()
  object.bytes = Buffer.alloc(object.bytes.length)
  const flags = ['--storage', store.flag, '--cache-size', '100MB']
  const outcome = await runOn(server, ['fsck', '--hash', '--json', ...flags], '', s3Environment)
  expect(outcome.code).toBe(11)
  expect(JSON.parse(outcome.stdout)).toMatchObject({ verdict: 'lost', counts: { lost: 2 } })
})

test('the folder of the copies may be deleted', async () => {
  const content = largeContent()
  const { id } = await buildFile(user, {}, content)
  await readFromCopy(`${id}/download`)
  await rm(join(server.dataDir, 'cache'), { recursive: true })
  expect((await get(`${id}/download`)).equals(content)).toBe(true)
  expect((await readFromCopy(`${id}/download`)).equals(content)).toBe(true)
})
