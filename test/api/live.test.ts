/** The stream of changes: who hears of what, and when it ends. */
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { logout } from '../../src/api/auth.ts'
import { maxFollowersOfSession, maxFollowersOfUser } from '../../src/api/limits.ts'
import { deleteShare } from '../../src/api/shares.ts'
import { decideFile } from '../../src/api/validation.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildReviewer,
  buildShare,
  buildUser,
  disableUser,
  turnSettings,
} from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { ownerOf } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let other: BuiltUser
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  ;[user, other] = await Promise.all([buildUser(server), buildUser(server)])
})
afterAll(() => server.close())

/** Opens a stream, and collects what it says. */
async function follow(client: TestClient, path = '/api/events/stream') {
  const answer = await client.raw(path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const stream = { text: '', isEnded: false }
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) stream.text += Buffer.from(chunk).toString()
  })()
  void reading
    .catch(() => undefined)
    .finally(() => {
      stream.isEnded = true
    })
  await expect.poll(() => stream.text).toContain(': following')
  return stream
}
const changesIn = ({ text }: { text: string }) =>
  [...text.matchAll(/event: change\ndata: (.*)\n\n/g)].map(([, data]) => JSON.parse(data ?? ''))

const within = { timeout: 10_000 }

describe('a stream', () => {
  test('asks nginx to hold nothing back', async context => {
    onlyOneServer('proxy', context)
    const { headers, body } = await user.raw('/api/events/stream')
    expect(headers.get('x-accel-buffering')).toBe('no')
    await body?.cancel()
  })

  test('tells of a change in the own tree, with the folders that show it', async () => {
    const folder = await buildFolder(user)
    const stream = await follow(user)
    await buildFile(await signIn(server.url, user.username, user.password), { parent_id: folder.id })
    await expect.poll(() => changesIn(stream), within).toHaveLength(1)
    const { spaceId } = await ownerOf(server, user)
    expect(changesIn(stream)[0]).toEqual({ space: spaceId, revision: expect.any(Number), folders: [folder.id] })
  })

  test('tells of the last minute on request, of other folders as of its own, and of nothing that is older', async () => {
    const [old, folder, shared] = [await buildFolder(user), await buildFolder(user), await buildFolder(user)]
    await buildShare(user, shared, other, 'view')
    await buildFile(user, { parent_id: old.id })
    const { spaceId } = await ownerOf(server, user)
    const { db } = server.deps
    await db.touch(() => db.change('UPDATE events SET at = at - 61000 WHERE space_id = $1', [spaceId]))
    for (const parent_id of [null, folder.id, shared.id]) await buildFile(user, { parent_id })
    // A slice of a deletion or of a copy changes the revision without an event.
    await db.touch(() => db.change('UPDATE spaces SET revision = revision + 1 WHERE id = $1', [spaceId]))
    const [all, received, untold] = await Promise.all([
      follow(user, '/api/events/stream?age=60000'),
      follow(other, '/api/events/stream?age=60000'),
      follow(user),
    ])
    await expect.poll(() => changesIn(all), within).toHaveLength(1)
    expect(new Set(changesIn(all)[0].folders)).toEqual(new Set([null, folder.id, shared.id]))
    await expect.poll(() => changesIn(received), within).toHaveLength(1)
    expect(changesIn(received)[0]).toMatchObject({ space: spaceId, folders: [shared.id] })
    expect(changesIn(untold)).toEqual([])
  })

  test('tells of what happens in a shared folder, and of nothing beside it', async () => {
    const [shared, beside] = [await buildFolder(user), await buildFolder(user)]
    await buildShare(user, shared, other, 'view')
    const stream = await follow(other)
    await buildFile(user, { parent_id: beside.id })
    await buildFile(user, { parent_id: shared.id })
    await expect.poll(() => changesIn(stream).length, within).toBeGreaterThan(0)
    await buildFile(user, { parent_id: beside.id })
    await buildFile(other)
    const own = (await ownerOf(server, other)).spaceId
    await expect.poll(() => changesIn(stream).some(({ space }) => space === own), within).toBe(true)
    for (const { space, folders } of changesIn(stream)) expect([[shared.id], [null]]).toContainEqual(folders ?? space)
  })

  test('hears of changes that come without a pause, in each tab that was opened meanwhile', async () => {
    const tabs = [await follow(user)]
    const allHeard = async () => {
      await buildFile(user)
      if (tabs.length < 4) tabs.push(await follow(user))
      return tabs.length === 4 && tabs.every(tab => changesIn(tab).length > 0)
    }
    await expect.poll(allHeard, { timeout: 10_000, interval: 300 }).toBe(true)
  })

  test('tells of nothing beside a shared folder, however much happens there, and of what comes into it afterwards', async () => {
    const [shared, beside] = [await buildFolder(user), await buildFolder(user)]
    await buildShare(user, shared, other, 'view')
    const stream = await follow(other)
    const { db } = server.deps
    const { spaceId } = await ownerOf(server, user)
    for (let n = 0; n < 3; n++) {
      await db.write(systemActor, async record => {
        for (let index = 0; index < 500; index++)
          record('file.rename', { id: beside.id, spaceId }, { from: 'a', to: 'b' })
      })
    }
    await buildFile(other)
    const own = (await ownerOf(server, other)).spaceId
    await expect.poll(() => changesIn(stream).some(({ space }) => space === own), within).toBe(true)
    await buildFile(user, { parent_id: shared.id })
    await expect.poll(() => changesIn(stream).filter(({ space }) => space === spaceId), within).toHaveLength(1)
    expect(changesIn(stream).find(({ space }) => space === spaceId)).toMatchObject({ folders: [shared.id] })
  })

  test('says that the rights have changed when a share comes or goes', async () => {
    const folder = await buildFolder(user)
    const stream = await follow(other)
    const share = await buildShare(user, folder, other, 'view')
    await expect.poll(() => stream.text, within).toContain('event: session\ndata: {}\n\n')
    const before = stream.text.length
    await user.call(deleteShare, { id: share.id })
    await expect.poll(() => stream.text.slice(before), within).toContain('event: session')
    const told = stream.text.length
    await buildFile(user, { parent_id: folder.id })
    await buildFile(other)
    await expect.poll(() => stream.text.slice(told), within).toContain('event: change')
    expect(stream.text.slice(told).match(/event: change/g)).toHaveLength(1)
  })

  test('tells a reviewer that the queue has changed, and nobody else', async () => {
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    const reviewer = await buildReviewer(server)
    await turnSettings(admin, { validation_enabled: true })
    const folder = await buildFolder(reviewer)
    const [told, untold] = [await follow(reviewer), await follow(other)]
    const withoutRight = await follow(await buildKey(server, reviewer, ['files:read']))
    const scope = { scope_id: folder.id }
    const ofFolder = await follow(await buildKey(server, reviewer, ['files:read'], 'script', scope))
    const countOf = ({ text }: { text: string }) => text.match(/event: queue\ndata: \{\}\n\n/g)?.length ?? 0
    const file = await buildFile(user)
    await expect.poll(() => countOf(told), within).toBe(1)
    await user.upload('other bytes', { name: file.name, on_conflict: 'replace' })
    await expect.poll(() => countOf(told), within).toBe(2)
    await reviewer.call(decideFile, { file_id: file.id, status: 'approved' })
    await expect.poll(() => countOf(told), within).toBe(3)
    await turnSettings(admin, { validation_enabled: false })
    expect([untold, withoutRight, ofFolder].map(countOf)).toEqual([0, 0, 0])
    expect(changesIn(told)).toEqual([])
  })

  test('ends with the session, and with the account', async () => {
    const session = await signIn(server.url, user.username, user.password)
    const [signedOut, disabled] = [await follow(session), await follow(other)]
    await session.call(logout, {})
    await expect.poll(() => signedOut.isEnded, within).toBe(true)
    await disableUser(server, other.id)
    await expect.poll(() => disabled.isEnded, within).toBe(true)
  })

  test('ends when the same session opens five more', async context => {
    onlyOneServer('counts', context)
    const first = await follow(user)
    const more = []
    for (let n = 0; n < 5; n++) more.push(await follow(user))
    await expect.poll(() => first.isEnded, within).toBe(true)
    expect(more.map(({ isEnded }) => isEnded)).toEqual([false, false, false, false, false])
  })

  test('ends when the same user opens fifty more by other keys', async context => {
    onlyOneServer('counts', context)
    const first = await follow(user)
    for (let n = 0; n < maxFollowersOfUser / maxFollowersOfSession; n++) {
      const key = await buildKey(server, user, ['files:read'])
      await Promise.all(Array.from({ length: maxFollowersOfSession }, () => follow(key)))
    }
    await expect.poll(() => first.isEnded, within).toBe(true)
  })

  test('ends with its session while the changes of others take long to look at', async context => {
    onlyOneServer('process', context)
    const folder = await buildFolder(user)
    const slow = await buildUser(server)
    await buildShare(user, folder, slow, 'view')
    await follow(slow)
    const session = await signIn(server.url, other.username, other.password)
    const stream = await follow(session)
    const { db } = server.deps
    const { rows } = db
    const isOfEvents = (sql: string) => /FROM events\b/.test(sql) && sql.includes('revision')
    const reading = vi.spyOn(db, 'rows').mockImplementation(async (sql, bind) => {
      if (isOfEvents(sql)) await setTimeout(20_000)
      return rows.call(db, sql, bind) as never
    })
    onTestFinished(() => reading.mockRestore())
    await buildFile(user, { parent_id: folder.id })
    await expect.poll(() => reading.mock.calls.some(([sql]) => isOfEvents(sql)), within).toBe(true)
    await session.call(logout, {})
    await expect.poll(() => stream.isEnded, { timeout: 6000 }).toBe(true)
  })

  test('ends at once when the server stops', async () => {
    const stopping = await startServer()
    const stream = await follow(await buildUser(stopping))
    await stopping.close()
    await expect.poll(() => stream.isEnded, within).toBe(true)
  })
})
