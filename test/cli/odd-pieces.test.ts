/** Large files sent to a server, or through a proxy, that tells nonsense of how far they have come. */
import { utimes, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { FileDetails } from '../../src/api/items.ts'
import { resumableFrom } from '../../src/api/limits.ts'
import type { UnfinishedUpload } from '../../src/api/tus.ts'
import { answerJson, answerNothing, describeFile, sha256, startOddServer } from './odd-server.ts'
import { runCli } from './terminal.ts'

const size = resumableFrom + 10
const bytes = Buffer.alloc(size, 'abcdefghij')
const id = 'a'.repeat(32)
const at = '2024-05-06T07:08:09.000Z'
/** After so many pieces the server is honest, so that a client which never gives up ends all the same. */
const mostPieces = 60

interface Odd {
  /** The status and offset that answer a piece; with the status 0, the connection breaks. */
  piece?: (count: number, from: number) => [status: number, offset: string]
  /** The offset that the server tells when it is asked. */
  found?: (count: number) => number
  /** What differs in the file that is made. */
  made?: Partial<FileDetails>
  begun?: UnfinishedUpload[]
}

async function openOdd({ piece, found = () => 0, made = {}, begun = [] }: Odd) {
  let pieces = 0
  const say = (response: ServerResponse, status: number, offset: string) =>
    response.writeHead(status, { 'tus-resumable': '1.0.0', 'upload-offset': offset }).end()
  const takePiece = (request: IncomingMessage, response: ServerResponse) => {
    const from = Number(request.headers['upload-offset'])
    request.resume().on('end', () => {
      pieces += 1
      const [status, offset] = (pieces > mostPieces ? undefined : piece?.(pieces, from)) ?? [204, String(size)]
      if (status === 0) response.destroy()
      else say(response, status, offset)
    })
  }
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': answerNothing,
    'GET /api/uploads': (_request, response) => answerJson(response, { uploads: begun }),
    'POST /api/uploads': (_request, response) =>
      response.writeHead(201, { 'tus-resumable': '1.0.0', location: `/api/uploads/${id}` }).end(),
    [`PATCH /api/uploads/${id}`]: takePiece,
    [`HEAD /api/uploads/${id}`]: (_request, response) => say(response, 200, String(found(pieces))),
    [`POST /api/uploads/${id}/finish`]: (_request, response) =>
      answerJson(response, { file: { ...describeFile('film.mp4', bytes), ...made } }),
  })
  await writeFile(terminal.path('film.mp4'), bytes)
  await utimes(terminal.path('film.mp4'), new Date(at), new Date(at))
  const outcome = await runCli(terminal, ['upload', 'film.mp4'])
  return { ...outcome, pieces }
}

test('a whole file that the server confirms is a success', async () => {
  expect(await openOdd({})).toMatchObject({ code: 0, pieces: 1 })
})

test.each<[string, Odd]>([
  ['stays at 0', { piece: () => [204, '0'] }],
  ['stays at 1', { piece: () => [204, '1'] }],
  ['goes forward and back', { piece: count => [204, String(count % 2)] }],
  ['grows by one byte each time', { piece: (_count, from) => [204, String(from + 1)] }],
  ['is never the one it just told', { piece: () => [409, '0'], found: count => count % 2 }],
])('an upload ends with code 1 where the confirmed length %s', async (_what, odd) => {
  const { code, stdout, stderr, pieces } = await openOdd(odd)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The server does not get on with the upload')
  expect(pieces).toBeLessThan(30)
})

test('an upload whose line breaks each time ends with code 7, where the server tells less and then more again', async () => {
  const { code, pieces } = await openOdd({ piece: () => [0, ''], found: count => count % 2 })
  expect(code).toBe(7)
  expect(pieces).toBeLessThan(10)
})

test.each([String(size + 1), '-1', '1.5', '', 'all'])(
  'an upload ends where the length %j is confirmed',
  async offset => {
    const outcome = await openOdd({ piece: () => [204, offset] })
    expect(outcome).toMatchObject({ code: 1, stdout: '', pieces: 1 })
    expect(outcome.stderr).toContain('Invalid response format')
  },
)

test('a file that was made with another size than was sent is no success', async () => {
  const { code, stdout, stderr } = await openOdd({ made: { size: size - 1 } })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The server has stored something else than was sent')
})

test('a file that goes on and was made with another SHA-256 is no success', async () => {
  const begun: UnfinishedUpload = {
    ...{ id, name: 'film.mp4', parent_id: null, path: '/', length: size, received: 5 },
    ...{ modified_at: at, state: 'open', error: null, expires_at: at },
  }
  const odd = { begun: [begun], found: () => 5, made: { sha256: sha256(Buffer.from('else')) } }
  const { code, stdout, stderr } = await openOdd(odd)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The server has stored something else than was sent')
})
