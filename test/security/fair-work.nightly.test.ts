/** Fairness: however many costly requests one user sends, other users wait for a bounded time. */
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { getFileStats, searchFiles } from '../../src/api/search.ts'
import { trashFile } from '../../src/api/trash.ts'
import { StatementError } from '../../src/db/connections.ts'
import type { Database } from '../../src/db/database.ts'
import { isTimedOut } from '../../src/db/failures.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openForTest, openSocket, requestHead } from '../support/wire.ts'

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

/** Holds every page query that matches until the gate opens; the returned function counts how many have begun. */
function holdPages(fits: RegExp, opened: Promise<void>): () => number {
  const { page } = db
  let begun = 0
  db.page = async (columns, rest, ...more) => {
    if (fits.test(rest)) {
      begun += 1
      await opened
    }
    return page(columns, rest, ...more)
  }
  undo.push(() => {
    db.page = page
  })
  return () => begun
}

async function send(client: BuiltUser, path: string): Promise<Socket> {
  const socket = await openSocket(server.url)
  socket.on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  socket.write(requestHead(server.url, 'GET', path, client.headers))
  return socket
}

async function countUnderWay(): Promise<number> {
  const underWay = await server.deps.metrics.getSingleMetric('filestore_http_requests_under_way')?.get()
  return underWay?.values[0]?.value ?? expect.fail()
}

const isSearch = /page (CROSS JOIN|STRAIGHT_JOIN)/

describe('searches', () => {
  test.each(['session', 'key'])(
    'that wait behind a running one of the same user’s %s never begin when their client disconnects',
    async whose => {
      const client = whose === 'key' ? await buildKey(server, eve, ['files:search']) : eve
      const gate = openGate()
      const begun = holdPages(isSearch, gate.opened)
      const first = client.call(searchFiles, { q: 'first' })
      await expect.poll(begun).toBe(1)
      const waiting = await Promise.all(Array.from({ length: 20 }, () => send(eve, '/api/files/search?q=more')))
      // Every other request is answered meanwhile, even of the same user.
      expect((await bob.call(listFiles, {})).files).toEqual([])
      expect((await eve.call(listFiles, {})).files).toEqual([])
      for (const socket of waiting) socket.destroy()
      await expect.poll(countUnderWay).toBe(1)
      gate.open()
      await first
      await eve.call(searchFiles, { q: 'last' })
      expect(begun()).toBe(2)
    },
  )

  test('of one user run one at a time, over sessions and keys together, so another user’s search runs beside them', async () => {
    const gate = openGate()
    const begun = holdPages(isSearch, gate.opened)
    const key = await buildKey(server, eve, ['files:search'])
    const own = [eve, key, eve, key].map(client => client.call(searchFiles, { q: 'text' }))
    await expect.poll(begun).toBe(1)
    const other = bob.call(searchFiles, { q: 'text' })
    await expect.poll(begun).toBe(2)
    expect((await eve.call(listFiles, {})).files).toEqual([])
    expect(begun()).toBe(2)
    gate.open()
    await Promise.all([...own, other])
    expect(begun()).toBe(5)
  })

  test('do not delay the statistics of any user', async () => {
    const gate = openGate()
    const begun = holdPages(isSearch, gate.opened)
    const searches = [eve, bob].map(user => user.call(searchFiles, { q: 'text' }))
    await expect.poll(begun).toBe(2)
    for (const user of [eve, bob, await buildUser(server)]) {
      expect((await user.call(getFileStats, {})).total_files).toBe(0)
    }
    gate.open()
    await Promise.all(searches)
  })

  test('of all users together leave a database connection for other requests', async () => {
    const gate = openGate()
    const begun = holdPages(isSearch, gate.opened)
    const third = await buildUser(server)
    const searches = [eve, bob, third].map(user => user.call(searchFiles, { q: 'text' }))
    await expect.poll(begun).toBe(2)
    expect((await third.call(listFiles, {})).files).toEqual([])
    expect(begun()).toBe(2)
    gate.open()
    await Promise.all(searches)
    expect(begun()).toBe(3)
  })

  test('that exceed the time limit end, and their connection can be used again', async () => {
    const numbers =
      db.dialect === 'sqlite'
        ? '(WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT SUM(n) AS n FROM c) t'
        : '(SELECT SUM(a.seq * b.seq) AS n FROM seq_1_to_1000000 a JOIN seq_1_to_1000000 b) t'
    for (let round = 0; round < 4; round++) {
      const ended = await db.page({ n: 't.n' }, `FROM ${numbers}`, [], 100).catch(error => error)
      expect(isTimedOut(ended)).toBe(true)
    }
    expect(await db.page({ id: 's.id' }, 'FROM spaces s LIMIT 1', [], 100)).toHaveLength(1)
  })

  test('that exceed the time limit are refused with advice', async () => {
    const { page } = db
    db.page = async (_columns, rest) => {
      throw new StatementError(rest, Object.assign(new Error('interrupted'), { code: 'SQLITE_INTERRUPT' }))
    }
    const answer = await eve.raw('/api/files/search?q=text').finally(() => {
      db.page = page
    })
    const { message } = await answer.clone().json()
    expect(message).toBe('The search takes too long: more letters or fewer filters make it faster')
    expect(await failure(answer)).toEqual({ status: 400, error: 'invalid_input' })
  })
})

test('listings do not wait for the thumbnails of a folder', async () => {
  const image = await drawImage(40, 40, { r: 1, g: 2, b: 3 }).as('png')
  const { id } = await buildFile(eve, { name: 'a.png' }, image)
  const { store } = server.deps
  const { put } = store
  const gate = openGate()
  store.put = async (...given) => {
    await gate.opened
    return put.apply(store, given)
  }
  undo.push(() => {
    store.put = put
  })
  await Promise.all(Array.from({ length: 12 }, () => send(eve, `/api/files/${id}/thumbnail`)))
  expect((await eve.call(listFiles, {})).files).toHaveLength(1)
  gate.open()
})

test('large answers that the client does not read are limited to four at a time for each user', async () => {
  // In JSON a quote takes two bytes, and each item has its full path: 14 MB, which is more than a connection buffers.
  let parent_id: number | null = null
  const name = (n: number) => `${'"'.repeat(240)}${n}`
  for (let level = 0; level < 80; level++) parent_id = (await buildFolder(eve, name(level), parent_id)).id
  for (let n = 0; n < 350; n += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => buildFolder(eve, name(n + index), parent_id)))
  }
  const begun = holdPages(/^FROM/, Promise.resolve())
  await eve.call(listFiles, { parent_id })
  const ofOne = begun()
  const path = `/api/files?parent_id=${parent_id}`
  const sockets = await Promise.all(Array.from({ length: 40 }, () => send(eve, path)))
  await expect.poll(begun).toBe(5 * ofOne)
  expect((await bob.call(listFiles, {})).folders).toEqual([])
  expect(begun()).toBe(6 * ofOne)
  for (const socket of sockets) socket.destroy()
  expect((await eve.call(listFiles, { limit: 1 })).folders).toHaveLength(1)
})

test('large answers on a pipelined connection that breaks give their places in the queue back', async () => {
  let parent_id: number | null = null
  for (let level = 0; level < 80; level++) parent_id = (await buildFolder(eve, '"'.repeat(240), parent_id)).id
  for (let n = 0; n < 10; n++) await buildFolder(eve, `${n}`, parent_id)
  const list = requestHead(server.url, 'GET', `/api/files?parent_id=${parent_id}`, eve.headers)
  const read = holdPages(/^FROM/, Promise.resolve())
  expect(JSON.stringify(await eve.call(listFiles, { parent_id })).length).toBeGreaterThan(512 * 1024)
  const ofOne = read()
  const holdFour = async (socket: Socket) => {
    const gate = openGate()
    const begun = holdPages(/^FROM/, gate.opened)
    socket.write(list.repeat(4))
    await expect.poll(begun).toBe(4)
    return gate
  }
  const broken = await openForTest(server.url)
  const first = await holdFour(broken)
  broken.destroy()
  await expect.poll(countUnderWay).toBe(0)
  first.open()
  await expect.poll(read).toBe(5 * ofOne)
  const second = await holdFour(await openForTest(server.url))
  second.open()
})

test.each(['a change', 'an upload', 'an emptying of the trash'])(
  '%s that waits in the queue is not made for a user who is disabled meanwhile',
  async what => {
    const file = await buildFile(eve, { name: 'before.txt' })
    if (what === 'an emptying of the trash') await eve.call(trashFile, { id: file.id })
    const gate = openGate()
    const begun = openGate()
    const busy = db.touch(async () => {
      // SQLite has a single writer; on MariaDB the change waits for this row.
      await db.change('UPDATE spaces SET revision = revision WHERE owner_id = $1', [eve.id])
      begun.open()
      await gate.opened
      await db.change('UPDATE users SET is_active = 0 WHERE id = $1', [eve.id])
    })
    await begun.opened
    const { write } = db
    let writes = 0
    db.write = (actor, work) => {
      writes += 1
      return write(actor, work)
    }
    undo.push(() => {
      db.write = write
    })
    const form = new FormData()
    form.append('file', new Blob(['late']), 'late.txt')
    const send = () => {
      if (what === 'an upload') return eve.raw('/api/files/upload', { method: 'POST', body: form })
      if (what !== 'a change') return eve.raw('/api/files/trash/empty', { method: 'POST' })
      return eve.raw(`/api/files/${file.id}/rename`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'after.txt' }),
      })
    }
    const answer = send()
    await expect.poll(() => writes).toBe(1)
    const asked = performance.now()
    await expect.poll(() => performance.now() - asked).toBeGreaterThan(50)
    gate.open()
    await busy
    expect((await answer).status).toBe(401)
    expect(await db.rows('SELECT name FROM files WHERE owner_id = $1', [eve.id])).toEqual([{ name: 'before.txt' }])
  },
)
