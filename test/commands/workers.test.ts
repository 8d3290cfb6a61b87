/** `filestore serve --workers 2`: the state and the limits of one worker hold at the other. */
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

test('a session that began at one worker is valid at both, and ends at both', async () => {
  const ann = await buildUser(server)
  expect(statuses(await sendToAll(server, profile(ann)))).toEqual(times(8, 200))
  const headers = { ...ann.headers, 'content-type': 'application/json' }
  const ended = await sendWire(server.url, { method: 'POST', path: '/api/auth/logout', headers, body: '{}' })
  expect(ended.status).toBe(200)
  expect(statuses(await sendToAll(server, profile(ann)))).toEqual(times(8, 401))
})

test('ten failed sign-ins at either worker make both refuse the next one', async () => {
  const ann = await buildUser(server)
  expect(statuses(await sendToAll(server, attempt(ann.username, 'wrong password'), 10))).toEqual(times(10, 401))
  expect(statuses(await sendToAll(server, attempt(ann.username, ann.password)))).toEqual(times(8, 429))
})

test('the rate limit of a script key counts the requests at both workers, parallel ones included', async () => {
  const ann = await buildUser(server)
  const key = await buildKey(server, ann, ['files:read'], 'script', { rate_limit_per_minute: 30 })
  const answers = await Promise.all(Array.from({ length: 50 }, () => sendWire(server.url, profile(key))))
  expect(statuses(answers).sort()).toEqual([...times(30, 200), ...times(20, 429)])
  const left = answers.map(({ headers }) => Number(headers['ratelimit-remaining'])).filter(count => count > 0)
  expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 29 }, (_, index) => 29 - index))
  expect(statuses(await sendToAll(server, profile(key)))).toEqual(times(8, 429))
})

test('a device key may have 16 requests in progress at both workers together', async () => {
  const ann = await buildUser(server)
  const key = await buildKey(server, ann, ['files:read', 'files:upload'], 'device')
  const sockets = await Promise.all(Array.from({ length: 16 }, () => holdUpload(server, key)))
  // The contents in the store show that the uploads are in progress; a request of the key would count itself.
  await expect.poll(async () => (await readHoldings(server)).keys).toHaveLength(16)
  expect(statuses(await sendToAll(server, profile(key)))).toEqual(times(8, 429))
  sockets.pop()?.destroy()
  await expect.poll(async () => (await sendWire(server.url, profile(key))).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})

test('parallel uploads at both workers are all stored, with correct names and counters', async () => {
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

test('the same action at both workers is logged once by the audit log', async () => {
  const ann = await buildUser(server)
  const { id } = await buildFile(ann)
  const answers = await sendToAll(server, { path: `/api/files/${id}/download`, headers: ann.headers })
  expect(statuses(answers)).toEqual(times(8, 200))
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const downloads = async () => (await admin.call(listAudit, { action: 'file.download', item_id: id })).events
  await expect.poll(async () => (await downloads()).length).toBe(1)
  // The log is in order, so after this entry no download is outstanding.
  const bob = await buildUser(server)
  await sendToAll(server, attempt(bob.username, 'wrong password'))
  const refusals = async () => {
    const { events } = await admin.call(listAudit, { action: 'session.refuse' })
    return events.filter(({ detail }) => JSON.stringify(detail).includes(bob.username))
  }
  await expect.poll(async () => (await refusals()).length).toBe(1)
  expect((await downloads()).length).toBe(1)
})

test('/metrics of either worker covers both', async () => {
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
    // The sum over three processes.
    expect(memory).toBeGreaterThan(180e6)
  }
})

test('a job that must run once has run in one worker', async () => {
  await expect.poll(() => readState(server.deps.db, 'store_sweeps')).toBe(1)
  const { text } = await sendWire(server.url, { path: '/metrics' })
  expect(text).toContain('filestore_job_failures_total{job="sweep"} 0')
  expect(text).toContain('filestore_job_failures_total{job="free space"} 0')
})
