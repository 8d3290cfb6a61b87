/** Requests with several files that fail as a whole. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/api/client.ts'
import { listFiles } from '../../../src/api/files.ts'
import { retryFailed } from '../../../web/lib/uploads/add-uploads.ts'
import { answerClash } from '../../../web/lib/uploads/clashes.ts'
import { LineError } from '../../../web/lib/uploads/line-error.ts'
import { buildFile, buildUser } from '../../support/factories.ts'
import { startServer } from '../../support/server.ts'
import type { TestServer } from '../../support/test-server.ts'
import { abc, hold, namesIn, openWithFirst, wholeOf } from './groups.ts'
import { breakLine, openUploadPage, rowOf, statuses, textFile } from './page.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('a request that fails as a whole', () => {
  test('with a lost answer stores no file twice: each that arrived is found', async () => {
    const user = await buildUser(server)
    const page = openWithFirst(user, async (request, whole) => {
      request.onSent()
      await whole(request)
      return breakLine()
    })
    await page.add(abc())
    await expect.poll(() => statuses(page)).toEqual({})
    expect([page.sent, await namesIn(user)]).toEqual([
      ['a.txt', 'b.txt', 'c.txt'],
      ['a.txt', 'b.txt', 'c.txt'],
    ])
  })

  test('with a lost answer asks about a name that another file has', async () => {
    const user = await buildUser(server)
    const page = openWithFirst(user, async ({ onSent }) => {
      onSent()
      await buildFile(user, { name: 'a.txt' }, 'some words of another')
      return breakLine()
    })
    await page.add(abc())
    await expect.poll(() => statuses(page)).toEqual({ 'a.txt': 'clashing' })
  })

  test('with a lost answer leaves a file that gets a free name to the user', async () => {
    const user = await buildUser(server)
    await Promise.all(abc().map(({ name }) => buildFile(user, { name }, 'old')))
    const whole = wholeOf(user)
    let count = 0
    const page = openUploadPage(user, {
      sendMany: async request => {
        count += 1
        if (count === 1) return whole(request)
        request.onSent()
        await whole(request)
        return breakLine()
      },
    })
    await page.add(abc())
    await expect.poll(() => page.uploads.rows.useList.getState().clashing).toHaveLength(3)
    answerClash(page.uploads, rowOf(page, 'a.txt'), 'rename', true)
    await expect.poll(() => Object.values(statuses(page))).toEqual(['error', 'error', 'error'])
    expect(rowOf(page, 'a.txt').note).toBe('Upload failed')
    expect((await user.call(listFiles, {})).total).toBe(6)
  })

  test('because the connection breaks goes on by itself when the server is back', async () => {
    const user = await buildUser(server)
    const { held, letGo } = hold()
    const whole = wholeOf(user)
    let count = 0
    const page = openUploadPage(user, {
      sendMany: request => {
        count += 1
        return count === 1 ? breakLine() : whole(request)
      },
      waitForServer: () => held,
    })
    await page.add(abc())
    await expect.poll(() => new Set(Object.values(statuses(page)))).toEqual(new Set(['waiting']))
    await page.add([textFile('d.txt'), textFile('e.txt')])
    expect([page.sent, page.groups.length]).toEqual([[], 1])
    letGo()
    await expect.poll(() => statuses(page)).toEqual({})
    expect(await namesIn(user)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'])
  })

  test('because one file cannot be read stops none of the others', async () => {
    const user = await buildUser(server)
    const whole = openUploadPage(user).uploads.deps.send
    const page = openUploadPage(user, {
      sendMany: async () => {
        throw new LineError('Upload failed')
      },
      send: request => (request.file.name === 'b.txt' ? Promise.reject(new Error('It is gone')) : whole(request)),
    })
    await page.add(abc())
    await expect.poll(() => statuses(page)).toEqual({ 'b.txt': 'error' })
    expect(await namesIn(user)).toEqual(['a.txt', 'c.txt'])
  })

  test('because the session has ended waits for the same user, and then goes together', async () => {
    const user = await buildUser(server)
    const page = openWithFirst(user, async () => {
      throw new ApiError(401, 'Sign in to continue', { code: 'unauthenticated' })
    })
    page.session.setState({ user: { id: user.id }, isAuthenticated: true })
    await page.add(abc())
    page.session.setState({ user: { id: user.id }, isAuthenticated: false })
    await expect.poll(() => new Set(Object.values(statuses(page)))).toEqual(new Set(['waiting']))
    expect(page.groups).toHaveLength(1)
    page.session.setState({ user: { id: user.id }, isAuthenticated: true })
    await expect.poll(() => statuses(page)).toEqual({})
    expect(page.groups).toEqual([
      ['a.txt', 'b.txt', 'c.txt'],
      ['a.txt', 'b.txt', 'c.txt'],
    ])
  })

  test('because the server is busy waits as long as it asks, in the same order', async () => {
    const user = await buildUser(server)
    const waits: (() => void)[] = []
    const whole = wholeOf(user)
    let count = 0
    const page = openUploadPage(user, {
      sendMany: async request => {
        count += 1
        if (count === 1) throw new ApiError(429, 'Too many requests', { code: 'rate_limited', retryAfter: 30 })
        return whole(request)
      },
      after: (milliseconds, run) => (milliseconds > 10_000 ? void waits.push(run) : void setTimeout(run, 0)),
    })
    await page.add(abc())
    await expect.poll(() => waits.length).toBeGreaterThan(0)
    expect([statuses(page)['a.txt'], page.groups.length]).toEqual(['waiting', 1])
    for (const end of waits) end()
    await expect.poll(() => statuses(page)).toEqual({})
    expect(page.groups[1]).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })

  test('because a proxy takes no larger bodies is the last one with several files', async () => {
    const user = await buildUser(server)
    const page = openUploadPage(user, { sendMany: async () => Promise.reject(new ApiError(413, 'HTTP 413')) })
    await page.add(abc())
    await expect.poll(() => statuses(page)).toEqual({})
    await page.add([textFile('d.txt'), textFile('e.txt')])
    await expect.poll(() => statuses(page)).toEqual({})
    expect([page.groups.length, page.sent.length]).toEqual([1, 5])
    expect(await namesIn(user)).toHaveLength(5)
  })

  test('because its folder is gone names the reason on each row, and Retry works once it is back', async () => {
    const user = await buildUser(server)
    let isGone = true
    const whole = wholeOf(user)
    const single = openUploadPage(user).uploads.deps.send
    const gone = async () => Promise.reject(new ApiError(404, 'Folder not found', { code: 'not_found' }))
    const page = openUploadPage(user, {
      sendMany: request => (isGone ? gone() : whole(request)),
      send: request => (isGone ? gone() : single(request)),
    })
    await page.add(abc())
    await expect.poll(() => Object.values(statuses(page))).toEqual(['error', 'error', 'error'])
    expect(rowOf(page, 'c.txt').note).toBe('Folder not found')
    isGone = false
    retryFailed(page.uploads)
    await expect.poll(() => statuses(page)).toEqual({})
    expect(await namesIn(user)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })
})
