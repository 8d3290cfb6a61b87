/** Downloads that the server refuses: files, folders and ZIP files. */
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/api/errors.ts'
import { type Answers, answerJson, answerPage, describeFile, refuse, sendBytes, startOddServer } from './odd-server.ts'
import { runCli } from './terminal.ts'

const bytes = Buffer.from('all of it')
const getBytes = 'GET /api/files/7/download'
const getArchive = 'GET /api/files/7/archive'

type Refusal = [status: number, error: ErrorCode, message: string, code: number]

const denied: Refusal = [403, 'forbidden', 'You may not', 3]
const busy: Refusal = [429, 'rate_limited', 'Too many requests', 7]
const away: Refusal = [503, 'unavailable', 'The store is away', 7]
const gone: Refusal = [404, 'not_found', 'File not found', 4]
const refusals: Refusal[] = [denied, gone, busy, [500, 'internal', 'Something broke', 1], away]

const answerWith =
  ([status, code, message]: Refusal) =>
  (_request: unknown, response: ServerResponse) => {
    response.setHeader('retry-after', '0')
    refuse(response, status, code, message)
  }

const folder = { ...describeFile('R', Buffer.from('')), is_directory: true }
const findFolder: Answers = {
  'GET /api/files/by-path': (_request, response) => answerJson(response, { file: folder }),
}

describe.each(refusals)('a refusal with status %s', (...refusal) => {
  const [status, , message, code] = refusal

  test('ends the download of a file with its own exit code and message', async () => {
    const { terminal, requests } = await startOddServer({
      'GET /api/files/by-path': (_request, response) => answerJson(response, { file: describeFile('a.bin', bytes) }),
      [getBytes]: answerWith(refusal),
    })
    const outcome = await runCli(terminal, ['download', '/a.bin'])
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' })
    expect(outcome.stderr).toContain(message)
    expect(outcome.stderr).not.toContain('Cannot reach')
    expect(await terminal.names()).toEqual([])
    const asked = requests.filter(name => name === getBytes)
    expect(asked).toHaveLength(status === 429 || status === 503 ? 5 : 1)
  })

  test('for one file does not keep the other files of the folder from being saved', async () => {
    const files = ['a.bin', 'b.bin', 'c.bin'].map((name, index) => ({ ...describeFile(name, bytes), id: 7 + index }))
    const { terminal } = await startOddServer({
      ...findFolder,
      'GET /api/auth/profile': (_request, response) => answerJson(response, {}),
      'GET /api/files': (_request, response) => answerPage(response, { files }),
      [getBytes]: answerWith(refusal),
      'GET /api/files/8/download': (_request, response) => sendBytes(response, bytes),
      'GET /api/files/9/download': (_request, response) => sendBytes(response, bytes),
    })
    const outcome = await runCli(terminal, ['download', '/R', '--concurrency', '1'])
    expect(outcome.code).toBe(code)
    expect(outcome.stderr).toMatch(new RegExp(`error: /a\\.bin: .*${message}`))
    expect(outcome.stderr).toContain('1 of 3 items failed')
    expect(outcome.stdout).toContain('R/ (2 files)')
  })

  test('ends the download of an archive with its own exit code and message', async () => {
    const { terminal, requests } = await startOddServer({ ...findFolder, [getArchive]: answerWith(refusal) })
    const outcome = await runCli(terminal, ['download', '--zip', '/R'])
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' })
    expect(outcome.stderr).toContain(message)
    expect(await terminal.names()).toEqual([])
    const asked = requests.filter(name => name === getArchive)
    expect(asked).toHaveLength(status === 429 || status === 503 ? 5 : 1)
  })
})

test.each([
  ['a file', ['download', '/R'], getBytes, 'R'],
  ['an archive', ['download', '--zip', '/R'], getArchive, 'R.zip'],
])('a download of %s is repeated until the busy server answers', async (_what, args, name, local) => {
  let asked = 0
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': (_request, response) =>
      answerJson(response, { file: local === 'R' ? describeFile('R', bytes) : folder }),
    [name]: (_request, response) => {
      asked += 1
      if (asked < 3) answerWith(asked === 1 ? busy : away)(_request, response)
      else sendBytes(response, bytes)
    },
  })
  expect((await runCli(terminal, args)).code).toBe(0)
  expect({ asked, names: await terminal.names() }).toEqual({ asked: 3, names: [local] })
})

test('a download of many files at once prints nothing on standard error', async () => {
  const files = Array.from({ length: 40 }, (_, index) => ({ ...describeFile(`${index}.bin`, bytes), id: 100 + index }))
  const downloads = files.map(({ id }) => [
    `GET /api/files/${id}/download`,
    (_request: unknown, response: ServerResponse) => sendBytes(response, bytes),
  ])
  const { terminal } = await startOddServer({
    ...findFolder,
    'GET /api/files': (_request, response) => answerPage(response, { files }),
    ...Object.fromEntries(downloads),
  })
  const { code, stderr } = await runCli(terminal, ['download', '/R', '--concurrency', '16'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('a folder is not listed as saved when none of its files was', async () => {
  const files = [describeFile('a.bin', bytes)]
  const { terminal } = await startOddServer({
    ...findFolder,
    'GET /api/files': (_request, response) => answerPage(response, { files }),
    [getBytes]: answerWith(gone),
  })
  expect(await runCli(terminal, ['download', '/R'])).toMatchObject({ code: 4, stdout: '' })
  expect(await runCli(terminal, ['download', '/R', '--json'])).toMatchObject({ code: 4, stdout: '[]' })
})

test('an archive whose name leads out of the folder needs a local path', async () => {
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': (_request, response) => answerJson(response, { file: { ...folder, name: '../out' } }),
    [getArchive]: (_request, response) => response.end('PK'),
  })
  const { code, stderr } = await runCli(terminal, ['download', '--zip', '/R'])
  expect({ code, names: await terminal.names() }).toEqual({ code: 1, names: [] })
  expect(stderr).toContain('give a local path')
  expect((await runCli(terminal, ['download', '--zip', '/R', 'here.zip'])).code).toBe(0)
})
