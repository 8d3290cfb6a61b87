/** The log names errors and their causes, and contains no secrets. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLog } from '../../src/base/log.ts'
import { openTestDatabase, type TestStore } from '../support/database.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestDatabase()
})
afterAll(() => store.close())

/** The log output of a function. */
function read(write: (log: ReturnType<typeof openLog>) => void): string {
  const lines: string[] = []
  write(openLog('debug', { write: line => lines.push(line) }))
  return lines.join('')
}

/** The error of a failed change. */
const failureOf = (change: () => Promise<unknown>): Promise<unknown> =>
  store.db.touch(change).then(
    () => expect.fail('the change went through'),
    (error: unknown) => error,
  )

test('a failed statement is logged without its values', async () => {
  const { db } = store
  const hash = 'the hash of a password'
  const key = {
    user_id: 999,
    name: 'a',
    key_id: 'gk_1',
    kind: 'script' as const,
    permissions: '[]',
    is_active: 1 as const,
  }
  const failures = [
    await failureOf(() => db.change('UPDATE nothing SET password_hash = $1', [hash])),
    await failureOf(() => db.change('UPDATE users SET nothing = $1', [hash])),
    await failureOf(() => db.insert(db.apiKeys, { ...key, secret_hash: hash, created_at: 0 })),
    await failureOf(() => db.insert(db.apiKeys, { ...key, secret_hash: hash } as never)),
  ]
  for (const err of failures) {
    const line = read(log => log.error({ err }, 'it failed'))
    expect(line).not.toContain(hash)
    expect(JSON.parse(line)).toMatchObject({
      msg: 'it failed',
      err: { message: (err as Error).message, stack: expect.stringContaining('    at ') },
    })
  }
})

test('an error is logged with its causes and their codes', () => {
  const cause = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const line = read(log => log.error({ err: new Error('upload failed', { cause }) }, 'it failed'))
  expect(JSON.parse(line).err).toMatchObject({
    message: 'upload failed',
    cause: { message: 'no space left', code: 'ENOSPC' },
  })
})

test.each(['password', 'temp_password', 'secret', 'authorization', 'cookie', 'x-api-secret', 'set-cookie'])(
  'a log line contains no %s, at any level of its object',
  name => {
    const held = { [name]: 'hidden' }
    const line = read(log => log.info({ ...held, request: { ...held, headers: held } }, 'a request'))
    expect(line).not.toContain('hidden')
    expect(line).toContain('a request')
  },
)
