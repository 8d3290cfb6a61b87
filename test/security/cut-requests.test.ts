/** Requests that the server ends early get an answer: a balancer takes a server that gives none for a dead one. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, type TestContext, test } from 'vitest'
import { maxPublicBodyBytes } from '../../src/api/limits.ts'
import { listUploads } from '../../src/api/tus.ts'
import type { ConnectionRules } from '../../src/http/connections.ts'
import { startCaddy } from '../support/caddy-process.ts'
import { buildUser } from '../support/factories.ts'
import { startHaproxy } from '../support/haproxy-process.ts'
import { startBalancer } from '../support/nginx-process.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { bytesType, metadataOf, version } from '../support/tus.ts'
import { openForTest, requestHead } from '../support/wire.ts'

beforeEach(context => onlyOneServer('proxy', context))

const json = { 'content-type': 'application/json' }

async function start(rules: Partial<ConnectionRules> = {}) {
  const server = await startServer({ trustProxy: '127.0.0.1' }, rules)
  onTestFinished(() => server.close())
  return server
}

/** Sends the start of a sign-in; resolves with all that comes until the connection ends. */
async function startLogin(url: string, headers: Record<string, string>, body: string): Promise<string> {
  const socket = await openForTest(url)
  socket.write(requestHead(url, 'POST', '/api/auth/login', { ...json, ...headers }) + body)
  return text(socket).catch(() => '')
}

/** A sign-in without its last bytes. */
const sendLate = (url: string) => startLogin(url, { 'content-length': '60' }, '{"username":')

const oneByte = '1\r\na\r\n'

/** A sign-in in thousands of tiny chunks. */
const sendTiny = (url: string) => startLogin(url, { 'transfer-encoding': 'chunked' }, oneByte.repeat(50_000))

describe('a request whose body does not come in time', () => {
  test('is answered with 408 before its connection ends', async () => {
    const { url } = await start({ bodyTime: 200 })
    const answer = await sendLate(url)
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(answer).toMatch(/\r\nConnection: close\r\n/i)
    expect(answer).toContain('"error":"request_timeout"')
    const id = /\r\nX-Request-Id: (\S+)\r\n/i.exec(answer)?.[1]
    expect(answer).toContain(`"request_id":"${id}"`)
  })
})

describe('a request that is refused before its body has arrived', () => {
  /** The requests of a test, as Node tells of them, which ended without their body. */
  function countEnded(): () => number {
    let ended = 0
    const note = (message: unknown) => {
      const { request } = message as { request: IncomingMessage }
      request.once('close', () => {
        if (!request.complete) ended += 1
      })
    }
    subscribe('http.server.request.start', note)
    onTestFinished(() => {
      unsubscribe('http.server.request.start', note)
    })
    return () => ended
  }

  test.each([
    ['unread', '/api/nothing', '{"a":'],
    ['while it is read', '/api/auth/login', `"${' '.repeat(maxPublicBodyBytes)}`],
  ])('%s ends with its connection, so that nothing holds it', async (_when, path, first) => {
    const { url } = await start()
    const ended = countEnded()
    const socket = await openForTest(url)
    socket.write(requestHead(url, 'POST', path, { ...json, 'transfer-encoding': 'chunked' }))
    socket.write(`${first.length.toString(16)}\r\n${first}\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 4\d\d /)
    await expect.poll(ended).toBe(1)
  })
})

test('a cut request of a session has one answer, and is no failure of the server', async () => {
  const server = await start()
  const user = await buildUser(server)
  const socket = await openForTest(server.url)
  const headers = { ...user.headers, ...json, origin: server.url, 'transfer-encoding': 'chunked' }
  socket.write(requestHead(server.url, 'POST', '/api/files/folders', headers) + oneByte.repeat(5000))
  const answer = await text(socket).catch(() => '')
  expect(answer.match(/HTTP\/1\.1 /g)).toEqual(['HTTP/1.1 '])
  expect(answer).toContain('too many chunks')
  const failures = await server.deps.metrics.getSingleMetric('filestore_failures_total')?.get()
  expect(failures?.values.filter(({ value }) => value > 0)).toEqual([])
})

test('an upload that is cut off in its first request leaves nothing', async () => {
  const server = await start()
  const user = await buildUser(server)
  const socket = await openForTest(server.url)
  const headers = {
    ...{ ...user.headers, ...version, ...bytesType, origin: server.url },
    ...{
      'upload-length': '5000000',
      'upload-metadata': metadataOf({ name: 'big.bin' }),
      'transfer-encoding': 'chunked',
    },
  }
  socket.write(requestHead(server.url, 'POST', '/api/uploads', headers) + oneByte.repeat(5000))
  expect(await text(socket).catch(() => '')).toMatch(/^HTTP\/1\.1 400 /)
  await expect.poll(async () => (await user.call(listUploads, {})).uploads).toEqual([])
})

test('a request with too many tiny chunks is answered with 400 before its connection ends', async () => {
  const { url } = await start()
  expect(await sendTiny(url)).toMatch(/^HTTP\/1\.1 400 /)
})

async function startBehind(
  startProxy: typeof startCaddy,
  rules: Partial<ConnectionRules>,
  context: TestContext | null = null,
): Promise<string> {
  const servers = [await start(rules), await start(rules)]
  const hosts = servers.map(({ url }) => new URL(url).host)
  const balancer = await startProxy(context, hosts)
  onTestFinished(() => balancer.stop())
  return balancer.url
}

describe('behind nginx, requests that are cut', () => {
  test('because they are late keep nobody else from the servers', async () => {
    const url = await startBehind(startBalancer, { bodyTime: 200 })
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => sendLate(url)))
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
  })

  test.each([
    ['a head that is no HTTP', 'POST / HTTP/1.1', 'X-Odd: a\x01b\r\n', 400],
    ['an unknown method', 'FOO / HTTP/1.1', '', 400],
    ['a head that is too large', 'POST / HTTP/1.1', `X-Long: ${'x'.repeat(40_000)}\r\n`, 431],
  ])('because of %s keep nobody else from the servers', async (_what, line, header, status) => {
    const url = await startBehind(startBalancer, {})
    for (let round = 0; round < 3; round++) {
      const socket = await openForTest(url)
      const answer = text(socket).catch(() => '')
      socket.write(
        `${line}\r\nHost: ${new URL(url).host}\r\n${header}Connection: close\r\nContent-Length: 3000000\r\n\r\n`,
      )
      socket.write('x'.repeat(3_000_000))
      expect(await answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
  })

  test('because they take all connections keep nobody else from the servers', async () => {
    const url = await startBehind(startBalancer, { maxConnections: 2 })
    const answers: Promise<string>[] = []
    for (let count = 0; count < 8; count++) {
      answers.push(sendLate(url))
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
    expect(await answers[0]).toMatch(/^HTTP\/1\.1 503 /)
  })
})

describe.each([
  ['nginx', startBalancer],
  ['HAProxy', startHaproxy],
  ['Caddy', startCaddy],
] as const)('behind %s, requests that are cut', (_balancer, startProxy) => {
  test.for<[string, Record<string, string>, string]>([
    ['breaks off in its body', { 'content-length': '60' }, '{"username":'],
    ['breaks off in a chunk', { 'transfer-encoding': 'chunked' }, '60\r\n{"username":'],
    ['has a chunk that is none', { 'transfer-encoding': 'chunked' }, 'ZZZ\r\n'],
  ])('because their client %s keep nobody waiting for the servers', async ([_what, headers, body], context) => {
    const url = await startBehind(startProxy, {}, context)
    for (let round = 0; round < 4; round++) {
      const socket = await openForTest(url)
      socket.write(requestHead(url, 'POST', '/api/auth/login', { ...json, ...headers }) + body)
      await Promise.race([text(socket).catch(() => ''), setTimeout(200)])
      socket.destroy()
      // A balancer that leaves servers out holds requests back for five seconds.
      const signal = AbortSignal.timeout(4_000)
      expect((await fetch(`${url}/healthz`, { signal })).status).toBe(200)
    }
  })
})
