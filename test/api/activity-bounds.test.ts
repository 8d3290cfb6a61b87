/** What a page of an item's activity looks at is limited, whatever else is noted under the item's number. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { listFileEvents, renameFile } from '../../src/api/files.ts'
import type { Database } from '../../src/db/database.ts'
import type { Recorder } from '../../src/db/recorder.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { ownerOf } from '../support/planting.ts'
import { explain } from '../support/query-plans.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

beforeEach(context => onlyOneServer('process', context))

let server: TestServer
let user: BuiltUser
let other: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  other = await buildUser(server)
})
afterAll(() => server.close())

/** Notes many events of another user. */
async function plantEvents(count: number, note: (record: Recorder) => void) {
  const actor = { userId: other.id, name: other.username, keyId: null, address: '127.0.0.1' }
  for (let left = count; left > 0; left -= 500) {
    await server.deps.db.write(actor, async record => {
      for (let n = 0; n < Math.min(left, 500); n++) note(record)
    })
  }
}

/** The plans of the statements on events that a call runs. */
async function plansOf(call: () => Promise<unknown>): Promise<string[]> {
  const read = vi.spyOn<Database, 'rows'>(server.deps.db, 'rows')
  await call()
  const statements = read.mock.calls.filter(([sql]) => sql.includes('FROM events'))
  read.mockRestore()
  return Promise.all(statements.map(async ([sql, binds]) => JSON.stringify(await explain(server, sql, binds))))
}

test('a page that would look at too many marks of others ends early, and the next one goes on', async () => {
  const file = await buildFile(user, { name: 'a.txt' })
  const { spaceId } = await ownerOf(server, user)
  await plantEvents(10_500, record => record('file.tag', { id: file.id, spaceId }, { tag_id: 1, name: 'theirs' }))
  await user.call(renameFile, { id: file.id, name: 'b.txt' })
  const first = await user.call(listFileEvents, { id: file.id, limit: 8 })
  expect(first.events.map(({ action }) => action)).toEqual(['file.rename'])
  const rest = await user.call(listFileEvents, { id: file.id, limit: 8, cursor: first.next_cursor ?? undefined })
  expect(rest.events.map(({ action }) => action)).toEqual(['file.upload'])
  expect(rest.next_cursor).toBe(null)
})

test('events of other things with the same number, and views of the item, are not looked at', async () => {
  const file = await buildFile(user, { name: 'c.txt' })
  const { spaceId } = await ownerOf(server, other)
  await plantEvents(1000, record => record('tag.update', { id: file.id, spaceId }, { from: 'a', to: 'b' }))
  const plans = await plansOf(() => user.call(listFileEvents, { id: file.id, limit: 8 }))
  expect(plans).toHaveLength(1)
  expect(plans[0]).toContain('events_item_action')
  if (server.deps.db.dialect === 'sqlite') expect(plans[0]).toContain('item_id=? AND action=?')
  const { events, next_cursor } = await user.call(listFileEvents, { id: file.id, limit: 8 })
  expect([events.map(({ action }) => action), next_cursor]).toEqual([['file.upload'], null])
})

test('of what happened to a shared item and the folders around it, only moves are looked at', async () => {
  const root = await buildFolder(user)
  const inner = await buildFolder(user, undefined, root.id)
  const file = await buildFile(user, { name: 'd.txt', parent_id: inner.id })
  await buildShare(user, root, other, 'edit')
  const plans = await plansOf(() => other.call(listFileEvents, { id: file.id }))
  // The moves are read before the events and after them.
  expect(plans).toHaveLength(3)
  const moves = plans.filter((_, n) => n !== 1)
  for (const plan of moves) expect(plan).toContain('events_item_action')
  // Each item's moves since a time, from the end of its part of the index.
  if (server.deps.db.dialect !== 'sqlite') return
  for (const plan of moves) expect(plan.match(/item_id=\? AND action=\? AND at>\?/g)).toHaveLength(2)
})
