/** Requests that Node cannot parse get an answer in the API's envelope, and only their connection ends. */
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openClient } from '../support/client.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead } from '../support/wire.ts'

beforeEach(context => onlyOneServer('proxy', context))

let server: TestServer
let secure: TestServer
beforeAll(async () => {
  server = await startServer()
  secure = await startServer({ publicUrl: 'https://files.example.org' })
})
afterAll(async () => {
  await server.close()
  await secure.close()
})

/** Everything that the server sends on a connection until it closes. */
async function say(bytes: string, to = server): Promise<string> {
  const socket = await openSocket(to.url)
  socket.write(bytes)
  return text(socket)
}

const refusal = (message: string) => ({
  success: false,
  message,
  error: 'invalid_input',
  request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
})

const split = (answer: string) => {
  const end = answer.indexOf('\r\n\r\n')
  return { head: answer.slice(0, end), body: answer.slice(end + 4) }
}

/** Requests that HTTP/1.1 forbids or leaves to the server, and that Node would answer itself. */
const improper: [name: string, bytes: string, status: number, message: string][] = [
  ['no Host', 'GET /api/files HTTP/1.1\r\n\r\n', 400, 'The request has no Host header'],
  ['no Host for the page', 'GET / HTTP/1.1\r\n\r\n', 400, 'The request has no Host header'],
  [
    'two Hosts',
    'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: y\r\nhOST: evil.example\r\n\r\n',
    400,
    'The request has more than one Host header',
  ],
  [
    'the same Host twice',
    'GET / HTTP/1.0\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n',
    400,
    'The request has more than one Host header',
  ],
  [
    'an expectation',
    'GET /api/files HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: miracles\r\n\r\n',
    417,
    'The server meets no such expectation',
  ],
  [
    'an expectation before a body',
    'POST /api/files/folders HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: miracles\r\nContent-Length: 100\r\n\r\n',
    417,
    'The server meets no such expectation',
  ],
  [
    'a head that is too large',
    `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n`,
    431,
    'The address or the headers are too large',
  ],
  ['no HTTP', 'nonsense\r\n\r\n', 400, 'This is not an HTTP request'],
]

describe('a request that Node would answer itself', () => {
  test.each(improper)('gets the usual headers and the envelope: %s', async (_name, bytes, status, message) => {
    for (const [to, strict] of [
      [server, false],
      [secure, true],
    ] as const) {
      const proper = await openClient(to.url).raw('/api/nowhere')
      await proper.body?.cancel()
      const { head, body } = split(await say(bytes, to))
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      for (const [name, value] of proper.headers) {
        if (!['date', 'content-length', 'connection', 'keep-alive', 'x-request-id'].includes(name))
          expect(head.toLowerCase()).toContain(`${name}: ${value.toLowerCase()}`)
      }
      expect(proper.headers.has('strict-transport-security')).toBe(strict)
      expect(head).toMatch(/\r\nConnection: close/i)
      expect(JSON.parse(body)).toEqual(refusal(message))
      expect(head).toContain(`X-Request-Id: ${JSON.parse(body).request_id}`)
    }
  })

  test('is refused when it asks for a tunnel', async () => {
    const { head, body } = split(await say('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'))
    expect(head).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/)
    expect(head).toContain('X-Content-Type-Options: nosniff')
    expect(JSON.parse(body)).toEqual({ ...refusal('CONNECT is not possible here'), error: 'method_not_allowed' })
  })

  test('gets the usual answer when it offers another protocol, or has no Host in HTTP/1.0', async () => {
    const upgrade =
      'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n'
    for (const bytes of [upgrade, 'GET /healthz HTTP/1.0\r\n\r\n']) {
      const { head, body } = split(await say(bytes))
      expect(head).toMatch(/^HTTP\/1\.1 200 /)
      expect(head).toContain('X-Content-Type-Options: nosniff')
      expect(body).toBe('{"status":"ok"}')
    }
  })

  test('does not put its answer into the middle of a running download', async () => {
    const user = await buildUser(server)
    const { id } = await buildFile(user, {}, Buffer.alloc(20 * 1024 ** 2))
    const socket = await openSocket(server.url)
    socket.write(requestHead(server.url, 'GET', `/api/files/${id}/download`, user.headers))
    await once(socket, 'data')
    socket.write(`${requestHead(server.url, 'GET', '/healthz', {}).repeat(20)}nonsense\r\n\r\n`)
    expect(await text(socket).catch(String)).not.toContain('invalid_input')
  })
})

describe('invalid HTTP', () => {
  test.each([
    ['a method in lower case', 'get /api/files HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'This is not an HTTP request'],
    ['a header without a colon', 'GET /api/files HTTP/1.1\r\nHost a\r\n\r\n', 400, 'This is not an HTTP request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'This is not an HTTP request',
    ],
    [
      'an address of 200 KB',
      `GET /api/files?cursor=${'a'.repeat(200_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'The address or the headers are too large',
    ],
  ])('is answered in the envelope: %s', async (_name, bytes, status, message) => {
    const { head, body } = split(await say(bytes))
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`)
    expect(JSON.parse(body)).toEqual(refusal(message))
  })

  test('is answered after valid requests on the same connection, too', async () => {
    const socket = await openSocket(server.url)
    socket.write(requestHead(server.url, 'GET', '/healthz', {}))
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200 OK/)
    socket.write('nonsense\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request[\s\S]*"error":"invalid_input"/)
  })
})
