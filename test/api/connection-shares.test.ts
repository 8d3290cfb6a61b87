/** The limit of connections for each network, and which connection is closed when there are too many. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { maxPublicBodyBytes } from '../../src/api/limits.ts'
import type { Flags } from '../../src/config-options.ts'
import type { ConnectionRules } from '../../src/http/connections.ts'
import { openClient, signIn } from '../support/client.ts'
import { buildUser } from '../support/factories.ts'
import { holdUpload } from '../support/held-upload.ts'
import { readHoldings } from '../support/holdings.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { openForTest, requestHead } from '../support/wire.ts'

beforeEach(context => onlyOneServer('counts', context))

async function start(rules: Partial<ConnectionRules>, flags: Flags = {}) {
  const server = await startServer(flags, rules)
  onTestFinished(() => server.close())
  return server
}

const json = { 'content-type': 'application/json', expect: '100-continue' }

/** A sign-in without its last byte, on a connection of its own; resolves when the server reads its body. */
async function holdSignIn(url: string): Promise<Socket> {
  const body = JSON.stringify({ username: 'nobody', password: 'a password' })
  const socket = await openForTest(url)
  const headers = { ...json, 'content-length': String(body.length) }
  socket.write(requestHead(url, 'POST', '/api/auth/login', headers) + body.slice(0, -1))
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /)
  return socket
}

/** The status line of the answer to a request; empty when the connection closes. */
async function ask(socket: Socket, url: string): Promise<string> {
  const answer = Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.write(requestHead(url, 'GET', '/healthz', {}))
  return String((await answer)[0]).split('\r\n')[0] ?? ''
}

describe('sign-ins that never end', () => {
  test('are closed, the oldest first, when a new client arrives and all connections are taken', async () => {
    const { url, adminName, adminPassword } = await start({ maxConnections: 4 })
    const held: Socket[] = []
    for (let count = 0; count < 4; count++) held.push(await holdSignIn(url))
    const closed = once(held[0] ?? expect.fail(), 'close')
    expect((await (await signIn(url, adminName, adminPassword)).raw('/api/files')).status).toBe(200)
    await closed
    expect(held.at(-1)?.destroyed).toBe(false)
  })

  test('are closed after their time limit, while a user’s slow upload continues', async () => {
    const server = await start({ bodyTime: 500 })
    const user = await buildUser(server)
    const upload = await holdUpload(server, user)
    onTestFinished(() => {
      upload.destroy()
    })
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(1)
    const socket = await holdSignIn(server.url)
    await once(socket, 'close')
    expect(upload.destroyed).toBe(false)
    expect((await readHoldings(server)).keys).toHaveLength(1)
  })

  test('may send at most 16 KB', async () => {
    const { url } = await start({})
    const login = (body: string) =>
      openClient(url).raw('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': json['content-type'] },
        body,
      })
    expect((await login('{'.padEnd(maxPublicBodyBytes))).status).toBe(400)
    const refused = await login('{'.padEnd(maxPublicBodyBytes + 1))
    expect(refused.status).toBe(413)
    expect(await refused.json()).toMatchObject({ error: 'body_too_large', message: 'The body is larger than 16 KB' })
    const socket = await openForTest(url)
    const headers = { 'content-type': json['content-type'], 'transfer-encoding': 'chunked' }
    const answer = text(socket)
    socket.write(`${requestHead(url, 'POST', '/api/auth/login', headers)}8000\r\n${' '.repeat(0x8000)}\r\n`)
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('the limit of connections for a network', () => {
  test('closes a connection for a new one: first one without a request, then one without an account, else the new one', async () => {
    const server = await start({ maxOfNetwork: 3 })
    const { url } = server
    const user = await buildUser(server)
    const uploads = [await holdUpload(server, user), await holdUpload(server, user)]
    onTestFinished(() => {
      for (const upload of uploads) upload.destroy()
    })
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(2)
    // The connections that made the user may still be open.
    const idle = await openForTest(url)
    expect(await ask(idle, url)).toBe('HTTP/1.1 200 OK')
    const idleClosed = once(idle, 'close')
    const signingIn = await holdSignIn(url)
    await idleClosed
    const signInClosed = once(signingIn, 'close')
    const third = await holdUpload(server, user)
    uploads.push(third)
    await signInClosed
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(3)
    expect(await ask(await openForTest(url), url)).not.toContain('200')
    expect(uploads.map(({ destroyed }) => destroyed)).toEqual([false, false, false])
  })

  test('does not apply to a listed proxy, because all users of the proxy share its address', async () => {
    const { url } = await start({ maxOfNetwork: 2 }, { trustProxy: '127.0.0.1' })
    const sockets = [await openForTest(url), await openForTest(url), await openForTest(url), await openForTest(url)]
    for (const socket of sockets) expect(await ask(socket, url)).toBe('HTTP/1.1 200 OK')
    for (const socket of sockets) expect(await ask(socket, url)).toBe('HTTP/1.1 200 OK')
  })
})
