/** Downloads whose answer is longer than the file was listed with. */
import { readdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { answerJson, answerPage, describeFile, sendBytes, sha256, startOddServer } from './odd-server.ts'
import { runCli } from './terminal.ts'

const bytes = Buffer.alloc(300_000, 'abcdefghij')
const findFile = 'GET /api/files/by-path'
const getBytes = 'GET /api/files/7/download'
const listRoot = 'GET /api/files'

const answerFile = (name: string) => (_request: unknown, response: ServerResponse) =>
  answerJson(response, { file: describeFile(name, bytes) })

test('a file that is longer than the server said is not written on, alone and in a folder', async () => {
  const folder = { ...describeFile('Docs', Buffer.alloc(0)), id: 3, is_directory: true }
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': (request, response) =>
      answerJson(response, { file: request.url?.includes('Docs') ? folder : describeFile('a.bin', bytes) }),
    [listRoot]: (_request, response) =>
      answerPage(response, { files: [describeFile('a.bin', bytes), { ...describeFile('b.bin', bytes), id: 8 }] }),
    [getBytes]: (_request, response) => {
      response.setHeader('etag', `"${sha256(Buffer.concat([bytes, bytes]))}"`)
      response.write(bytes, () => response.end(bytes))
    },
    'GET /api/files/8/download': (_request, response) => sendBytes(response, bytes),
  })
  for (const where of ['a.bin', '-']) {
    const alone = await runCli(terminal, ['download', '/a.bin', where])
    expect({ code: alone.code, names: await terminal.names() }).toEqual({ code: 1, names: [] })
    expect(alone.stderr).toContain("'/a.bin' has changed on the server: it is longer than the 300000 bytes listed")
  }
  const inside = await runCli(terminal, ['download', '/Docs'])
  expect({ code: inside.code, names: await readdir(terminal.path('Docs')) }).toEqual({ code: 1, names: ['b.bin'] })
  expect(inside.stderr).toContain('/a.bin: ')
})

test.each([
  ['at once', () => true],
  ['when it goes on after a lost connection', (start: number) => start > 0],
])('a length beyond what was listed is refused before a byte of it is written: %s', async (_when, isLonger) => {
  const declared = 99_999_999_999
  let written = 0
  const { terminal } = await startOddServer({
    [findFile]: answerFile('a.bin'),
    [getBytes]: ({ headers }, response) => {
      const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
      const length = isLonger(start) ? declared : bytes.length
      response.writeHead(start > 0 ? 206 : 200, { etag: `"${sha256(bytes)}"`, 'content-length': length })
      if (!isLonger(start)) return void response.write(bytes.subarray(0, 100_000), () => response.destroy())
      response.on('error', () => undefined)
      const more = () => {
        written += bytes.length
        if (written < 100 * bytes.length) response.write(bytes, failure => failure ?? more())
        else response.destroy()
      }
      more()
    },
  })
  const { code, stderr } = await runCli(terminal, ['download', '/a.bin'])
  expect({ code, names: await terminal.names() }).toEqual({ code: 1, names: [] })
  expect(stderr).toContain("'/a.bin' has changed on the server: it is longer than the 300000 bytes listed")
  expect(stderr).toContain('run the command again')
  expect(written).toBeLessThan(50 * bytes.length)
})
