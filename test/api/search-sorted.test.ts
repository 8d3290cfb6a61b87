/** Sorted searches: their orders, and what they cost when very many names contain the text. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchFiles } from '../../src/api/search.ts'
import { plantEntries } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

describe('a sorted search', () => {
  beforeAll(async () => {
    await buildFile(user, { name: 'plan 10.txt' }, 'xx')
    await buildFile(user, { name: 'plan 9.png' }, 'xxxx')
    await buildFile(user, { name: 'Plan b.txt' }, 'x')
    await buildFolder(user, 'plan z')
    await buildFolder(user, 'plan a')
  })

  test.each([
    [{}, ['plan a', 'plan z', 'Plan b.txt', 'plan 9.png', 'plan 10.txt']],
    [{ sort: 'name' }, ['plan a', 'plan z', 'plan 9.png', 'plan 10.txt', 'Plan b.txt']],
    [{ sort: 'name', order: 'desc' }, ['plan z', 'plan a', 'Plan b.txt', 'plan 10.txt', 'plan 9.png']],
    [{ sort: 'date', order: 'asc' }, ['plan z', 'plan a', 'plan 10.txt', 'plan 9.png', 'Plan b.txt']],
    [{ sort: 'size', order: 'desc' }, ['plan a', 'plan z', 'plan 9.png', 'plan 10.txt', 'Plan b.txt']],
    [{ sort: 'type' }, ['plan a', 'plan z', 'plan 9.png', 'plan 10.txt', 'Plan b.txt']],
    [{ sort: 'name', limit: 3 }, ['plan a', 'plan z', 'plan 9.png']],
  ] as const)('with %j gives %j', async (order, names) => {
    const { files, total, next_cursor } = await user.call(searchFiles, { q: 'plan', ...order })
    expect(files.map(({ name }) => name)).toEqual(names)
    expect({ total, next_cursor }).toEqual({ total: 5, next_cursor: null })
  })

  test('sorts the newest thousand hits and says that there are more', async () => {
    const owner = await buildUser(server)
    const folder = await buildFolder(owner, 'many')
    await plant(server, owner, (db, place) => plantEntries(db, place, folder.id, 1500))
    const { files, ...rest } = await owner.call(searchFiles, { q: 'of the year', sort: 'name' })
    expect(rest).toEqual({ total: 1000, total_is_exact: false, next_cursor: null })
    expect(files).toHaveLength(1000)
    expect(files.at(-1)?.name).toBe('Report 1499 of the year.pdf')
    const numbers = files.map(({ name }) => Number(/\d+/.exec(name)?.[0]))
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(numbers[0]).toBeGreaterThan(350)
  })

  test('refuses a cursor and an unknown order', async () => {
    for (const query of ['sort=name&cursor=x', 'sort=color', 'order=up']) {
      expect((await user.raw(`/api/files/search?q=plan&${query}`)).status).toBe(400)
    }
  })
})
