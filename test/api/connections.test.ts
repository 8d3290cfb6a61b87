/** The limit of connections, and the time limit for the head of a request. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ConnectionRules } from '../../src/http/connections.ts'
import { buildKey, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { openForTest, requestHead } from '../support/wire.ts'

beforeEach(context => onlyOneServer('counts', context))

async function start(rules: Partial<ConnectionRules>) {
  const server = await startServer({}, rules)
  onTestFinished(() => server.close())
  return server
}

/** The status line of the answer to a request; empty when the connection closes. */
async function ask(socket: Socket, url: string): Promise<string> {
  socket.write(requestHead(url, 'GET', '/healthz', {}))
  const answer = await Promise.race([once(socket, 'data'), once(socket, 'close')])
  return String(answer[0]).split('\r\n')[0] ?? ''
}

test('the oldest connection without a request is closed for a new one at the limit of connections', async () => {
  const { url } = await start({ maxConnections: 4 })
  const sockets: Socket[] = []
  for (let count = 0; count < 4; count++) {
    const socket = await openForTest(url)
    expect(await ask(socket, url)).toBe('HTTP/1.1 200 OK')
    sockets.push(socket)
  }
  const closed = once(sockets[0] ?? expect.fail(), 'close')
  expect(await ask(await openForTest(url), url)).toBe('HTTP/1.1 200 OK')
  await closed
  for (const socket of sockets.slice(1)) expect(await ask(socket, url)).toBe('HTTP/1.1 200 OK')
})

test('a new connection is closed when all connections have a running request, and those continue', async () => {
  const server = await start({ maxConnections: 4 })
  const { url } = server
  const { headers: keyHeaders } = await buildKey(server, await buildUser(server), ['files:write'], 'device')
  // The spy counts requests whose user is known.
  const begin = vi.spyOn(server.deps.devicePermits, 'begin')
  const body = JSON.stringify({ name: 'made at last' })
  const headers = { ...keyHeaders, 'content-type': 'application/json', 'content-length': String(body.length) }
  const begun: Socket[] = []
  for (let count = 0; count < 4; count++) {
    const socket = await openForTest(url)
    socket.write(requestHead(url, 'POST', '/api/files/folders', { ...headers, expect: '100-continue' }))
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /)
    begun.push(socket)
    await expect.poll(() => begin.mock.calls.length, { interval: 5 }).toBe(begun.length)
  }
  expect(await ask(await openForTest(url), url)).not.toContain('200')
  for (const [index, socket] of begun.entries()) {
    socket.write(body)
    expect(String((await once(socket, 'data'))[0])).toMatch(index === 0 ? /^HTTP\/1\.1 201 / : /^HTTP\/1\.1 409 /)
  }
  expect(await ask(begun[0] ?? expect.fail(), url)).toBe('HTTP/1.1 200 OK')
})

test('a request whose head arrives byte by byte is cut off after the time limit', async () => {
  const { url } = await start({ headTime: 1000 })
  const socket = await openForTest(url)
  const answer = text(socket)
  let isOpen = true
  socket.once('close', () => {
    isOpen = false
  })
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ')
  // One letter for each request of another client.
  for (let letters = 0; isOpen && letters < 20_000; letters++) {
    socket.write('x')
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"error":"request_timeout"/)
})

test('a head of more than 32 KB is refused', async () => {
  const { url } = await start({})
  const socket = await openForTest(url)
  socket.write(requestHead(url, 'GET', `/api/files?cursor=${'a'.repeat(33_000)}`, {}))
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /)
})
