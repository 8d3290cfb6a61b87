/** Kills of a server at random bytes of a resumable upload: it goes on, and nothing is lost or left. */
import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { emptyTrash, trashFile } from '../../src/api/trash.ts'
import { listUploads } from '../../src/api/tus.ts'
import { type ServeProcess, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { migrateTest } from '../support/migrated.ts'
import { rounds, seed } from '../support/rounds.ts'
import { adminPassword, createConfig } from '../support/test-server.ts'
import { beginUpload, bytesType, head, idOf, version } from '../support/tus.ts'

const kills = rounds(4, 200)
const size = 12_000_000
const bytes = Buffer.alloc(size, Buffer.from(Array.from({ length: 253 }, (_, index) => (index * 31) % 253)))
const sha256 = createHash('sha256').update(bytes).digest('hex')

let state = seed
/** A number from 0 to below `most`, the same in each run with one seed (Numerical Recipes' generator). */
const random = (most: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state % most
}

let opened: Awaited<ReturnType<typeof createConfig>>
let running: ServeProcess
let client: TestClient
const start = async () => {
  const { config, database } = opened
  const args = ['--data-dir', config.dataDir, ...(database.flag === undefined ? [] : ['--database', database.flag])]
  running = await serveBinary(args, { FILESTORE_ADMIN_PASSWORD: adminPassword, FILESTORE_LOG_LEVEL: 'warn' })
  client = await signIn(running.url, 'admin', adminPassword)
}
beforeAll(async () => {
  opened = await createConfig()
  await migrateTest(opened.config.database)
  await start()
})
afterAll(async () => {
  await running.stop('SIGKILL')
  await opened.database.drop()
  await rm(opened.config.dataDir, { recursive: true, force: true })
})

/** Sends up to `count` bytes; resolves with the status, or null when the server is gone before the answer. */
function send(address: string, offset: number, count: number, onSent: (bytes: number) => void): Promise<number | null> {
  return new Promise(resolve => {
    const body = bytes.subarray(offset, offset + count)
    const headers = { ...client.headers, ...version, ...bytesType, 'upload-offset': String(offset) }
    const sent = request(running.url + address, {
      method: 'PATCH',
      headers: { ...headers, 'content-length': body.length },
      agent: false,
    })
    sent.on('response', response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', () => resolve(null))
    const write = async () => {
      for (let at = 0; at < body.length && !sent.destroyed; at += 65_536) {
        sent.write(body.subarray(at, at + 65_536))
        onSent(at)
        await setImmediate()
      }
      sent.end()
    }
    void write()
  })
}

/** Sends a piece, and kills the server after a random number of its bytes. */
async function killWhileSending(address: string, offset: number): Promise<void> {
  const after = random(size - offset)
  let killed: Promise<unknown> | undefined
  const answer = send(address, offset, size - offset, at => {
    if (at >= after) killed ??= running.stop('SIGKILL')
  })
  await answer
  await (killed ?? running.stop('SIGKILL'))
  await start()
}

/** Where the upload stands; on MariaDB the dead process holds it for a while. */
async function standing(address: string): Promise<{ offset: number; file: string | null }> {
  await expect.poll(async () => (await head(client, address)).status, { timeout: 60_000 }).toBe(200)
  const { headers } = await head(client, address)
  return { offset: Number(headers.get('upload-offset')), file: headers.get('content-location') }
}

test(`an upload survives ${kills} kills of the server at random bytes`, {
  timeout: 60_000 + kills * 30_000,
}, async () => {
  for (let done = 0; done < kills; ) {
    const address = await beginUpload(client, { length: size, metadata: { sha256, name: `${done}.bin` } })
    let { offset, file } = await standing(address)
    let last = 0
    for (; file === null && done < kills; { offset, file } = await standing(address)) {
      expect(offset).toBeGreaterThanOrEqual(last)
      last = offset
      // What was answered survives every kill.
      const piece = random(Math.min(4_000_000, size - offset))
      expect(await send(address, offset, piece, () => undefined)).toBe(204)
      last += piece
      done += 1
      await killWhileSending(address, last)
    }
    if (file === null) {
      expect(await send(address, offset, size - offset, () => undefined)).toBe(204)
      ;({ file } = await standing(address))
    }
    const stored = await client.raw(`${file}/download`)
    expect(
      createHash('sha256')
        .update(Buffer.from(await stored.arrayBuffer()))
        .digest('hex'),
    ).toBe(sha256)
    await client.call(trashFile, { id: Number(idOf(file ?? '')) })
    await client.call(emptyTrash, {})
  }
  expect((await client.call(listUploads, {})).uploads).toEqual([])
  expect(await client.call(getProfile, {})).toMatchObject({ storage_used: 0, storage_reserved: 0 })
  const left = async () =>
    (await readdir(join(opened.config.dataDir, 'storage', 'blobs'), { recursive: true })).filter(
      name => name.length > 60,
    )
  await expect.poll(left).toEqual([])
})
