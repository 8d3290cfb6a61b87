/** Writes on MariaDB that wait for a locked row: they keep neither other users' writes nor the server's own waiting. */
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let owner: BuiltUser
let other: BuiltUser

beforeAll(async () => {
  server = await startServer()
  ;[owner, other] = [await buildUser(server), await buildUser(server)]
})
afterAll(() => server.close())

/** Locks what a query finds, as a frozen server does, until `unlock` is called; `countWaiting` counts who waits for it. */
async function lock({ onTestFinished }: TestContext, query: string) {
  const connection = await mysql.createConnection(String(server.databaseFlag))
  onTestFinished(() => connection.end())
  await connection.query('START TRANSACTION')
  await connection.query(`${query} FOR UPDATE`)
  const countWaiting = async () => {
    const sql = `SELECT COUNT(*) AS count FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '%FOR UPDATE'`
    const [rows] = await connection.query<(mysql.RowDataPacket & { count: number })[]>(sql)
    return rows[0]?.count
  }
  return { countWaiting, unlock: () => connection.query('ROLLBACK') }
}

test('many writes of a user that wait for a locked storage leave room for other users', async context => {
  onlyOn('mariadb', context)
  const { countWaiting, unlock } = await lock(context, `SELECT id FROM spaces WHERE owner_id = ${owner.id}`)
  const waiting = Promise.all(Array.from({ length: 12 }, (_, at) => buildFolder(owner, `folder ${at}`)))
  await expect.poll(countWaiting).toBeGreaterThan(0)
  await expect.poll(() => server.deps.db.waiting()).toBeGreaterThan(0)
  expect((await buildFolder(other, 'of another')).name).toBe('of another')
  expect(await countWaiting()).toBe(2)
  await unlock()
  expect(await waiting).toHaveLength(12)
})

test('many tries that wait for their count leave room for sign-ins at other names, and for users', async context => {
  onlyOn('mariadb', context)
  const signIn = (username: string) =>
    fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: server.url },
      body: JSON.stringify({ username, password: 'wrong' }),
    })
  const miss = () => fetch(`${server.url}/api/s/${'x'.repeat(22)}`)
  expect((await miss()).status).toBe(404)
  expect((await signIn('nobody')).status).toBe(401)
  const { unlock } = await lock(context, "SELECT name FROM shared_counts WHERE name LIKE '%'")
  const waiting = Promise.all(Array.from({ length: 9 }, () => signIn('nobody')))
  const isDone = waiting.then(() => 0)
  expect(await Promise.race([isDone, miss().then(({ status }) => status)])).toBe(404)
  expect(await Promise.race([isDone, buildFolder(other, 'meanwhile').then(({ name }) => name)])).toBe('meanwhile')
  expect(await Promise.race([isDone, server.deps.db.touch(async () => 'a job')])).toBe('a job')
  await unlock()
  expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set([401]))
})
