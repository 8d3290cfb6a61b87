/**
 * The first administrator of an empty database: only one is made, and the password is stored before the account exists.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { openDeps } from '../../src/server/open-deps.ts'
import { createFirstAdmin } from '../../src/users/first-admin.ts'
import { migrateTest } from '../support/migrated.ts'
import { createConfig, type TestDatabase } from '../support/test-server.ts'

let first: Deps
let second: Deps
let database: TestDatabase

beforeEach(async () => {
  const created = await createConfig()
  database = created.database
  const config = { ...created.config, adminPassword: null }
  await migrateTest(config.database)
  ;[first, second] = await Promise.all([openDeps(config), openDeps(config)])
})
afterEach(async () => {
  await Promise.all([first.db.close(), second.db.close()])
  await database.drop()
})

const countUsers = async (deps: Deps): Promise<number> =>
  (await deps.db.row<{ n: number }>('SELECT COUNT(*) AS n FROM users'))?.n ?? -1

/** Records the calls of a keeper, with the number of users at that time. */
function openKeeper(deps: Deps) {
  const calls: string[] = []
  const note = async (call: string) => {
    calls.push(`${call} with ${await countUsers(deps)}`)
  }
  return { calls, keep: () => note('kept'), undo: () => note('undone') }
}

test('the password is stored before the administrator exists', async () => {
  const keeper = openKeeper(first)
  expect(await createFirstAdmin(first, keeper)).toBe(true)
  expect(keeper.calls).toEqual(['kept with 0'])
  expect(await createFirstAdmin(first, keeper)).toBe(false)
  expect(keeper.calls).toEqual(['kept with 0'])
})

test('no administrator is made when the password cannot be stored', async () => {
  const broken = { keep: () => Promise.reject(new Error('the disk is full')), undo: async () => undefined }
  await expect(createFirstAdmin(first, broken)).rejects.toThrow('the disk is full')
  expect(await countUsers(first)).toBe(0)
})

test('one of two processes that start together makes the administrator, and the other discards its password', async () => {
  const keepers = [openKeeper(first), openKeeper(second)] as const
  const made = await Promise.all([createFirstAdmin(first, keepers[0]), createFirstAdmin(second, keepers[1])])
  expect([...made].sort()).toEqual([false, true])
  expect(await countUsers(first)).toBe(1)
  const loser = keepers[made.indexOf(false)]
  expect(loser?.calls.filter(call => call.startsWith('kept')).length).toBe(
    loser?.calls.filter(call => call.startsWith('undone')).length,
  )
})
