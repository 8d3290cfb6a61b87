/**
 * No answer contains a secret, not even for its owner. test/support/secrets.ts searches what every test receives; here
 * every call answers while the test knows the secrets of the server.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendCall } from '../matrix/send.ts'
import { buildFile, buildKey } from '../support/factories.ts'
import { refuseSecrets } from '../support/secrets.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildEveryCall, type EveryCall } from './every-call.ts'

let server: TestServer
let every: EveryCall
beforeAll(async () => {
  server = await startServer()
  every = await buildEveryCall(server)
  await buildKey(server, every.caller.user, ['files:read'])
  await buildFile(every.caller.user, { name: 'stored.bin' }, Buffer.alloc(40_000, 's'))
})
afterAll(() => server.close())

/** Secrets in the database and on the disk that no answer may contain. */
async function readSecrets({ deps: { db, config, store } }: TestServer): Promise<string[]> {
  const columns = [
    'SELECT password_hash AS secret FROM users',
    'SELECT hash AS secret FROM sessions',
    'SELECT secret_hash AS secret FROM api_keys',
    'SELECT `key` AS secret FROM blobs',
  ]
  const rows = await Promise.all(columns.map(sql => db.rows<{ secret: string }>(sql)))
  expect(rows.every(found => found.length > 0)).toBe(true)
  return [config.dataDir, store.name, ...rows.flat().map(({ secret }) => String(secret))]
}

/** Calls that would end the session of the test, or change the secrets that it searches for. */
const ends = ['logout', 'changePassword', 'login']

test('no answer of any call contains a secret, in its body or its headers', async () => {
  const secrets = await readSecrets(server)
  const told: string[] = []
  for (const { row, endpoint, input } of every.calls.filter(call => !ends.includes(call.row))) {
    const response = await sendCall(every.caller.client, endpoint, input, { asForm: row.endsWith(': form') })
    const answer = JSON.stringify([...response.headers]) + (await response.text())
    if (secrets.some(secret => answer.includes(secret))) told.push(row)
  }
  expect(told).toEqual([])
})

test('no error answer contains a secret', async () => {
  const secrets = await readSecrets(server)
  for (const path of [
    '/api/nothing',
    '/api/files/0',
    '/api/files?cursor=x',
    '/',
    '/metrics',
    '/readyz',
    '/api/system',
  ]) {
    for (const method of ['GET', 'POST', 'TRACE-NOT']) {
      const response = await every.caller.client.raw(path, { method }).catch(() => undefined)
      const answer = JSON.stringify([...(response?.headers ?? [])]) + (await response?.text())
      expect(secrets.filter(secret => answer.includes(secret))).toEqual([])
    }
  }
})

test.each([
  '{"data":{"password":"$argon2id$v=19$m=8"}}',
  `{"secret":"gs_${'x'.repeat(43)}"}`,
  '{"path":"/tmp/filestore-test-a1B2c3/storage"}',
  '{"password_hash":null}',
  '{"blob_id":1}',
  '{"file":{"id":1,"space_id":2}}',
  `{"key":"${'a'.repeat(64)}"}`,
  `{"note":"${'c'.repeat(43)}"}`,
])('the check of every test’s answers finds a secret: %s', text => {
  const headers = { cookie: `filestore_session=${'c'.repeat(43)}` }
  expect(() => refuseSecrets(text, headers)).toThrow()
  expect(() => refuseSecrets('{"permissions":[{"key":"files:read"}],"sha256":"00"}', headers)).not.toThrow()
})
