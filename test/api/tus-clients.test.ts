/** The client that most programs use, tus-js-client, as its documentation shows it. */
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { type DetailedError, type HttpRequest, Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFile, listFiles } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { finishUpload, listUploads } from '../../src/api/tus.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { discard, idOf } from '../support/tus.ts'
import { buildLink } from '../support/visitor.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer({ maxFileSize: '1GB' })
  user = await buildUser(server)
})
afterAll(() => server.close())

const bytes = randomBytes(3_000_000)

interface Outcome {
  upload: Upload
  error: Error | DetailedError | null
  fileId: number | null
}

const optionsOf = (options: Partial<UploadOptions>): UploadOptions => ({
  endpoint: `${server.url}/api/uploads`,
  headers: user.headers,
  chunkSize: 1_000_000,
  retryDelays: [0, 0],
  ...options,
  metadata: { filename: `${randomBytes(4).toString('hex')}.bin`, ...options.metadata },
})

/** Uploads to the end, and tells what the client reports. */
const run = (source: Buffer | Readable, options: Partial<UploadOptions> = {}): Promise<Outcome> =>
  new Promise(resolve => {
    let fileId: number | null = null
    const upload = new Upload(source, {
      ...optionsOf(options),
      onAfterResponse: (request, response) => {
        const address = response.getHeader('Content-Location')
        if (address) fileId = Number(idOf(address))
        return options.onAfterResponse?.(request, response)
      },
      onSuccess: () => resolve({ upload, error: null, fileId }),
      onError: error => resolve({ upload, error, fileId }),
    })
    upload.start()
  })

const contentOf = async (id: number | null): Promise<Buffer> =>
  Buffer.from(await (await user.raw(`/api/files/${id}/download`)).arrayBuffer())

test.each([
  ['pieces', { chunkSize: 1_000_000 }],
  ['one request', { chunkSize: Number.POSITIVE_INFINITY }],
  ['pieces, the first with the creation', { uploadDataDuringCreation: true }],
])('a file comes in %s', async (_how, options) => {
  const { error, fileId } = await run(bytes, options)
  expect(error).toBeNull()
  expect((await contentOf(fileId)).equals(bytes)).toBe(true)
})

test('a stream of known length comes in pieces', async () => {
  const { error, fileId } = await run(Readable.from([bytes.subarray(0, 1_500_000), bytes.subarray(1_500_000)]), {
    uploadSize: bytes.length,
  })
  expect(error).toBeNull()
  expect((await contentOf(fileId)).equals(bytes)).toBe(true)
})

test('an upload that was aborted goes on, with another upload of the same file', async () => {
  let first: Upload | undefined
  const url = await new Promise<string>(resolve => {
    first = new Upload(
      bytes,
      optionsOf({ onChunkComplete: () => void first?.abort().then(() => resolve(first?.url ?? '')) }),
    )
    first.start()
  })
  const sent: number[] = []
  const { error, fileId } = await run(bytes, { uploadUrl: url, onProgress: done => sent.push(done) })
  expect(error).toBeNull()
  expect(sent[0]).toBeGreaterThanOrEqual(1_000_000)
  expect((await contentOf(fileId)).equals(bytes)).toBe(true)
})

test('an upload that is gone is begun anew', async () => {
  const { upload, error } = await run(bytes, { metadata: { name: 'first.bin' } })
  expect(error).toBeNull()
  await discard(user, new URL(upload.url ?? '').pathname)
  const again = await run(bytes, { uploadUrl: upload.url })
  expect(again.error).toBeNull()
  expect((await contentOf(again.fileId)).equals(bytes)).toBe(true)
})

test('an upload that is ended by its client is gone', async () => {
  let aborting: Upload | undefined
  const before = (await user.call(listUploads, {})).uploads.length
  await new Promise<void>(resolve => {
    aborting = new Upload(bytes, optionsOf({ onChunkComplete: () => void aborting?.abort(true).then(resolve) }))
    aborting.start()
  })
  expect((await user.call(listUploads, {})).uploads).toHaveLength(before)
})

test.each(['the folder goes', 'the name is taken'])('no success is told when %s meanwhile', async what => {
  const folder = await buildFolder(user)
  const name = `${what}.bin`
  let isSpoilt = false
  const metadata = { name, parent_id: String(folder.id), on_conflict: 'fail' }
  const outcome = await run(bytes, {
    metadata,
    onAfterResponse: async () => {
      if (isSpoilt) return
      isSpoilt = true
      if (what === 'the folder goes') await user.call(trashFile, { id: folder.id })
      else await buildFile(user, { name, parent_id: folder.id })
    },
  })
  expect(outcome.error).not.toBeNull()
  // Asked again, from the client's memory of the upload, it is still no success, and nothing is begun anew.
  const before = (await user.call(listUploads, {})).uploads
  const again = await run(bytes, { uploadUrl: outcome.upload.url, metadata })
  expect(again.error).not.toBeNull()
  expect((await user.call(listUploads, {})).uploads.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  const upload = before.find(one => one.name === name)
  expect(upload).toMatchObject({ state: 'failed', received: bytes.length })
  const { file } = await user.call(finishUpload, { id: upload?.id ?? '', parent_id: null, name: `saved ${name}` })
  expect((await contentOf(file.id)).equals(bytes)).toBe(true)
})

test('a wrong SHA-256 of the whole is told, and a right one holds', async () => {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const right = await run(bytes, { metadata: { sha256 } })
  expect(right.error).toBeNull()
  expect((await user.call(getFile, { id: right.fileId ?? 0 })).file.size).toBe(bytes.length)
  const wrong = await run(bytes, { metadata: { sha256: sha256.replace(/./g, '0') }, retryDelays: [] })
  expect(wrong.error).not.toBeNull()
})

test('a visitor sends a file to a link, and goes on after a broken line', async () => {
  const folder = await buildFolder(user)
  const { token } = await buildLink(user, folder, { level: 'upload' })
  let requests = 0
  const sender = {
    endpoint: `${server.url}/api/s/${token}/uploads`,
    headers: {},
    onBeforeRequest: (request: HttpRequest) => {
      requests += 1
      // The client asks how far it has come, and goes on there.
      if (requests === 3) void request.abort()
    },
  }
  const { error, fileId } = await run(bytes, sender)
  expect([error, fileId]).toEqual([null, null])
  const { files } = await user.call(listFiles, { parent_id: folder.id })
  expect(files).toHaveLength(1)
  expect((await contentOf(files[0]?.id ?? 0)).equals(bytes)).toBe(true)
})
