/** Links in the client, against servers that misbehave: what is sent, to whom, and what is repeated. */
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import type { Link } from '../../src/api/links.ts'
import type { LinkInfo, VisitorItem } from '../../src/api/visits.ts'
import { answerJson, describeFile, refuse, sendBytes, sha256, startOddServer } from './odd-server.ts'
import { runCli, startCli } from './terminal.ts'

const token = 'h3Kf0mVZ2Qw8sYtB1nXcPg'
const bytes = Buffer.alloc(300_000, 'abcdefghij')

const info: LinkInfo = {
  locked: false,
  level: 'both',
  kind: 'file',
  item_id: 7,
  name: 'a.bin',
  size: bytes.length,
  mime_type: 'application/octet-stream',
  from: 'Nora',
  expires_at: null,
  downloads_left: null,
  fields: [],
  ask_name: false,
  max_file_size: 1_000_000,
}

const file: VisitorItem = {
  id: 7,
  name: 'a.bin',
  path: '/',
  size: bytes.length,
  mime_type: 'application/octet-stream',
  parent_id: null,
  is_directory: false,
  updated_at: '2024-05-06T07:08:09.000Z',
  modified_at: '2020-01-02T03:04:05.000Z',
  thumbnail_path: null,
}

const openLink = `GET /api/s/${token}`
const unlock = `POST /api/s/${token}/unlock`
const getItem = `GET /api/s/${token}/files/7`
const getBytes = `GET /api/s/${token}/files/7/download`
const send = `POST /api/s/${token}/upload`

const answerInfo =
  (change: Partial<LinkInfo> = {}) =>
  (_request: unknown, response: ServerResponse) =>
    answerJson(response, { ...info, ...change })
const answerItem = (_request: unknown, response: ServerResponse) => answerJson(response, { file })

test('a download by a link sends no key, and keeps the time of the file', async () => {
  const seen: IncomingHttpHeaders[] = []
  const { url, terminal } = await startOddServer({
    [openLink]: ({ headers }, response) => {
      seen.push(headers)
      answerJson(response, info)
    },
    [getItem]: answerItem,
    [getBytes]: ({ headers }, response) => {
      seen.push(headers)
      sendBytes(response, bytes)
    },
  })
  const { code, stderr } = await runCli(terminal, ['download', `${url}/s/${token}`])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(bytes.equals(await readFile(terminal.path('a.bin')))).toBe(true)
  expect(seen).toHaveLength(2)
  for (const headers of seen) expect(Object.keys(headers)).not.toContain('x-api-secret')
})

test('a download by a counting link continues with the ticket that came with its first bytes', async () => {
  const seen: IncomingHttpHeaders[] = []
  const { url, terminal } = await startOddServer({
    [openLink]: answerInfo({ downloads_left: 1 }),
    [getItem]: answerItem,
    [getBytes]: ({ headers }, response) => {
      seen.push(headers)
      const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
      response.setHeader('etag', `"${sha256(bytes)}"`).setHeader('content-length', bytes.length - start)
      if (start > 0) return response.writeHead(206).end(bytes.subarray(start))
      response.setHeader('set-cookie', `filestore_link=ticket; Path=/api/s/${token}; HttpOnly; SameSite=Lax`)
      response.write(bytes.subarray(0, 100_000), () => response.destroy())
    },
  })
  const { code } = await runCli(terminal, ['download', `${url}/s/${token}`, 'b.bin'])
  expect(code).toBe(0)
  expect(bytes.equals(await readFile(terminal.path('b.bin')))).toBe(true)
  expect(seen.map(({ cookie, range }) => [cookie, range])).toEqual([
    [undefined, undefined],
    ['filestore_link=ticket', 'bytes=100000-'],
  ])
})

test('Ctrl-C during a download by a link leaves no partial file', async () => {
  const { url, terminal } = await startOddServer({
    [openLink]: answerInfo(),
    [getItem]: answerItem,
    [getBytes]: (_request, response) => {
      response.writeHead(200, { etag: `"${sha256(bytes)}"`, 'content-length': bytes.length })
      response.write(bytes.subarray(0, 100_000))
    },
  })
  const running = startCli(terminal, ['download', `${url}/s/${token}`])
  await vi.waitFor(async () => expect(await terminal.names()).toHaveLength(1), { timeout: 30_000 })
  running.kill('SIGINT')
  const { exitCode, stderr } = await running
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'error: Interrupted' })
  expect(await terminal.names()).toEqual([])
})

test('bytes that do not match their ETag leave no file', async () => {
  const { url, terminal } = await startOddServer({
    [openLink]: answerInfo(),
    [getItem]: answerItem,
    [getBytes]: (_request, response) => sendBytes(response, bytes, sha256(Buffer.from('else'))),
  })
  const { code, stderr } = await runCli(terminal, ['download', `${url}/s/${token}`])
  expect(code).toBe(1)
  expect(stderr).toContain("'a.bin' arrived damaged: its SHA-256")
  expect(await terminal.names()).toEqual([])
})

test('the password goes to the link alone, and its cookie with what follows', async () => {
  const seen: (string | undefined)[] = []
  const { url, terminal, requests } = await startOddServer({
    [openLink]: (_request, response) => answerJson(response, { locked: true }),
    [unlock]: (_request, response) => {
      response.setHeader('set-cookie', [`other=1`, `__Secure-filestore_link=visit; HttpOnly; Secure`])
      answerJson(response, info)
    },
    [getItem]: ({ headers }, response) => {
      seen.push(headers.cookie)
      answerJson(response, { file })
    },
    [getBytes]: ({ headers }, response) => {
      seen.push(headers.cookie)
      sendBytes(response, bytes)
    },
  })
  const address = `${url}/s/${token}`
  expect((await runCli(terminal, ['download', address])).code).toBe(3)
  expect(requests).toEqual([openLink])
  expect((await runCli(terminal, ['download', address, '--password-stdin'], 'open sesame\n')).code).toBe(0)
  expect(seen).toEqual(['__Secure-filestore_link=visit', '__Secure-filestore_link=visit'])
})

test('a link below a base path works, and what follows the token is left out', async () => {
  const { url, terminal, requests } = await startOddServer({
    [`GET /base/api/s/${token}`]: answerInfo(),
    [`GET /base/api/s/${token}/files/7`]: answerItem,
    [`GET /base/api/s/${token}/files/7/download`]: (_request, response) => sendBytes(response, bytes),
  })
  expect((await runCli(terminal, ['download', `${url}/base/s/${token}/?from=mail#top`])).code).toBe(0)
  expect(requests).toHaveLength(3)
})

test('a redirect is named, and not followed', async () => {
  const { url, terminal } = await startOddServer({
    [openLink]: (_request, response) => response.writeHead(302, { location: 'https://elsewhere.example.org/' }).end(),
  })
  const { code, stderr } = await runCli(terminal, ['download', `${url}/s/${token}`])
  expect(code).toBe(2)
  expect(stderr).toContain('redirects to https://elsewhere.example.org/')
})

test('a busy server is waited for, before the link opens and while a file is sent', async () => {
  const asked: string[] = []
  const busyOnce = (name: string, answer: (response: ServerResponse) => void) => ({
    [name]: (request: { resume(): unknown }, response: ServerResponse) => {
      request.resume()
      asked.push(name)
      if (asked.filter(one => one === name).length === 1) response.writeHead(429, { 'retry-after': '0' }).end()
      else answer(response)
    },
  })
  const { url, terminal } = await startOddServer({
    ...busyOnce(openLink, response => answerJson(response, info)),
    ...busyOnce(send, response => answerJson(response, { name: 'a.txt', size: 3 })),
  })
  await writeFile(terminal.path('a.txt'), 'aaa')
  const { code, stdout, stderr } = await runCli(terminal, ['upload', 'a.txt', '--to', `${url}/s/${token}`])
  expect({ code, asked }).toEqual({ code: 0, asked: [openLink, openLink, send, send] })
  expect(stderr).toContain('The server is busy')
  expect(stdout).toMatch(/3 Bytes +a\.txt$/m)
})

test('an upload whose answer is lost is sent again', async () => {
  let losses = 2
  const { url, terminal, requests } = await startOddServer({
    [openLink]: answerInfo(),
    [send]: (request, response) =>
      request.resume().on('end', () => {
        losses -= 1
        if (losses >= 0) response.destroy()
        else answerJson(response, { name: 'a.txt', size: 3 })
      }),
  })
  await writeFile(terminal.path('a.txt'), 'aaa')
  const { code, stdout } = await runCli(terminal, ['upload', 'a.txt', '--to', `${url}/s/${token}`])
  expect({ code, requests }).toEqual({ code: 0, requests: [openLink, send, send, send] })
  expect(stdout).toMatch(/3 Bytes +a\.txt$/m)
})

test('standard input cannot be sent again, so that a lost answer leaves it unknown whether it has arrived', async () => {
  const { url, terminal, requests } = await startOddServer({
    [openLink]: answerInfo(),
    [send]: (request, response) => request.resume().on('end', () => response.destroy()),
  })
  const args = ['upload', '-', '--name', 'a.txt', '--to', `${url}/s/${token}`]
  const { code, stderr } = await runCli(terminal, args, 'aaa')
  expect(code).toBe(7)
  expect(stderr).toContain("'standard input' may have arrived")
  expect(requests).toEqual([openLink, send])
})

test.each([
  ['a dead link', 404, 'not_found', 'This link does not work (any more)', 4],
  ['a link that is used up', 404, 'not_found', 'This link has been used up', 4],
  ['a busy server that gives no end', 503, 'unavailable', 'The server is being stopped', 7],
] as const)('%s ends with its code and the sentence of the server', async (_what, status, code, message, exit) => {
  const { url, terminal } = await startOddServer({
    [openLink]: (_request, response) => {
      response.setHeader('retry-after', '86400')
      refuse(response, status, code, message)
    },
  })
  const outcome = await runCli(terminal, ['download', `${url}/s/${token}`])
  expect(outcome).toMatchObject({ code: exit, stdout: '' })
  expect(outcome.stderr).toContain(message)
  expect(outcome.stderr).not.toContain('login')
})

test.each([
  [['download', 'https://files.example.org/files/7'], 'is not the address of a link'],
  [['download', `https://nora@files.example.org/s/${token}`], 'is not the address of a link'],
  [['download', `https://a.example.org/s/${token}`, `https://b.example.org/s/${token}`], 'by itself'],
  [['download', `https://a.example.org/s/${token}`, '/a.txt', '.'], 'by itself'],
  [['download', '/a.txt', '--password-stdin'], 'for links'],
  [['upload', 'a.txt', '--sender', 'Anna'], 'for links'],
  [['upload', 'a.txt', '--to', `https://a.example.org/s/${token}`, '--on-conflict', 'replace'], 'not for links'],
  [['upload', '-', '--name', 'a', '--to', `https://a.example.org/s/${token}`, '--password-stdin'], 'both the password'],
])('%j is refused before anything is sent', async (args, words) => {
  const { terminal, requests } = await startOddServer({})
  const { code, stderr } = await runCli(terminal, args)
  expect({ code, requests }).toEqual({ code: 2, requests: [] })
  expect(stderr).toContain(words)
})

test('the address of a new link is escaped, where a server puts control characters and direction marks into it', async () => {
  const url = 'https://files.example.org/s/\u001b[2Jabc\u202e'
  const at = '2024-05-06T07:08:09.000Z'
  const terms = { level: 'view', label: null, has_password: false, expires_at: null, max_downloads: null } as const
  const limits = { max_bytes: null, ask_name: false, is_active: true }
  const use = { opened: 0, downloads: 0, uploads: 0, bytes_in: 0, last_used_at: null, created_at: at }
  const link: Link = {
    ...{ id: 1, item_id: 7, item: null, token: 'abc', url, works: true, reason: null, made_by: null },
    ...{ ...terms, ...limits, ...use },
  }
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': (_request, response) => answerJson(response, { file: describeFile('a', bytes) }),
    'POST /api/links': (_request, response) => answerJson(response, { link }),
  })
  const { code, stdout } = await runCli(terminal, ['share', 'link', '/a'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'https://files.example.org/s/\\x1b[2Jabc\\u202e' })
})
