/** Changes of whole trees: one user's hold the only writer for a bounded part of the time. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { batchFiles, listFiles, renameFile } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { Database } from '../../src/db/database.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let eve: BuiltUser
let bob: BuiltUser
let db: Database
const undo: (() => void)[] = []
beforeAll(async () => {
  server = await startServer()
  db = server.deps.db
})
afterAll(() => server.close())
beforeEach(async () => {
  eve = await buildUser(server)
  bob = await buildUser(server)
})
afterEach(() => {
  for (const back of undo.splice(0)) back()
})

function openGate() {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}

async function countUnderWay(): Promise<number> {
  const underWay = await server.deps.metrics.getSingleMetric('filestore_http_requests_under_way')?.get()
  return underWay?.values[0]?.value ?? expect.fail()
}

describe('changes of whole trees', () => {
  /** Counts the writes that a user begins; `before` runs before each one. */
  function countWrites(user: BuiltUser, before = async () => {}): () => number {
    const { write } = db
    let begun = 0
    db.write = async (actor, work) => {
      if (actor.userId === user.id) {
        begun += 1
        await before()
      }
      return write(actor, work)
    }
    undo.push(() => {
      db.write = write
    })
    return () => begun
  }

  /** Holds the clock and the timers of this length (ms); a trashed tree and a moved item take so long by this clock. */
  function holdTime({ trash = 0, move = 0, timer = 0 }) {
    let now = systemClock.monotonic()
    vi.spyOn(systemClock, 'monotonic').mockImplementation(() => now)
    const { change, update } = db
    db.change = (sql, bind) => {
      if (/SET trash_root_id = \$1/.test(sql)) now += trash
      return change(sql, bind)
    }
    db.update = (model, columns, id) => {
      now += move
      return update(model, columns, id)
    }
    const held: (() => void)[] = []
    const begin = globalThis.setTimeout
    const hold = (run: (...values: unknown[]) => void, ms?: number, ...rest: unknown[]) => {
      if (ms !== timer) return begin(run, ms, ...rest)
      held.push(() => run(...rest))
      return begin(() => undefined, 0)
    }
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout)
    undo.push(() => {
      Object.assign(db, { change, update })
      vi.restoreAllMocks()
    })
    return held
  }

  test('run one at a time for each user, sessions and keys together, and other users’ changes run between them', async () => {
    const folders = await Promise.all(Array.from({ length: 12 }, () => buildFolder(eve)))
    const key = await buildKey(server, eve, ['files:delete'])
    const own = await buildFile(bob, {})
    const gate = openGate()
    const begun = countWrites(eve, () => gate.opened)
    const trashed = folders.map(({ id }, index) => (index % 2 === 0 ? eve : key).call(trashFile, { id }))
    await expect.poll(begun).toBe(1)
    await expect.poll(countUnderWay).toBe(12)
    expect((await bob.call(trashFile, { id: own.id })).file.id).toBe(own.id)
    expect(begun()).toBe(1)
    gate.open()
    await Promise.all(trashed)
    expect(begun()).toBe(12)
  })

  test.each([
    { trash: 1234, rest: 3702 },
    { trash: 60_000, rest: 10_000 },
  ])('that held the writer for $trash ms are answered at once, and the user’s next one waits $rest ms', async each => {
    const [first, second, third] = [await buildFolder(eve), await buildFolder(eve), await buildFolder(eve)]
    const key = await buildKey(server, eve, ['files:delete'])
    const own = await buildFile(bob, {})
    const held = holdTime({ trash: each.trash, timer: each.rest })
    await eve.call(trashFile, { id: first.id })
    const begun = countWrites(eve)
    const next = [eve.call(trashFile, { id: second.id }), key.call(trashFile, { id: third.id })]
    await expect.poll(countUnderWay).toBe(2)
    await bob.call(trashFile, { id: own.id })
    expect(begun()).toBe(0)
    // The user's other calls do not wait.
    await eve.call(renameFile, { id: third.id, name: 'renamed' })
    expect((await eve.call(listFiles, {})).folders).toHaveLength(2)
    expect(begun()).toBe(1)
    for (const end of held.splice(0)) end()
    await expect.poll(begun).toBe(2)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    expect(begun()).toBe(2)
    for (const end of held.splice(0)) end()
    await Promise.all(next)
    for (const end of held.splice(0)) end()
  })

  test('of many items in short writes do not make the next one wait', async () => {
    const items = await Promise.all(Array.from({ length: 60 }, () => buildFolder(eve)))
    const target = await buildFolder(eve)
    holdTime({ move: 49, timer: 60 * 49 * 3 })
    const ids = items.map(({ id }) => id)
    for (const parent_id of [target.id, null, target.id]) {
      const { results } = await eve.call(batchFiles, { action: 'move', ids, parent_id })
      expect(results.every(({ ok }) => ok)).toBe(true)
    }
  })
})
