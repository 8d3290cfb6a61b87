/** The audit log is append-only: the test tries every call of the API on it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventRow } from '../../src/db/models/events.ts'
import { sendCall } from '../matrix/send.ts'
import { signIn } from '../support/client.ts'
import { contract } from '../support/contract.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { inputForms, sampleInput } from '../support/sample-input.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const events = () => server.deps.db.rows<EventRow>('SELECT * FROM events ORDER BY id')

test('no call of the API changes or deletes an event, even if an administrator makes it', async () => {
  const { username, password } = await buildUser(server, { role: 'admin' })
  // The calls may end the first session of the account, so the test needs a second one.
  const admin = await signIn(server.url, username, password)
  await buildFile(admin)
  const before = await events()
  const statuses = new Set<number>()
  // Signing out would leave the remaining calls without a session; signing in needs no permission.
  for (const { endpoint } of contract.filter(({ name }) => !['login', 'logout'].includes(name))) {
    for (const form of inputForms(endpoint)) {
      const input = { ...sampleInput(form), ...('id' in form ? { id: 1 } : {}) }
      const response = await sendCall(admin, endpoint, input)
      await response.arrayBuffer()
      statuses.add(response.status)
    }
  }
  expect([...statuses]).not.toContain(401)
  for (const path of ['/audit', '/audit/1', '/audit/export', '/files/1/events', '/files/1/events/1']) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect([404, 405]).toContain((await admin.raw(`/api${path}`, { method })).status)
    }
  }
  expect((await events()).slice(0, before.length)).toEqual(before)
})
