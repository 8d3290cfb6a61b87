/** `filestore fsck` and `backup` over an object store: what is lost or changed there is named, and mended where it can be. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { putAside } from '../../src/blobs/quarantine.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { untilJobRan } from '../support/jobs.ts'
import { largeContent } from '../support/planting.ts'
import { type S3Server, s3Environment, startS3Server } from '../support/s3-server.ts'
import { s3Service } from '../support/s3-service.ts'
import { startServer } from '../support/server.ts'
import { flipMiddle, overwrite } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import { openFolder } from './backups.ts'

let own: S3Server | undefined
let server: TestServer
let user: BuiltUser

beforeAll(async () => {
  own = s3Service === undefined ? await startS3Server({ pageSize: 3 }) : undefined
  server = await startServer(own === undefined ? {} : { storage: own.flag })
  user = await buildUser(server)
})
afterAll(async () => {
  await server.close()
  await own?.close()
})

async function run(...args: string[]) {
  const outcome = own === undefined ? {} : { flags: ['--storage', own.flag], env: s3Environment }
  const { code, stdout, stderr } = await runOn(server, [...args, ...(outcome.flags ?? [])], '', outcome.env)
  return { code, stderr, told: JSON.parse(stdout) as Record<string, unknown> & { findings: object[] } }
}

async function keep(name: string, content = largeContent()) {
  const { id } = await buildFile(user, { name }, content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const row = await server.deps.db.row<{ key: string }>('SELECT `key` FROM blobs WHERE sha256 = $1', [sha256])
  return { name: `${user.username}:/${name} (id:${id})`, id, content, key: row?.key ?? '' }
}

const download = async (id: number) => Buffer.from(await (await user.raw(`/api/files/${id}/download`)).arrayBuffer())

test('names what is missing, cut or changed, mends what was set aside, and a new upload brings the rest back', async () => {
  const { store } = server.deps
  const [whole, gone, cut, other, aside] = [
    await keep('whole.bin', Buffer.alloc(9_000_000, 'w')),
    await keep('gone.bin'),
    await keep('cut.bin'),
    await keep('other.bin'),
    await keep('aside.bin'),
  ]
  expect((await run('fsck', '--hash', '--json')).told.findings).toEqual([])
  await store.remove(gone.key)
  await overwrite(server, cut.key, bytes => bytes.subarray(0, 1000))
  await overwrite(server, other.key, flipMiddle)
  await putAside(store, aside.key, Date.now())
  const lost = [
    { problem: 'content-missing', name: gone.name, verdict: 'lost', repaired: false },
    { problem: 'content-size', name: cut.name, verdict: 'lost', repaired: false },
    { problem: 'content-changed', name: other.name, verdict: 'lost', repaired: false },
  ]
  const back = { problem: 'content-set-aside', name: aside.name, verdict: 'repairable' }
  const { code, told } = await run('fsck', '--hash', '--json')
  expect(code).toBe(11)
  expect(told.findings).toHaveLength(4)
  expect(told.findings).toEqual(
    expect.arrayContaining([...lost, { ...back, repaired: false }].map(finding => expect.objectContaining(finding))),
  )
  const backup = await run('backup', await openFolder(), '--json')
  expect(backup).toMatchObject({ code: 1, told: { contents: { count: 1 }, lost_count: 4 } })
  expect((await run('fsck', '--hash', '--repair', '--json')).told.findings).toContainEqual(
    expect.objectContaining({ ...back, repaired: true }),
  )
  expect((await download(aside.id)).equals(aside.content)).toBe(true)
  for (const { content } of [gone, cut, other]) await buildFile(user, {}, content)
  expect(await run('fsck', '--hash', '--json')).toMatchObject({ code: 0, told: { findings: [] } })
  for (const { id, content } of [whole, gone, cut, other]) expect((await download(id)).equals(content)).toBe(true)
  const place = await openFolder()
  expect(await run('backup', place, '--json')).toMatchObject({ code: 0, told: { contents: { count: 5 } } })
  expect((await run('backup', '--verify', place, '--json')).code).toBe(0)
})

test.skipIf(s3Service !== undefined)(
  'learns the sizes of many contents from lists, and asks only for what is not as listed',
  async () => {
    const before = await keep('before.bin')
    for (let count = 0; count < 20; count++) await keep(`${count}.bin`)
    const sizesAsked = async () => {
      if (own === undefined) return expect.fail()
      own.requests.length = 0
      const { code } = await run('fsck', '--json')
      return { code, asked: own.requests.filter(name => /^HEAD \S+\/b\//.test(name)).length }
    }
    expect(await sizesAsked()).toEqual({ code: 0, asked: 0 })
    await server.deps.store.remove(before.key)
    expect(await sizesAsked()).toEqual({ code: 11, asked: 1 })
    await buildFile(user, {}, before.content)
    await server.deps.removals.settled()
    expect(await sizesAsked()).toEqual({ code: 0, asked: 0 })
  },
)

test.skipIf(s3Service !== undefined)('lists the store once where all bytes are in the database', async () => {
  const bucket = await startS3Server()
  onTestFinished(bucket.close)
  const other = await startServer({ storage: bucket.flag })
  onTestFinished(other.close)
  const someone = await buildUser(other)
  const { id } = await buildFile(someone, { name: 'image.png' }, await drawImage(64, 48).as('png'))
  expect((await someone.raw(`/api/files/${id}/thumbnail`)).status).toBe(200)
  // It lists the store, too.
  await untilJobRan(other.deps, 'sweep')
  bucket.requests.length = 0
  const { code, stdout } = await runOn(other, ['fsck', '--json', '--storage', bucket.flag], '', s3Environment)
  expect({ code, told: JSON.parse(stdout) }).toMatchObject({ code: 0, told: { checked: { thumbnails: 1 } } })
  expect(bucket.requests.filter(name => /[?&]prefix=here%2Fb%2F(&|$)/.test(name))).toHaveLength(1)
})

/** A server with two files in a store of its own, and a run of fsck that reads them. */
async function startOther() {
  const bucket = await startS3Server()
  onTestFinished(bucket.close)
  const other = await startServer({ storage: bucket.flag })
  onTestFinished(other.close)
  const someone = await buildUser(other)
  for (const name of ['one.bin', 'two.bin']) await buildFile(someone, { name }, largeContent())
  const check = () => runOn(other, ['fsck', '--hash', '--json', '--storage', bucket.flag], '', s3Environment)
  return { bucket, check }
}
const isContent = (name: string): boolean => /^GET \S+\/b\//.test(name)

test.skipIf(s3Service !== undefined)('calls nothing lost when the store is away in the middle', async () => {
  const { bucket, check } = await startOther()
  let isAway = false
  bucket.decide = name => {
    isAway ||= isContent(name)
    return isAway ? { status: 503 } : 'serve'
  }
  const { code, stdout, stderr } = await check()
  expect([code, stdout]).toEqual([7, ''])
  expect(stderr).toContain('The storage cannot be reached')
})

test.skipIf(s3Service !== undefined)(
  'names a content that the store cannot deliver, and reads the others',
  async () => {
    const { bucket, check } = await startOther()
    let refused: string | undefined
    bucket.decide = name => {
      if (isContent(name)) refused ??= name
      return name === refused ? { status: 500, code: 'InternalError' } : 'serve'
    }
    const { code, stdout } = await check()
    expect({ code, told: JSON.parse(stdout) }).toMatchObject({
      code: 11,
      told: { checked: { blobs: 2 }, findings: [{ problem: 'content-unreadable', verdict: 'lost' }] },
    })
  },
)

test('bytes whose key is damaged in their row are found under their own, in the store and in quarantine', async () => {
  const { db, store } = server.deps
  const [kept, aside, malformed, gone, cut, mixed] = [
    await keep('kept.bin'),
    await keep('put aside.bin'),
    await keep('malformed.bin'),
    await keep('missing.bin'),
    await keep('short key.bin'),
    await keep('mixed.bin'),
  ]
  const spoilKey = (key: string, at: number, character: string) =>
    db.touch(() =>
      db.change('UPDATE blobs SET `key` = $1 WHERE `key` = $2', [
        key.slice(0, at) + character + key.slice(at + character.length),
        key,
      ]),
    )
  const otherDigit = (key: string, at: number) => (key[at] === '5' ? '7' : '5')
  await spoilKey(kept.key, 0, otherDigit(kept.key, 0))
  await spoilKey(aside.key, 63, otherDigit(aside.key, 63))
  await spoilKey(malformed.key, 20, 'q')
  await db.touch(() => db.change('UPDATE blobs SET `key` = $1 WHERE `key` = $2', [cut.key.slice(0, 60), cut.key]))
  await spoilKey(mixed.key, 7, `${otherDigit(mixed.key, 7)}${otherDigit(mixed.key, 8)}`)
  await spoilKey(gone.key, 40, otherDigit(gone.key, 40))
  await putAside(store, aside.key, Date.now())
  await store.remove(gone.key)
  const { told } = await run('fsck', '--repair', '--json')
  const mended = [kept, aside, malformed, cut, mixed].map(({ name }) => ({
    problem: 'content-row',
    name,
    repaired: true,
  }))
  const missing = { problem: 'content-missing', name: gone.name, verdict: 'lost' }
  expect(told.findings).toEqual(expect.arrayContaining([...mended, missing].map(one => expect.objectContaining(one))))
  for (const { id, content } of [kept, aside, malformed, cut, mixed])
    expect((await download(id)).equals(content)).toBe(true)
  await buildFile(user, {}, gone.content)
  expect(await run('fsck', '--hash', '--json')).toMatchObject({ code: 0, told: { findings: [] } })
})
