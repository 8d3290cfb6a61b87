/** `filestore serve --workers 2`: what one worker counts and knows holds at the other. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { listAudit } from '../../src/api/events.ts'
import { listFiles } from '../../src/api/files.ts'
import { readState } from '../../src/db/server-state.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildKey, buildUser } from '../support/factories.ts'
import { holdUpload } from '../support/held-upload.ts'
import { readHoldings } from '../support/holdings.ts'
import { onlyOn } from '../support/only-on.ts'
import { sendWire } from '../support/wire.ts'
import { sendToAll, startWorkers, type WorkersServer } from '../support/workers.ts'

let server: WorkersServer
beforeEach(async context => {
  onlyOn('mariadb', context)
  server ??= await startWorkers()
})
afterAll(() => server?.close())

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status)
const times = (count: number, status: number) => Array.from({ length: count }, () => status)
const profile = ({ headers }: TestClient) => ({ path: '/api/auth/profile', headers })

const attempt = (username: string, password: string) => ({
  method: 'POST',
  path: '/api/auth/login',
  headers: { 'content-type': 'application/json', origin: server.url },
  body: JSON.stringify({ username, password }),
})

test('a session that began at one is known to both, and ends for both', async () => {
  const ann = await buildUser(server)
  expect(statuses(await sendToAll(server, profile(ann)))).toEqual(times(8, 200))
  const headers = { ...ann.headers, 'content-type': 'application/json' }
  const ended = await sendWire(server.url, { method: 'POST', path: '/api/auth/logout', headers, body: '{}' })
  expect(ended.status).toBe(200)
  expect(statuses(await sendToAll(server, profile(ann)))).toEqual(times(8, 401))
})

test('ten failed sign-ins at either refuse the next at both', async () => {
  const ann = await buildUser(server)
  expect(statuses(await sendToAll(server, attempt(ann.username, 'wrong password'), 10))).toEqual(times(10, 401))
  expect(statuses(await sendToAll(server, attempt(ann.username, ann.password)))).toEqual(times(8, 429))
})

test('a script key may make as many requests as its limit says, at once too', async () => {
  const ann = await buildUser(server)
  const key = await buildKey(server, ann, ['files:read'], 'script', { rate_limit_per_minute: 30 })
  const answers = await Promise.all(Array.from({ length: 50 }, () => sendWire(server.url, profile(key))))
  expect(statuses(answers).sort()).toEqual([...times(30, 200), ...times(20, 429)])
  const left = answers.map(({ headers }) => Number(headers['ratelimit-remaining'])).filter(count => count > 0)
  expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 29 }, (_, index) => 29 - index))
  expect(statuses(await sendToAll(server, profile(key)))).toEqual(times(8, 429))
})

test('a device key has 16 requests under way at both together, and one more when one has ended', async () => {
  const ann = await buildUser(server)
  const key = await buildKey(server, ann, ['files:read', 'files:upload'], 'device')
  const sockets = await Promise.all(Array.from({ length: 16 }, () => holdUpload(server, key)))
  // Their bytes in the store show that they are under way; a request of the key itself would take one's place.
  await expect.poll(async () => (await readHoldings(server)).keys).toHaveLength(16)
  expect(statuses(await sendToAll(server, profile(key)))).toEqual(times(8, 429))
  sockets.pop()?.destroy()
  await expect.poll(async () => (await sendWire(server.url, profile(key))).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})

test('uploads at once all come in, names and counters right', async () => {
  const ann = await buildUser(server)
  const uploads = Array.from({ length: 40 }, (_, index) =>
    buildFile(ann, { name: 'same.txt', on_conflict: 'rename' }, 'x'.repeat(index + 1)),
  )
  const names = (await Promise.all(uploads)).map(({ name }) => name)
  expect(new Set(names).size).toBe(40)
  expect((await ann.call(listFiles, {})).total).toBe(40)
  const used = await server.deps.db.row('SELECT storage_used, item_count FROM spaces WHERE owner_id = $1', [ann.id])
  expect(used).toEqual({ storage_used: (40 * 41) / 2, item_count: 40 })
})

test('the same act at both is told once by the audit log', async () => {
  const ann = await buildUser(server)
  const { id } = await buildFile(ann)
  const answers = await sendToAll(server, { path: `/api/files/${id}/download`, headers: ann.headers })
  expect(statuses(answers)).toEqual(times(8, 200))
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const downloads = async () => (await admin.call(listAudit, { action: 'file.download', item_id: id })).events
  await expect.poll(async () => (await downloads()).length).toBe(1)
  // What is written later was noted later: nothing of the downloads waits any more.
  const bob = await buildUser(server)
  await sendToAll(server, attempt(bob.username, 'wrong password'))
  const refusals = async () => {
    const { events } = await admin.call(listAudit, { action: 'session.refuse' })
    return events.filter(({ detail }) => JSON.stringify(detail).includes(bob.username))
  }
  await expect.poll(async () => (await refusals()).length).toBe(1)
  expect((await downloads()).length).toBe(1)
})

test('whichever answers, /metrics tells of both', async () => {
  const read = async () => {
    const samples = (await sendToAll(server, { path: '/metrics' }, 4)).map(({ text }) => text)
    return samples.map(text => {
      const numberOf = (sample: string) =>
        Number(
          text
            .split('\n')
            .find(line => line.startsWith(`${sample} `))
            ?.slice(sample.length),
        )
      const twice = text
        .split('\n')
        .filter((line, index, all) => line.startsWith('# TYPE') && all.indexOf(line) !== index)
      return {
        twice,
        health: numberOf('filestore_http_requests_total{method="GET",route="/healthz",status="2xx"}'),
        users: numberOf('filestore_users'),
        memory: numberOf('process_resident_memory_bytes'),
      }
    })
  }
  expect(statuses(await sendToAll(server, { path: '/healthz' }, 20))).toEqual(times(20, 200))
  const row = await server.deps.db.row<{ users: number }>('SELECT COUNT(*) AS users FROM users')
  for (const { twice, health, users, memory } of await read()) {
    expect({ twice, health, users }).toEqual({ twice: [], health: 20, users: row?.users })
    // That of three processes.
    expect(memory).toBeGreaterThan(180e6)
  }
})

test('what is to run once has run in one of them', async () => {
  await expect.poll(() => readState(server.deps.db, 'store_sweeps')).toBe(1)
  const { text } = await sendWire(server.url, { path: '/metrics' })
  expect(text).toContain('filestore_job_failures_total{job="sweep"} 0')
  expect(text).toContain('filestore_job_failures_total{job="free space"} 0')
})
