/** A proxy before the object store that reloads, and for a moment answers 404 itself: nothing counts as lost. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { runOn } from '../commands/administration.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { type S3Fate, type S3Server, s3Environment, startS3Server } from '../support/s3-server.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { beginUpload, head, offsetOf, patch } from '../support/tus.ts'

let store: S3Server
let server: TestServer
let user: BuiltUser

beforeAll(async () => {
  store = await startS3Server()
  server = await startServer({ storage: store.flag, maxFileSize: '1GB' })
  user = await buildUser(server)
})
beforeEach(() => {
  store.decide = () => 'serve'
})
afterAll(async () => {
  await server.close()
  await store.close()
})

const megabyte = 1024 ** 2
const ofProxy: S3Fate = { lie: response => void response.writeHead(404).end('404 page not found\n') }
/** Hides all, or only what is asked about single keys. */
const hide = (pattern = /./): void => {
  store.decide = name => (pattern.test(name) ? ofProxy : 'serve')
}

test.each([
  ['while it is sent', {}],
  ['while it is finished', { finish: 'explicit' }],
])('an upload goes on where the store was hidden %s', async (_when, metadata) => {
  const before = new Set(store.objects.keys())
  const bytes = randomBytes(10 * megabyte)
  const cut = 'finish' in metadata ? bytes.length : 9 * megabyte
  const address = await beginUpload(user, { length: bytes.length, metadata: { name: `${cut}.bin`, ...metadata } })
  expect((await patch(user, address, 0, bytes.subarray(0, cut))).status).toBe(204)
  const finish = () =>
    user.raw(`${address}/finish`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  const goOn = () => (cut === bytes.length ? finish() : patch(user, address, cut, bytes.subarray(cut)))
  hide()
  expect((await goOn()).status).toBe(503)
  store.decide = () => 'serve'
  expect(offsetOf(await head(user, address))).toBe(String(cut))
  expect((await goOn()).status).toBeLessThan(300)
  const made = [...store.objects].filter(([key]) => !before.has(key)).map(([, object]) => object.bytes)
  expect(made.some(object => object.equals(bytes))).toBe(true)
})

test('a check of all bytes and a backup do not call missing what a proxy has hidden, and remove nothing', async () => {
  const content = randomBytes(100_000)
  const { id } = await buildFile(user, { name: 'hidden.bin' }, content)
  const folder = await mkdtemp(join(tmpdir(), 'filestore-hidden-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const place = { ...server, storageFlag: store.flag }
  const before = new Set(store.objects.keys())
  // What is asked about single keys, while lists come through.
  hide(/^(GET|HEAD) \S+\/b\/\w/)
  const run = (...args: string[]) => runOn(place, args, '', s3Environment)
  expect(await run('fsck', '--hash', '--repair')).toMatchObject({
    stdout: expect.stringMatching(/hidden\.bin .*cannot be read \(unavailable\)/),
  })
  expect(await run('backup', join(folder, 'backups'))).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('cannot be reached'),
  })
  expect(new Set(store.objects.keys())).toEqual(before)
  store.decide = () => 'serve'
  const response = await user.raw(`/api/files/${id}/download`)
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
  expect((await run('fsck', '--hash')).code).toBe(0)
})
