/** Each fault of an object store, in each call that needs it: the caller is told to come back, and nothing stays. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { runJob } from '../support/jobs.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { largeContent } from '../support/planting.ts'
import { onlyNightly } from '../support/rounds.ts'
import { type S3Fate, type S3Server, startS3Server } from '../support/s3-server.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let store: S3Server
let server: TestServer
let user: BuiltUser
let kept: { id: number; content: Buffer }
/** An image without a thumbnail yet, and one with. */
let [drawn, undrawn] = [0, 0]

const megabyte = 1024 ** 2
/** ms; a caller waits no longer for an answer. */
const patience = 35_000

beforeAll(async () => {
  store = await startS3Server()
  server = await startServer({ storage: store.flag, maxFileSize: '1GB' })
  user = await buildUser(server)
  const content = largeContent()
  kept = { id: (await buildFile(user, { name: 'kept.bin' }, content)).id, content }
  const image = async (name: string) => {
    const bytes = Buffer.concat([await drawImage(900, 700).as('png'), largeContent()])
    return (await buildFile(user, { name }, bytes)).id
  }
  drawn = await image('drawn.png')
  undrawn = await image('undrawn.png')
})
beforeEach(() => {
  store.decide = () => 'serve'
})
afterAll(async () => {
  await server.close()
  await store.close()
})

function upload(bytes: Buffer, name: string): Promise<Response> {
  const body = multipartBody([{ name: 'file', value: bytes, fileName: name }])
  return user.raw('/api/files/upload', { method: 'POST', headers: { 'content-type': multipartType }, body })
}

let names = 0
const newName = (): string => {
  names += 1
  return `new-${names}.bin`
}

/** Calls that need the store. */
const calls: Record<string, () => Promise<Response>> = {
  upload: () => upload(largeContent(), newName()),
  'upload in parts': () => upload(Buffer.alloc(9 * megabyte, newName()), newName()),
  'upload of known content': () => upload(kept.content, newName()),
  download: () => user.raw(`/api/files/${kept.id}/download`),
  'download of a range': () => user.raw(`/api/files/${kept.id}/download`, { headers: { range: 'bytes=7-9' } }),
  preview: () => user.raw(`/api/files/${drawn}/preview`),
  'new thumbnail': () => user.raw(`/api/files/${undrawn}/thumbnail`),
}

async function outcomeOf(call: () => Promise<Response>): Promise<object> {
  const response = await call()
  const { error } = (await response.json()) as { error: string }
  return { status: response.status, error, retryAfter: response.headers.get('retry-after') }
}

const away = { status: 503, error: 'unavailable', retryAfter: '5' }

/** Makes all calls at once, and expects that each is told to come back and that the store has nothing more. */
async function expectAway(fate: S3Fate): Promise<void> {
  const before = [...store.objects.keys()]
  store.decide = () => fate
  const late = AbortSignal.timeout(patience)
  const outcomes = Object.entries(calls).map(async ([name, call]) => [name, await outcomeOf(call)])
  const found = Object.fromEntries(await Promise.all(outcomes))
  expect(late.aborted).toBe(false)
  expect(found).toEqual(Object.fromEntries(Object.keys(calls).map(name => [name, away])))
  store.decide = () => 'serve'
  expect([[...store.objects.keys()], store.uploads.size]).toEqual([before, 0])
  const response = await user.raw(`/api/files/${kept.id}/download`)
  expect(Buffer.from(await response.arrayBuffer()).equals(kept.content)).toBe(true)
}

const lie = (status: number, text: string, headers: Record<string, string> = {}): S3Fate => ({
  lie: response => void response.writeHead(status, headers).end(text),
})

describe('every call is told to come back', () => {
  test.each<[string, S3Fate]>([
    ['breaks connections', 'break'],
    ['fails', { status: 500 }],
    ['is busy', { status: 503, code: 'SlowDown' }],
    ['answers that there are too many requests', { status: 429 }],
    ['refuses the key', { status: 403, code: 'AccessDenied' }],
    ['has lost its bucket', { status: 404, code: 'NoSuchBucket' }],
    ['is hidden by a proxy that knows no such page', lie(404, '404 page not found\n')],
    ['points elsewhere', { status: 301, code: 'PermanentRedirect', location: 'http://127.0.0.1:1/' }],
    ['tells nonsense', lie(500, '<Error><<<')],
    ['tells a megabyte', lie(503, `<Error>${'x'.repeat(megabyte)}`)],
  ])('by a store that %s', async (_what, fate) => {
    await expectAway(fate)
  })

  test('within 35 s by a store that never answers', { timeout: 120_000 }, async context => {
    onlyNightly(context)
    await expectAway('hang')
  })

  test('within 35 s by a store that answers a byte from time to time', { timeout: 120_000 }, async context => {
    onlyNightly(context)
    const timers = new Set<NodeJS.Timeout>()
    context.onTestFinished(() => timers.forEach(clearInterval))
    await expectAway({
      lie: response => {
        response.writeHead(500, { 'content-length': 1000 })
        const timer = setInterval(() => response.write('<'), 2_000)
        timers.add(timer)
        response.on('close', () => clearInterval(timer))
      },
    })
  })
})

describe('a store that takes what it does not keep', () => {
  const uploads = () => ({ small: calls.upload ?? expect.fail(), parts: calls['upload in parts'] ?? expect.fail() })

  test.each<[string, RegExp, S3Fate]>([
    ['answers every PUT with a page of its own', /^PUT /, lie(200, '<html>Welcome</html>')],
    [
      'answers every PUT with an error after a success',
      /^(PUT|POST) /,
      lie(200, '<Error><Code>InternalError</Code></Error>'),
    ],
  ])('and %s acknowledges no upload', async (_what, pattern, fate) => {
    const before = [...store.objects.keys()]
    store.decide = name => (pattern.test(name) ? fate : 'serve')
    for (const call of Object.values(uploads())) expect(await outcomeOf(call)).toEqual(away)
    expect([[...store.objects.keys()], store.uploads.size]).toEqual([before, 0])
  })

  test.each<[string, RegExp, S3Fate]>([
    ['that an upload in parts has begun', /^POST .*uploads=/, lie(200, '<html>Welcome</html>')],
    ['that all parts are there', /^POST .*uploadId=/, lie(200, '<CompleteMultipartUploadResult/>')],
  ])('and only says %s acknowledges no upload', async (_what, pattern, fate) => {
    const before = [...store.objects.keys()]
    store.decide = name => (pattern.test(name) ? fate : 'serve')
    const outcome = await outcomeOf(uploads().parts)
    expect(outcome).toMatchObject({ status: expect.any(Number) })
    expect((outcome as { status: number }).status).toBeGreaterThanOrEqual(500)
    expect([[...store.objects.keys()], store.uploads.size]).toEqual([before, 0])
  })
})

test('parts that could not be dropped are dropped by the sweep', async () => {
  store.decide = name => (/^(PUT|DELETE) /.test(name) ? { status: 500 } : 'serve')
  expect(await outcomeOf(calls['upload in parts'] ?? expect.fail())).toEqual(away)
  store.decide = () => 'serve'
  expect(store.uploads.size).toBe(1)
  for (const unfinished of store.uploads.values()) unfinished.begunAt -= 2 * 86_400_000
  await runJob(server.deps, 'sweep')
  expect(store.uploads.size).toBe(0)
})
