/** The client against servers and networks that misbehave. */
import { readFile, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { answerJson, answerNothing, describeFile, sendBytes, sha256, startOddServer } from './odd-server.ts'
import { runCli, startCli } from './terminal.ts'

const bytes = Buffer.alloc(300_000, 'abcdefghij')
const findFile = 'GET /api/files/by-path'
const getBytes = 'GET /api/files/7/download'
const listRoot = 'GET /api/files'

const answerFile = (name: string) => (_request: unknown, response: ServerResponse) =>
  answerJson(response, { file: describeFile(name, bytes) })

test('a download whose bytes are not those of the ETag leaves nothing behind and ends with 1', async () => {
  const { terminal } = await startOddServer({
    [findFile]: answerFile('a.bin'),
    [getBytes]: (_request, response) => sendBytes(response, bytes, sha256(Buffer.from('something else'))),
  })
  const { code, stdout, stderr } = await runCli(terminal, ['download', '/a.bin'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('SHA-256')
  expect(await terminal.names()).toEqual([])
})

test('a download that cannot be checked is refused and leaves the file that was there', async () => {
  const { terminal } = await startOddServer({
    [findFile]: answerFile('a.bin'),
    [getBytes]: (_request, response) => response.end(bytes),
  })
  await writeFile(terminal.path('a.bin'), 'mine')
  expect((await runCli(terminal, ['download', '/a.bin'])).code).toBe(1)
  expect(await terminal.names()).toEqual(['a.bin'])
  expect(await readFile(terminal.path('a.bin'), 'utf8')).toBe('mine')
})

test('a download that loses its connection goes on where it stopped', async () => {
  const ranges: (string | undefined)[] = []
  const { terminal } = await startOddServer({
    [findFile]: answerFile('a.bin'),
    [getBytes]: ({ headers }, response) => {
      ranges.push(headers.range)
      const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
      const length = bytes.length - start
      response.writeHead(start > 0 ? 206 : 200, { etag: `"${sha256(bytes)}"`, 'content-length': length })
      if (start > 0) response.end(bytes.subarray(start))
      else response.write(bytes.subarray(0, 100_000), () => response.destroy())
    },
  })
  const { code, stderr } = await runCli(terminal, ['download', '/a.bin'])
  expect({ code, ranges: ranges.length }).toEqual({ code: 0, ranges: 2 })
  expect(stderr).toContain('Lost the connection')
  expect(bytes.equals(await readFile(terminal.path('a.bin')))).toBe(true)
})

test('a file that was replaced while it was downloaded is not patched together', async () => {
  const { terminal } = await startOddServer({
    [findFile]: answerFile('a.bin'),
    [getBytes]: ({ headers }, response) => {
      const isFirst = headers.range === undefined
      response.writeHead(200, { etag: `"${sha256(Buffer.from(String(isFirst)))}"`, 'content-length': bytes.length })
      if (isFirst) response.write(bytes.subarray(0, 100_000), () => response.destroy())
      else response.end(bytes)
    },
  })
  const { code, stderr } = await runCli(terminal, ['download', '/a.bin'])
  expect({ code, names: await terminal.names() }).toEqual({ code: 1, names: [] })
  expect(stderr).toContain('changed on the server')
})

test('a busy server is waited for as its Retry-After says, and the person is told', async () => {
  let asked = 0
  const { terminal } = await startOddServer({
    [listRoot]: (_request, response) => {
      asked += 1
      if (asked === 1) response.writeHead(429, { 'retry-after': '1' }).end()
      else answerJson(response, { files: [describeFile('a.bin', bytes)], folders: [], next_cursor: null })
    },
  })
  const startedAt = Date.now()
  const { code, stdout, stderr } = await runCli(terminal, ['ls'])
  expect({ code, asked }).toEqual({ code: 0, asked: 2 })
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1000)
  expect(stderr).toContain('trying again in 1 s')
  expect(stdout).toContain('a.bin')
})

test('an upload turned away by a busy server is sent again, whole', async () => {
  const bodies: string[] = []
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': answerNothing,
    'POST /api/files/upload': (request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      request.on('end', () => {
        bodies.push(body.slice(body.indexOf('name="file"'), body.lastIndexOf('\r\n--')))
        if (bodies.length === 1) response.writeHead(429, { 'retry-after': '0' }).end()
        else answerJson(response, { file: describeFile('a.txt', bytes) })
      })
    },
  })
  await writeFile(terminal.path('a.txt'), 'all of it')
  expect((await runCli(terminal, ['upload', 'a.txt'])).code).toBe(0)
  expect(bodies).toHaveLength(2)
  expect(bodies[1]).toBe(bodies[0])
  expect(bodies[1]).toContain('all of it')
})

test('a server that wants to be left alone for long is not waited for, and the person is told until when', async () => {
  for (const retryAfter of ['3600', '99999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT']) {
    const { terminal, requests } = await startOddServer({
      [listRoot]: (_request, response) => response.writeHead(429, { 'retry-after': retryAfter }).end(),
    })
    const { code, stderr } = await runCli(terminal, ['ls'])
    expect({ code, requests }).toEqual({ code: 7, requests: [listRoot] })
    expect(stderr).toMatch(/Try again after \d{4}-\d\d-\d\d \d\d:\d\d/)
  }
})

test('a server that stays away ends the command with 7 after the retries', async () => {
  const { terminal, requests } = await startOddServer({
    [listRoot]: (_request, response) => response.writeHead(503, { 'retry-after': '0' }).end(),
  })
  const { code, stdout } = await runCli(terminal, ['ls'])
  expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
  expect(requests.length).toBeGreaterThan(2)
})

test('an internal error of the server ends the command with 1', async () => {
  const { terminal } = await startOddServer({
    [listRoot]: (_request, response) => {
      const failure = { success: false, message: 'Something broke', error: 'internal', request_id: 'r-17' }
      response.writeHead(500).end(JSON.stringify(failure))
    },
  })
  const { code, stderr } = await runCli(terminal, ['ls'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/Something broke.*r-17/)
})

test('escape sequences and reordering characters in names are written out, not sent to the terminal', async () => {
  const name = 'x\u001b]0;owned\u0007\u009b31m\u202egpj.exe\n.txt'
  const { terminal } = await startOddServer({
    [listRoot]: (_request, response) =>
      answerJson(response, { files: [describeFile(name, bytes)], folders: [], next_cursor: null }),
  })
  const table = await runCli(terminal, ['ls'])
  expect(table.stdout).toContain('x\\x1b]0;owned\\x07\\x9b31m\\u202egpj.exe\\x0a.txt')
  const document = await runCli(terminal, ['ls', '--json'])
  expect(JSON.parse(document.stdout)).toMatchObject([{ name }])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(table.stdout + document.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})

test('a name that would lead out of the folder is not written', async () => {
  const { terminal } = await startOddServer({
    [findFile]: answerFile('../\u001b[2Jescaped'),
    [getBytes]: (_request, response) => sendBytes(response, bytes),
  })
  const { code, stderr } = await runCli(terminal, ['download', '/a', '.'])
  expect({ code, names: await terminal.names() }).toEqual({ code: 1, names: [] })
  expect(stderr).toContain('../\\x1b[2Jescaped')
})

test('a redirect is not followed, so that the key stays with its server', async () => {
  const { terminal, requests } = await startOddServer({
    [listRoot]: (_request, response) => response.writeHead(301, { location: 'https://files.example.org/' }).end(),
  })
  const { code, stderr } = await runCli(terminal, ['ls'])
  expect({ code, requests }).toEqual({ code: 2, requests: [listRoot] })
  expect(stderr).toContain('https://files.example.org/')
})

test('a reader that leaves early is no failure', async () => {
  const { terminal } = await startOddServer({
    [findFile]: answerFile('a.bin'),
    [getBytes]: (_request, response) => sendBytes(response, bytes),
  })
  const running = startCli(terminal, ['download', '/a.bin', '-'], { buffer: false })
  running.stdout?.once('data', () => running.stdout?.destroy())
  const { exitCode, stderr } = await running
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: undefined })
})
