/** Connections that break, and proxies whose server is away, while the client changes something. */
import { mkdir, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { answerJson, answerNothing, describeFile, refuse, startOddServer } from './odd-server.ts'
import { runCli } from './terminal.ts'

const bytes = Buffer.from('once')
const sendFile = 'POST /api/files/upload'
const findFile = 'GET /api/files/by-path'

/** The whole request arrives; its answer does not. */
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
  test('and that has arrived is not sent again', async () => {
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

  test('and that has not arrived is sent again', async () => {
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

test('an upload whose answer is lost is found under the number that a taken name got', async () => {
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

test('an upload whose answer is lost is not sent again by a key that may not look', async () => {
  const { terminal, requests } = await startOddServer({
    [findFile]: (_request, response) => refuse(response, 403, 'forbidden', 'No'),
    [sendFile]: losing('cut'),
  })
  await writeFile(terminal.path('a.txt'), bytes)
  const { code, stderr } = await runCli(terminal, ['upload', 'a.txt'])
  expect(code).toBe(7)
  expect(stderr).toContain('may not look whether it arrived')
  expect(requests.filter(name => name === sendFile)).toHaveLength(1)
})

test('a stream whose connection broke is not sent again, for it can be read only once', async () => {
  const { terminal, requests } = await startOddServer({ [findFile]: answerNothing, [sendFile]: losing('cut') })
  expect((await runCli(terminal, ['upload', '-', '--name', 'a.txt'], 'once')).code).toBe(7)
  expect(requests.filter(name => name === sendFile)).toHaveLength(1)
})

test('files that no proxy lets through do not keep the others from being sent', async () => {
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

test('a folder whose answer is lost is taken when it is there', async () => {
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
const key = { id: 7, key_id: 'gk_1', name: 'backup', kind: 'script', permissions: [], is_active: true }
const tag = { id: 7, name: 'Work', color: '#000000', file_count: 0 }

/** Command, its change, what the server says to a second one, and what else it is asked. */
const changes = [
  ['rm', ['rm', '/a.txt'], 'PUT /api/files/7/trash', 404, 'not_found'],
  ['trash delete', ['trash', 'delete', '--yes', 'id:7'], 'DELETE /api/files/7/permanent', 404, 'not_found'],
  ['trash restore', ['trash', 'restore', 'id:7'], 'PUT /api/files/7/restore', 409, 'not_trashed'],
  ['keys revoke', ['keys', 'revoke', '--yes', 'backup'], 'DELETE /api/auth/api-keys/7', 404, 'not_found'],
  ['tags delete', ['tags', 'delete', '--yes', 'Work'], 'DELETE /api/tags/7', 404, 'not_found'],
] as const

const around = {
  [findFile]: (_request: unknown, response: ServerResponse) => answerJson(response, { file: item }),
  'GET /api/files/7': (_request: unknown, response: ServerResponse) => answerJson(response, { file: item }),
  'GET /api/files/trash': (_request: unknown, response: ServerResponse) =>
    answerJson(response, { files: [{ ...item, deleted_at: item.created_at }], next_cursor: null }),
  'GET /api/auth/api-keys': (_request: unknown, response: ServerResponse) => answerJson(response, { api_keys: [key] }),
  'GET /api/tags': (_request: unknown, response: ServerResponse) => answerJson(response, { tags: [tag] }),
}

describe.each(changes)('%s', (_name, args, change, status, refusal) => {
  test('whose answer is lost is done when the server knows nothing more of it', async () => {
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

  test('that was only turned away by a busy server fails when there is nothing to do', async () => {
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
