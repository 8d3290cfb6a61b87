/** What stands in place of a path in a request's first line: it ends neither the server nor leads elsewhere. */
import { once } from 'node:events'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rounds, seed } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openForTest } from '../support/wire.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Sends a request with this target, and returns the first line of the answer. */
async function ask(target: string, method = 'GET'): Promise<string> {
  const socket = await openForTest(server.url)
  socket.write(
    `${method} ${target} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nConnection: close\r\n\r\n`,
    'latin1',
  )
  const [first] = await once(socket, 'data')
  socket.destroy()
  return String(first).split('\r\n', 1)[0] ?? ''
}

const isAlive = async () => (await fetch(`${server.url}/healthz`)).status

test.each([
  'http://[::1/',
  'http://xn--a/',
  'https://[/',
  'http://',
  '*',
  'HTTP://a:b@[/healthz',
  'ftp://a/',
  'healthz',
])('%s is refused, and the server goes on', async target => {
  for (const method of ['GET', 'OPTIONS', 'POST']) expect(await ask(target, method)).toMatch(/^HTTP\/1\.1 400 /)
  expect(await isAlive()).toBe(200)
})

test('an address with the own host is its path, and one with another host is refused', async () => {
  const { host } = new URL(server.url)
  expect(await ask(`http://${host}/healthz`)).toBe('HTTP/1.1 200 OK')
  expect(await ask(`HTTP://${host.toUpperCase()}/healthz?x=1`)).toBe('HTTP/1.1 200 OK')
  expect(await ask(`http://${host}`)).toBe('HTTP/1.1 200 OK')
  expect(await ask('http://elsewhere.example/healthz')).toMatch(/^HTTP\/1\.1 400 /)
})

test('no text in place of a path ends the server', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'http://',
      'https:',
      '//',
      '[',
      ']',
      '@',
      ':',
      '%',
      '%00',
      '#',
      '?',
      '\\\\',
      '/api/',
      '..',
      '/s/',
      'xn--',
      '\t',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 6 }).map(text => text.replace(/[\r\n ]/g, 'x')),
    fc.integer({ min: 0x80, max: 0xff }).map(code => String.fromCharCode(code)),
  )
  const targets = fc.array(piece, { minLength: 1, maxLength: 6 }).map(pieces => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(targets, async target => {
      expect(await ask(target)).toMatch(/^HTTP\/1\.1 [1-4]\d\d /)
    }),
    { numRuns: rounds(150, 3000), seed },
  )
  expect(await isAlive()).toBe(200)
}, 300_000)
