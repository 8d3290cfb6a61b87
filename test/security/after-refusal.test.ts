/** Requests that follow a refused one on its connection, after the answer that closes the connection. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServeProcess, serveBinary } from '../support/binary.ts'
import { openForTest } from '../support/wire.ts'

let folder: string
let server: ServeProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestore-after-refusal-'))
  server = await serveBinary(['--data-dir', join(folder, 'data')])
})
afterAll(async () => {
  await server.stop('SIGKILL')
  await rm(folder, { recursive: true })
})

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
const twoHosts = 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 1\r\n\r\n'
const foreign = 'POST /api/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\n'
const slow = get('/readyz')

/** Sends the first requests in one packet, and `later` when the refusal has arrived; resolves when it is over. */
async function sendAround(first: string, later: string): Promise<string> {
  const socket = await openForTest(server.url)
  const closed = new Promise(resolve => socket.once('close', resolve))
  let seen = ''
  socket.on('data', (piece: Buffer) => {
    const isNew = !/ 40\d /.test(seen)
    seen += piece.toString()
    if (isNew && / 40\d /.test(seen)) socket.write(later)
  })
  socket.write(first)
  await closed
  return seen
}

describe('a request after the answer that closes its connection', () => {
  test.each([
    ['behind answers that are still being prepared', `${slow + twoHosts}x${slow}${slow}`, get('/healthz')],
    ['behind a single one', `${twoHosts}x${slow}`, get('/healthz').repeat(2)],
    ['on its own', `${twoHosts}x`, get('/healthz')],
    ['behind the body of a refused call', foreign, `x${slow}${get('/healthz')}`],
    ['after a refusal without a body', `${slow}GET / HTTP/1.1\r\n\r\n${slow}`, get('/healthz')],
  ])('is not answered, and the server goes on: %s', async (_where, first, later) => {
    for (let round = 0; round < 5; round++) {
      const answers = await sendAround(first, later)
      const statuses = [...answers.matchAll(/HTTP\/1.1 (\d+) /g)].map(([, status]) => Number(status))
      expect(statuses.filter(status => status !== 200)).toEqual([expect.toBeOneOf([400, 404])])
      expect(statuses.at(-1)).not.toBe(200)
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    }
  })
})
