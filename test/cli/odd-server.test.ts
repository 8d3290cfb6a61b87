/** The client against servers and networks that misbehave. */
import { readFile, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { FileItem } from '../../src/api/items.ts'
import { answerJson, answerNothing, answerPage, describeFile, sendBytes, sha256, startOddServer } from './odd-server.ts'
import { runCli, spawnCli, startCli } from './terminal.ts'

const bytes = Buffer.alloc(300_000, 'abcdefghij')
const findFile = 'GET /api/files/by-path'
const getBytes = 'GET /api/files/7/download'
const listRoot = 'GET /api/files'

const answerFile = (name: string) => (_request: unknown, response: ServerResponse) =>
  answerJson(response, { file: describeFile(name, bytes) })

test('a download whose content does not match its ETag leaves no file and ends with code 1', async () => {
  const { terminal } = await startOddServer({
    [findFile]: answerFile('a.bin'),
    [getBytes]: (_request, response) => sendBytes(response, bytes, sha256(Buffer.from('something else'))),
  })
  const { code, stdout, stderr } = await runCli(terminal, ['download', '/a.bin'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('SHA-256')
  expect(await terminal.names()).toEqual([])
})

test('a download without a checksum is refused, and the existing file stays', async () => {
  const { terminal } = await startOddServer({
    [findFile]: answerFile('a.bin'),
    [getBytes]: (_request, response) => response.end(bytes),
  })
  await writeFile(terminal.path('a.bin'), 'mine')
  expect((await runCli(terminal, ['download', '/a.bin'])).code).toBe(1)
  expect(await terminal.names()).toEqual(['a.bin'])
  expect(await readFile(terminal.path('a.bin'), 'utf8')).toBe('mine')
})

test('a download continues where the connection broke', async () => {
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

test('a download that continues after the file was replaced is refused', async () => {
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
      else answerPage(response, { files: [describeFile('a.bin', bytes)] })
    },
  })
  const startedAt = Date.now()
  const { code, stdout, stderr } = await runCli(terminal, ['ls'])
  expect({ code, asked }).toEqual({ code: 0, asked: 2 })
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1000)
  expect(stderr).toContain('trying again in 1 s')
  expect(stdout).toContain('a.bin')
})

test('an upload that a busy server refuses is sent again in full', async () => {
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

test('a command ends with code 7 instead of a very long wait, and tells the user when to try again', async () => {
  for (const retryAfter of ['3600', '99999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT']) {
    const { terminal, requests } = await startOddServer({
      [listRoot]: (_request, response) => response.writeHead(429, { 'retry-after': retryAfter }).end(),
    })
    const { code, stderr } = await runCli(terminal, ['ls'])
    expect({ code, requests }).toEqual({ code: 7, requests: [listRoot] })
    expect(stderr).toMatch(/Try again after \d{4}-\d\d-\d\d \d\d:\d\d/)
  }
})

test('a command ends with code 7 when the server stays unavailable after all retries', async () => {
  const { terminal, requests } = await startOddServer({
    [listRoot]: (_request, response) => response.writeHead(503, { 'retry-after': '0' }).end(),
  })
  const { code, stdout } = await runCli(terminal, ['ls'])
  expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
  expect(requests.length).toBeGreaterThan(2)
})

test('a command ends with code 1 after an internal error of the server', async () => {
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

test('control and bidirectional characters in names are escaped in tables and JSON', async () => {
  const name = 'x\u001b]0;owned\u0007\u009b31m\u202egpj.exe\n.txt'
  const { terminal } = await startOddServer({
    [listRoot]: (_request, response) => answerPage(response, { files: [describeFile(name, bytes)] }),
  })
  const table = await runCli(terminal, ['ls'])
  expect(table.stdout).toContain('x\\x1b]0;owned\\x07\\x9b31m\\u202egpj.exe\\x0a.txt')
  const document = await runCli(terminal, ['ls', '--json'])
  expect(JSON.parse(document.stdout)).toMatchObject([{ name }])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(table.stdout + document.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})

test('a download whose name leads out of the folder is refused', async () => {
  const { terminal } = await startOddServer({
    [findFile]: answerFile('../\u001b[2Jescaped'),
    [getBytes]: (_request, response) => sendBytes(response, bytes),
  })
  const { code, stderr } = await runCli(terminal, ['download', '/a', '.'])
  expect({ code, names: await terminal.names() }).toEqual({ code: 1, names: [] })
  expect(stderr).toContain('../\\x1b[2Jescaped')
})

test('an answer larger than any of the API is not read to its end', async () => {
  const blanks = Buffer.alloc(1024 ** 2, ' ')
  for (const status of [200, 500]) {
    let sent = 0
    const { terminal } = await startOddServer({
      [listRoot]: (_request, response) => {
        response.statusCode = status
        const more = () => {
          sent += 1
          if (sent > 120) response.end('{"success": true, "data": {}}')
          else response.write(blanks, failure => failure ?? more())
        }
        more()
      },
    })
    const { code, stdout, stderr } = await runCli(terminal, ['ls'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain("The server's answer is too large")
    expect(sent).toBeLessThan(120)
  }
})

test('an answer of the wrong shape ends the command with code 1 and an error message', async () => {
  const file = describeFile('a.bin', bytes)
  const torn = [{ name: null }, { tags: null }, { tags: [{ id: 1, name: null, color: '#000000' }] }, { size: 'all' }]
  for (const field of torn) {
    const files = [{ ...file, ...field }] as unknown as FileItem[]
    const { terminal } = await startOddServer({
      [listRoot]: (_request, response) => answerPage(response, { files }),
      'GET /api/files/search': (_request, response) => answerPage(response, { files }),
      'GET /api/tags': (_request, response) => answerJson(response, { tags: [null] }),
      'POST /api/files/folders': (_request, response) => answerJson(response, { file: null }),
    })
    for (const args of [['ls'], ['ls', '--long'], ['tree'], ['search', 'bin'], ['tags', 'ls'], ['mkdir', '/Docs']]) {
      const { code, stdout, stderr } = await runCli(terminal, args)
      expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' })
      expect(stderr).toMatch(/^error: Invalid response format\. Is http.* the address of a filestore server\?$/)
    }
  }
})

test('an answer with millions of values is refused within 512 MB of memory', async () => {
  const { terminal } = await startOddServer({
    'GET /api/tags': (_request, response) =>
      response.end(`{"success": true, "data": {"tags": [${'[1,2,3],'.repeat(2_000_000)}1]}}`),
  })
  terminal.env.NODE_OPTIONS = '--max-old-space-size=512'
  const { code, stderr } = await spawnCli(terminal, ['tags', 'ls'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Invalid response format') })
})

test('a malformed refusal ends the command with its own exit code and an error message', async () => {
  const none = { toString: 1 }
  const fields = { name: none, limit: 'Too many' }
  const body = { success: false, message: none, error: none, fields, request_id: none }
  const { terminal } = await startOddServer({
    [listRoot]: (_request, response) => response.writeHead(400).end(JSON.stringify(body)),
  })
  const { code, stderr } = await runCli(terminal, ['ls'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('HTTP 400. limit: Too many') })
})

test('an unknown status from a newer server is printed as it is', async () => {
  const file = { ...describeFile('a.bin', bytes), validation_status: 'quarantined' } as unknown as FileItem
  const { terminal } = await startOddServer({
    [listRoot]: (_request, response) => answerPage(response, { files: [file] }),
  })
  expect((await runCli(terminal, ['ls', '--long'])).stdout).toContain('quarantined')
})

test('a redirect is not followed, so that the key goes to no other server', async () => {
  const { terminal, requests } = await startOddServer({
    [listRoot]: (_request, response) => response.writeHead(301, { location: 'https://files.example.org/' }).end(),
  })
  const { code, stderr } = await runCli(terminal, ['ls'])
  expect({ code, requests }).toEqual({ code: 2, requests: [listRoot] })
  expect(stderr).toContain('https://files.example.org/')
})

test('a reader that closes standard output early is no failure', async () => {
  const { terminal } = await startOddServer({
    [findFile]: answerFile('a.bin'),
    [getBytes]: (_request, response) => sendBytes(response, bytes),
  })
  const running = startCli(terminal, ['download', '/a.bin', '-'], { buffer: false })
  running.stdout?.once('data', () => running.stdout?.destroy())
  const { exitCode, stderr } = await running
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: undefined })
})
