/** Lost connections, and proxies without their server, during requests that change something. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  answerJson,
  answerNothing,
  answerPage,
  describeField,
  describeFile,
  describeKey,
  refuse,
  sendBytes,
  startOddServer,
} from './odd-server.ts'
import { runCli } from './terminal.ts'

const bytes = Buffer.from('once')
const sendFile = 'POST /api/files/upload'
const findFile = 'GET /api/files/by-path'

/** Reads the whole request, and loses the answer. */
const losing =
  (loss: 'cut' | number) =>
  ({ socket }: IncomingMessage, response: ServerResponse): void => {
    response.req.resume().on('end', () => {
      if (loss === 'cut') socket.destroy()
      else response.writeHead(loss).end()
    })
  }

const pathOf = (request: IncomingMessage) => new URL(request.url ?? '', 'http://x').searchParams.get('path')

describe.each(['cut', 502, 503, 504] as const)('an upload whose answer is lost (%s)', loss => {
  test('is not sent again when the file has arrived', async () => {
    let hasArrived = false
    const { terminal, requests } = await startOddServer({
      [findFile]: (request, response) =>
        hasArrived ? answerJson(response, { file: describeFile('a.txt', bytes) }) : answerNothing(request, response),
      [sendFile]: (request, response) => {
        hasArrived = true
        losing(loss)(request, response)
      },
    })
    await writeFile(terminal.path('a.txt'), bytes)
    const { code, stdout } = await runCli(terminal, ['upload', 'a.txt', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ path: '/a.txt' })
    expect(requests.filter(name => name === sendFile)).toHaveLength(1)
  })

  test('is sent again when the file has not arrived', async () => {
    let sent = 0
    const { terminal } = await startOddServer({
      [findFile]: answerNothing,
      [sendFile]: (request, response) => {
        sent += 1
        if (sent < 3) losing(loss)(request, response)
        else request.resume().on('end', () => answerJson(response, { file: describeFile('a.txt', bytes) }))
      },
    })
    await writeFile(terminal.path('a.txt'), bytes)
    const { code, stderr } = await runCli(terminal, ['upload', 'a.txt'])
    expect({ code, sent }).toEqual({ code: 0, sent: 3 })
    expect(stderr).toContain('trying again')
  })
})

test('an upload with a lost answer is found under the numbered name that the server chose', async () => {
  let hasArrived = false
  const { terminal, requests } = await startOddServer({
    [findFile]: (request, response) => {
      const path = pathOf(request)
      if (path === '/a.txt') answerJson(response, { file: describeFile('a.txt', Buffer.from('else')) })
      else if (path === '/a (1).txt' && hasArrived) answerJson(response, { file: describeFile('a (1).txt', bytes) })
      else answerNothing(request, response)
    },
    [sendFile]: (request, response) => {
      hasArrived = true
      losing('cut')(request, response)
    },
  })
  await writeFile(terminal.path('a.txt'), bytes)
  const { code, stderr } = await runCli(terminal, ['upload', 'a.txt'])
  expect(code).toBe(0)
  expect(stderr).toContain("stored as 'a (1).txt'")
  expect(requests.filter(name => name === sendFile)).toHaveLength(1)
})

test('an upload with a lost answer is found under a numbered name that was shortened for the number', async () => {
  const name = `${'é'.repeat(125)}.txt`
  const numbered = `${'é'.repeat(123)} (1).txt`
  let hasArrived = false
  const { terminal, requests } = await startOddServer({
    [findFile]: (request, response) => {
      const path = pathOf(request)
      if (path === `/${name}`) answerJson(response, { file: describeFile(name, Buffer.from('else')) })
      else if (path === `/${numbered}` && hasArrived) answerJson(response, { file: describeFile(numbered, bytes) })
      else answerNothing(request, response)
    },
    [sendFile]: (request, response) => {
      if (hasArrived) return refuse(response, 409, 'name_taken', 'Sent twice')
      hasArrived = true
      losing('cut')(request, response)
    },
  })
  await writeFile(terminal.path(name), bytes)
  expect((await runCli(terminal, ['upload', name])).code).toBe(0)
  expect(requests.filter(asked => asked === sendFile)).toHaveLength(1)
})

test('with --on-conflict fail only a file of the exact name counts as the upload', async () => {
  let sent = 0
  const { terminal } = await startOddServer({
    [findFile]: (request, response) => {
      const path = pathOf(request)
      if (path === '/a.txt') answerJson(response, { file: describeFile('a.txt', Buffer.from('else')) })
      else if (path === '/a (1).txt') answerJson(response, { file: describeFile('a (1).txt', bytes) })
      else answerNothing(request, response)
    },
    [sendFile]: (request, response) => {
      sent += 1
      if (sent === 1) losing('cut')(request, response)
      else request.resume().on('end', () => refuse(response, 409, 'name_taken', 'Taken'))
    },
  })
  await writeFile(terminal.path('a.txt'), bytes)
  const { code } = await runCli(terminal, ['upload', 'a.txt', '--on-conflict', 'fail'])
  expect({ code, sent }).toEqual({ code: 5, sent: 2 })
})

test('an upload that is found after a lost answer gets its metadata', async () => {
  const described = describeFile('a.txt', bytes)
  let hasArrived = false
  const { terminal, requests } = await startOddServer({
    'GET /api/metadata/fields/upload': (_request, response) => answerJson(response, [describeField('year')]),
    [findFile]: (request, response) =>
      hasArrived ? answerJson(response, { file: described }) : answerNothing(request, response),
    [sendFile]: (request, response) => {
      hasArrived = true
      losing('cut')(request, response)
    },
    'PUT /api/files/7/metadata': (request, response) =>
      request.resume().on('end', () => answerJson(response, { file: described })),
  })
  await writeFile(terminal.path('a.txt'), bytes)
  const { code, stderr } = await runCli(terminal, ['upload', 'a.txt', '--metadata', 'year=1999'])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(requests).toContain('PUT /api/files/7/metadata')
})

test('the search for an upload after a lost answer has no retries of its own', async () => {
  const { terminal, requests } = await startOddServer({
    [findFile]: (request, response) => {
      if (requests.includes(sendFile)) response.writeHead(503, { 'retry-after': '0' }).end()
      else answerNothing(request, response)
    },
    [sendFile]: losing('cut'),
  })
  await writeFile(terminal.path('a.txt'), bytes)
  expect((await runCli(terminal, ['upload', 'a.txt'])).code).toBe(7)
  expect(requests.filter(name => name === sendFile)).toHaveLength(1)
  expect(requests.filter(name => name === findFile).length).toBeLessThan(12)
})

test.each([
  ['cut', 'Lost the connection'],
  [503, 'HTTP 503'],
] as const)('an upload that failed (%s) is not sent again with a key that may not read', async (loss, message) => {
  const { terminal, requests } = await startOddServer({
    [findFile]: (_request, response) => refuse(response, 403, 'forbidden', 'No'),
    'POST /api/files/folders': (_request, response) =>
      answerJson(response, { file: { ...describeFile('tree', Buffer.from('')), is_directory: true } }),
    [sendFile]: losing(loss),
  })
  await mkdir(terminal.path('tree'))
  await writeFile(terminal.path('tree/a.txt'), bytes)
  await writeFile(terminal.path('a.txt'), bytes)
  for (const path of ['a.txt', 'tree']) {
    const { code, stderr } = await runCli(terminal, ['upload', path])
    expect(code).toBe(7)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('trying again')
  }
  expect(requests.filter(name => name === sendFile)).toHaveLength(2)
})

test('standard input is not sent again after a lost connection, because it can be read only once', async () => {
  const { terminal, requests } = await startOddServer({ [findFile]: answerNothing, [sendFile]: losing('cut') })
  expect((await runCli(terminal, ['upload', '-', '--name', 'a.txt'], 'once')).code).toBe(7)
  expect(requests.filter(name => name === sendFile)).toHaveLength(1)
})

test('files that a proxy refuses do not keep the other files from being uploaded', async () => {
  const { terminal } = await startOddServer({
    [findFile]: answerNothing,
    'GET /api/auth/profile': (_request, response) => answerJson(response, {}),
    [sendFile]: (request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      request.on('end', () => {
        if (body.includes('poison')) response.writeHead(504, { 'retry-after': '0' }).end()
        else answerJson(response, { file: describeFile('b.txt', bytes) })
      })
    },
  })
  await writeFile(terminal.path('a.txt'), 'poison')
  await writeFile(terminal.path('a2.txt'), 'poison')
  await writeFile(terminal.path('b.txt'), bytes)
  const { code, stdout, stderr } = await runCli(terminal, ['upload', 'a.txt', 'a2.txt', 'b.txt', '--concurrency', '1'])
  expect(code).toBe(7)
  expect(stdout).toContain('/b.txt')
  expect(stderr).toContain('2 of 3 items failed')
})

test('a path that a proxy refuses does not keep the other paths from being downloaded', async () => {
  const { terminal } = await startOddServer({
    'GET /api/auth/profile': (_request, response) => answerJson(response, {}),
    [findFile]: (request, response) => {
      if (pathOf(request) === '/poison') response.writeHead(504, { 'retry-after': '0' }).end()
      else answerJson(response, { file: describeFile('b.txt', bytes) })
    },
    'GET /api/files/7/download': (_request, response) => sendBytes(response, bytes),
  })
  const { code, stderr } = await runCli(terminal, ['download', 'poison', 'b.txt', '.'])
  expect(code).toBe(7)
  expect(stderr).toContain('1 of 2 items failed')
  expect(await readFile(terminal.path('b.txt'))).toEqual(bytes)
})

test('an upload uses a folder that exists after the answer to its creation was lost', async () => {
  const folder = { ...describeFile('tree', Buffer.from('')), is_directory: true }
  let made = 0
  const { terminal } = await startOddServer({
    [findFile]: answerNothing,
    'POST /api/files/folders': (request, response) => {
      made += 1
      if (made === 1) losing('cut')(request, response)
      else if (made === 2) refuse(response, 409, 'name_taken', 'Taken')
      else answerJson(response, { file: folder })
    },
  })
  await mkdir(terminal.path('tree'))
  expect((await runCli(terminal, ['upload', 'tree'])).code).toBe(0)
  expect(made).toBe(3)
})

const item = describeFile('a.txt', bytes)
const key = describeKey('backup')
const tag = { id: 7, name: 'Work', color: '#000000', file_count: 0 }

/** Command, arguments, request, and the answer to a repeated request. */
const changes = [
  ['rm', ['rm', '/a.txt'], 'PUT /api/files/7/trash', 404, 'not_found'],
  ['trash delete', ['trash', 'delete', '--yes', 'id:7'], 'DELETE /api/files/7/permanent', 404, 'not_found'],
  ['trash restore', ['trash', 'restore', 'id:7'], 'PUT /api/files/7/restore', 409, 'not_trashed'],
  ['keys revoke', ['keys', 'revoke', '--yes', 'backup'], 'DELETE /api/auth/api-keys/7', 404, 'not_found'],
  ['tags delete', ['tags', 'delete', '--yes', 'Work'], 'DELETE /api/tags/7', 404, 'not_found'],
] as const
const answer = (data: unknown) => (_request: unknown, response: ServerResponse) => answerJson(response, data)
const around = {
  [findFile]: answer({ file: item }),
  'GET /api/files/7': answer({ file: item }),
  'GET /api/files/trash': (_request: unknown, response: ServerResponse) =>
    answerPage(response, { files: [{ ...item, deleted_at: item.created_at }] }),
  'GET /api/auth/api-keys': answer({ api_keys: [key], folders: [] }),
  'GET /api/tags': answer({ tags: [tag] }),
}

describe.each(changes)('%s', (_name, args, change, status, refusal) => {
  test('succeeds when the first answer was lost and the repeated request is refused', async () => {
    let asked = 0
    const { terminal } = await startOddServer({
      ...around,
      [change]: (request, response) => {
        asked += 1
        if (asked === 1) losing('cut')(request, response)
        else refuse(response, status, refusal, 'Not here')
      },
    })
    const { code, stdout } = await runCli(terminal, [...args, '--json'])
    expect({ code, asked }).toEqual({ code: 0, asked: 2 })
    expect(JSON.parse(stdout)).toMatchObject({ id: 7 })
  })

  test('fails when the server was only busy and then refuses the request', async () => {
    let asked = 0
    const { terminal } = await startOddServer({
      ...around,
      [change]: (_request, response) => {
        asked += 1
        if (asked === 1) response.writeHead(429, { 'retry-after': '0' }).end()
        else refuse(response, status, refusal, 'Not here')
      },
    })
    expect((await runCli(terminal, [...args])).code).toBe(status === 404 ? 4 : 5)
  })
})
