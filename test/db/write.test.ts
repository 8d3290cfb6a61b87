/** write(), the only way to change rows: what it commits together, and what it refuses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemActor } from '../../src/db/write-actor.ts'
import { addSpace, openTestDatabase, type TestStore } from '../support/database.ts'

let store: TestStore
let spaceId: number

beforeAll(async () => {
  store = await openTestDatabase()
  spaceId = (await addSpace(store.db, 'writer')).spaceId
})
afterAll(() => store.close())

const readCount = async (): Promise<number> => {
  const row = await store.db.row<{ item_count: number }>('SELECT item_count FROM spaces WHERE id = $1', [spaceId])
  return row?.item_count ?? -1
}
const setCount = (count: number) => store.db.change('UPDATE spaces SET item_count = $1 WHERE id = $2', [count, spaceId])
const countEvents = async (action: string): Promise<number> => {
  const row = await store.db.row<{ n: number }>('SELECT COUNT(*) AS n FROM events WHERE action = $1', [action])
  return row?.n ?? -1
}

describe('write', () => {
  test('commits its rows together with an event for each record', async () => {
    const actor = { userId: 7, name: 'Ann', keyId: 9, address: '::1' }
    await store.db.write(actor, async record => {
      await setCount(3)
      record('role.update', { id: spaceId }, { from: 0 })
    })
    expect(await readCount()).toBe(3)
    const [event] = await store.db.rows<Record<string, unknown>>("SELECT * FROM events WHERE action = 'role.update'")
    expect(event).toMatchObject({ actor_id: 7, actor_name: 'Ann', key_id: 9, address: '::1', item_id: spaceId })
    expect(JSON.parse(String(event?.detail))).toEqual({ from: 0 })
  })

  test('raises the revision of each space whose listings it changes, once', async () => {
    const [listed, sliced, other] = await Promise.all(
      ['listed', 'sliced', 'other'].map(name => addSpace(store.db, `revision-${name}`)),
    )
    const [first, second] = [listed?.spaceId ?? 0, sliced?.spaceId ?? 0]
    await store.db.write(systemActor, async record => {
      for (const id of [1, 2]) record('file.upload', { id, spaceId: first })
      record.slice(second)
    })
    const rows = await store.db.rows<{ revision: number }>(
      'SELECT revision FROM spaces WHERE id IN ($1, $2, $3) ORDER BY id = $1 DESC, id = $2 DESC',
      [first, second, other?.spaceId ?? 0],
    )
    expect(rows.map(({ revision }) => revision)).toEqual([1, 1, 0])
    expect(await countEvents('file.upload')).toBe(2)
  })

  test('gives the events of a space its new revision, and those of no space none', async () => {
    const { spaceId: id } = await addSpace(store.db, 'revised')
    const { spaceId: other } = await addSpace(store.db, 'revised-too')
    await store.db.write(systemActor, async record => record('folder.create', { id: 1, spaceId: id }))
    await store.db.write(systemActor, async record => {
      record('tag.create', { id: 5 })
      record('file.rename', { id: 2, spaceId: id })
      record('file.move', { id: 2, spaceId: other })
      record('file.rename', { id: 3, spaceId: id })
    })
    const rows = await store.db.rows(
      `SELECT action, space_id, revision FROM events WHERE action = 'tag.create' OR space_id IN ($1, $2) ORDER BY id`,
      [id, other],
    )
    expect(rows).toEqual([
      { action: 'folder.create', space_id: id, revision: 1 },
      { action: 'tag.create', space_id: null, revision: null },
      { action: 'file.rename', space_id: id, revision: 2 },
      { action: 'file.move', space_id: other, revision: 1 },
      { action: 'file.rename', space_id: id, revision: 2 },
    ])
  })

  test('rolls everything back, events included, when it throws', async () => {
    await store.db.write(systemActor, async record => {
      record.nothing()
      await setCount(5)
    })
    const failing = store.db.write(systemActor, async record => {
      await setCount(6)
      record('role.create', { id: spaceId })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await readCount()).toBe(5)
    expect(await countEvents('role.create')).toBe(0)
  })

  test('is rolled back and throws when it records neither an event nor nothing()', async () => {
    await setCountTo(1)
    await expect(store.db.write(systemActor, () => setCount(2))).rejects.toThrow('recorded neither')
    expect(await readCount()).toBe(1)
  })

  test('joins a running write, with one commit and the outer actor', async () => {
    await store.db.write({ ...systemActor, name: 'outer' }, async record => {
      await store.db.write({ ...systemActor, name: 'inner' }, async inner => inner('role.delete', { id: 1 }))
      record('role.delete', { id: 2 })
    })
    const rows = await store.db.rows<{ actor_name: string }>(
      "SELECT actor_name FROM events WHERE action = 'role.delete'",
    )
    expect(rows.map(row => row.actor_name)).toEqual(['outer', 'outer'])
  })

  test('fails as a whole after an inner write failed, even when the error was caught', async () => {
    await setCountTo(1)
    const outer = store.db.write(systemActor, async record => {
      await setCount(2)
      record('api-key.create', { id: 1 })
      await store.db
        .write(systemActor, async () => {
          throw new Error('inner')
        })
        .catch(() => undefined)
    })
    await expect(outer).rejects.toThrow('inner')
    expect(await readCount()).toBe(1)
    expect(await countEvents('api-key.create')).toBe(0)
  })

  test('serialises 20 writes that each read a row and add one', async () => {
    await setCountTo(0)
    const increments = Array.from({ length: 20 }, () =>
      store.db.write(systemActor, async record => {
        record('user.update', { id: spaceId })
        await store.db.change('UPDATE spaces SET revision = revision + 1 WHERE id = $1', [spaceId])
        await setCount((await readCount()) + 1)
      }),
    )
    await Promise.all(increments)
    expect(await readCount()).toBe(20)
    expect(await countEvents('user.update')).toBe(20)
  })

  test('lets 200 parallel writes of several kinds all succeed', async () => {
    const spaces = await Promise.all(['a', 'b', 'c'].map(name => addSpace(store.db, `mixed-${name}`)))
    const writes = Array.from({ length: 200 }, (_, index) => {
      const space = spaces[index % 3]
      if (index % 4 === 3) {
        return store.db.touch(() => store.db.change('UPDATE users SET last_login_at = $1', [index]))
      }
      return store.db.write(systemActor, async record => {
        record('user.delete', { id: index })
        await store.db.change('UPDATE spaces SET revision = revision + 1 WHERE id = $1', [space?.spaceId ?? 0])
        await store.db.change('UPDATE users SET updated_at = updated_at + 1 WHERE id = $1', [spaces[0]?.userId ?? 0])
      })
    })
    await expect(Promise.all(writes)).resolves.toHaveLength(200)
    expect(await countEvents('user.delete')).toBe(150)
  })

  test('waits for few of another user’s writes, however many of these wait', async () => {
    const ended: number[] = []
    const writeBy = (userId: number) =>
      store.db.write({ userId, name: 'Ann', keyId: null, address: null }, async record => {
        record.nothing()
        await readCount()
        ended.push(userId)
      })
    const many = Array.from({ length: 60 }, () => writeBy(1))
    await Promise.all([...many, writeBy(2)])
    expect(ended).toHaveLength(61)
    // MariaDB has six writers.
    expect(ended.indexOf(2)).toBeLessThan(14)
  })

  test('refuses a change beside another statement, and is rolled back', async () => {
    await setCountTo(1)
    const beside = (first: () => Promise<unknown>) =>
      store.db.write(systemActor, async record => {
        record.nothing()
        await Promise.all([first(), setCount(2)])
      })
    await expect(beside(() => setCount(3))).rejects.toThrow('one after the other')
    await expect(beside(readCount)).rejects.toThrow('one after the other')
    expect(await readCount()).toBe(1)
  })

  test('ends after all its parallel reads have ended, also when one fails', async () => {
    await setCountTo(1)
    const failing = store.db.write(systemActor, async record => {
      record.nothing()
      await setCount(2)
      await Promise.all([store.db.row('SELECT id FROM no_such_table'), ...Array.from({ length: 40 }, readCount)])
    })
    await expect(failing).rejects.toThrow('no_such_table')
    expect(await readCount()).toBe(1)
    await setCountTo(3)
    expect(await readCount()).toBe(3)
  })

  test('is rolled back when it returns before its statements have ended', async () => {
    await setCountTo(1)
    const hasty = store.db.write(systemActor, async record => {
      record.nothing()
      void setCount(2)
    })
    await expect(hasty).rejects.toThrow('ended before its statements')
    expect(await readCount()).toBe(1)
  })

  test('refuses a query that runs after its end', async () => {
    let late: Promise<unknown> = Promise.resolve()
    let release: () => void = () => undefined
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await store.db.write(systemActor, async record => {
      record.nothing()
      late = released.then(() => readCount())
    })
    release()
    await expect(late).rejects.toThrow('outlived')
  })

  test('is invisible to readers before its commit', async () => {
    await setCountTo(1)
    let tellChanged: () => void = () => undefined
    let tellLooked: () => void = () => undefined
    const changed = new Promise<void>(resolve => {
      tellChanged = resolve
    })
    const looked = new Promise<void>(resolve => {
      tellLooked = resolve
    })
    const seen = changed.then(readCount).finally(tellLooked)
    await store.db.write(systemActor, async record => {
      record.nothing()
      await setCount(99)
      tellChanged()
      await looked
    })
    expect(await seen).toBe(1)
    expect(await readCount()).toBe(99)
  })
})

describe('other ways to change rows', () => {
  test('a change outside a write fails', async () => {
    await setCountTo(4)
    await expect(setCount(5)).rejects.toThrow()
    await expect(store.db.update(store.db.spaces, { item_count: 7 }, spaceId)).rejects.toThrow()
    expect(await readCount()).toBe(4)
  })

  test('touch records no event and cannot contain a write', async () => {
    const before = await store.db.row<{ n: number }>('SELECT COUNT(*) AS n FROM events')
    await store.db.touch(() => setCount(8))
    expect(await readCount()).toBe(8)
    expect(await store.db.row<{ n: number }>('SELECT COUNT(*) AS n FROM events')).toEqual(before)
    const nested = store.db.touch(() => store.db.write(systemActor, async record => record.nothing()))
    await expect(nested).rejects.toThrow('touch() cannot hold a write()')
  })

  test('two databases in one process stay separate, even when one writes inside the other', async () => {
    const other = await openTestDatabase()
    try {
      const there = await addSpace(other.db, 'elsewhere')
      await store.db.write(systemActor, async record => {
        record('session.sign-in', { id: 1 })
        await other.db.write(systemActor, async inner => {
          inner('session.end', { id: 1 })
          await other.db.change('UPDATE spaces SET item_count = 77 WHERE id = $1', [there.spaceId])
          await setCount(11)
        })
      })
      expect(await readCount()).toBe(11)
      expect(await countEvents('session.end')).toBe(0)
      expect(await other.db.row('SELECT item_count FROM spaces WHERE id = $1', [there.spaceId])).toEqual({
        item_count: 77,
      })
    } finally {
      await other.close()
    }
  })
})

async function setCountTo(count: number): Promise<void> {
  await store.db.touch(() => setCount(count))
}
