/** A reviewer's decision tells nothing about the content of a file that does not wait for one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideFile } from '../../src/api/validation.ts'
import { buildFile, buildReviewer, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('a decision on a file that is not waiting gives the same answer for any sha256', async () => {
  const [user, reviewer] = [await buildUser(server), await buildReviewer(server)]
  const admin = await buildUser(server, { role: 'admin' })
  await turnSettings(admin, { validation_enabled: true, allow_self_validation: false })
  const [rejected, approved, own] = [await buildFile(user), await buildFile(user), await buildFile(reviewer)]
  await reviewer.call(decideFile, { file_id: rejected.id, status: 'rejected' })
  await reviewer.call(decideFile, { file_id: approved.id, status: 'approved' })
  await turnSettings(admin, { validation_enabled: false })
  const neverWaited = await buildFile(user)

  async function decide(id: number, sha256: string | null | undefined) {
    const body = JSON.stringify({ file_id: id, status: 'approved', ...(sha256 ? { sha256 } : {}) })
    const headers = { 'content-type': 'application/json' }
    const answer = await reviewer.raw('/api/validation', { method: 'POST', headers, body })
    const { request_id, ...told } = await answer.json()
    expect(request_id).toBeDefined()
    return { status: answer.status, ...told }
  }

  for (const { id, sha256 } of [rejected, approved, neverWaited, own]) {
    const right = await decide(id, sha256)
    expect(right.status).toBe(id === own.id ? 403 : 409)
    expect(await decide(id, '0'.repeat(64))).toEqual(right)
    expect(await decide(id, undefined)).toEqual(right)
  }
})
