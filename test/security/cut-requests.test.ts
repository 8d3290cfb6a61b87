/** Requests that the server ends early get an answer: a balancer takes a server that gives none for a dead one. */
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ConnectionRules } from '../../src/http/connections.ts'
import { startBalancer } from '../support/nginx-process.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
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

test('a request with too many tiny chunks is answered with 400 before its connection ends', async () => {
  const { url } = await start()
  expect(await sendTiny(url)).toMatch(/^HTTP\/1\.1 400 /)
})

describe('behind nginx, sign-ins that are cut', () => {
  async function startBehindNginx(rules: Partial<ConnectionRules>): Promise<string> {
    const servers = [await start(rules), await start(rules)]
    const hosts = servers.map(({ url }) => new URL(url).host)
    const nginx = await startBalancer(null, hosts)
    onTestFinished(() => nginx.stop())
    return nginx.url
  }

  test('because they are late keep nobody else from the servers', async () => {
    const url = await startBehindNginx({ bodyTime: 200 })
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => sendLate(url)))
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
  })

  test('because they take all connections keep nobody else from the servers', async () => {
    const url = await startBehindNginx({ maxConnections: 2 })
    const answers: Promise<string>[] = []
    for (let count = 0; count < 8; count++) {
      answers.push(sendLate(url))
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
    expect(await answers[0]).toMatch(/^HTTP\/1\.1 503 /)
  })
})
