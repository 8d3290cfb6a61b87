/** What is no request that Node can read is answered in the contract's form too, and ends its connection alone. */
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { openSocket, requestHead } from '../support/wire.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** All that the server says on a connection until it ends it. */
async function say(...lines: string[]): Promise<string> {
  const socket = await openSocket(server.url)
  for (const line of lines) socket.write(line)
  return text(socket)
}

const refusal = (message: string) => ({
  success: false,
  message,
  error: 'invalid_input',
  request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
})

describe('what is no request', () => {
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
    const [head = '', body = ''] = (await say(bytes)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toContain('X-Content-Type-Options: nosniff')
    expect(head).toContain('Cache-Control: no-store')
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`)
    expect(JSON.parse(body)).toEqual(refusal(message))
  })

  test('is answered after good requests on the same connection too', async () => {
    const socket = await openSocket(server.url)
    socket.write(requestHead(server.url, 'GET', '/healthz', {}))
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200 OK/)
    socket.write('nonsense\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request[\s\S]*"error":"invalid_input"/)
  })
})
