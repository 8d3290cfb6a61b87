/** `Expect: 100-continue`: a client that asks first sends no byte of a body that its request's head has refused. */
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openForTest, requestHead } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const form = multipartBody([{ name: 'file', fileName: 'asked.txt', value: 'asked first' }])

const headOf = (headers: Record<string, string>) =>
  requestHead(server.url, 'POST', '/api/files/upload', {
    ...headers,
    'content-type': multipartType,
    'content-length': String(form.length),
    expect: '100-continue',
  })

/** Sends a head alone, and reads what comes until the server ends the connection. */
async function ask(head: string): Promise<string> {
  const socket = await openForTest(server.url)
  socket.write(head)
  return text(socket)
}

describe('a request that asks before it sends its body', () => {
  test('is told to go on, and its upload is stored', async () => {
    const socket = await openForTest(server.url)
    socket.write(headOf(user.headers))
    expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(form)
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 201 /)
    // The connection goes on.
    socket.write(requestHead(server.url, 'GET', '/healthz', {}))
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('is refused at once without a right, and by a path without a call', async context => {
    onlyOneServer('proxy', context)
    expect(await ask(headOf({}))).toMatch(/^HTTP\/1\.1 401 /)
    const headers = { ...user.headers, 'content-length': '10', expect: '100-continue' }
    expect(await ask(requestHead(server.url, 'POST', '/api/no-such-call', headers))).toMatch(/^HTTP\/1\.1 404 /)
  })
})
