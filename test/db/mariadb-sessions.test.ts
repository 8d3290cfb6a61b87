/** Sessions of a MariaDB: waiting for a free one, and sessions that die. */
import mysql from 'mysql2/promise'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { toAppError } from '../../src/db/failures.ts'
import { migrateUp, refuseUnmigrated } from '../../src/db/migrate.ts'
import { onlyOn } from '../support/only-on.ts'

const server = process.env.FILESTORE_TEST_DATABASE ?? ''
const most = 12

let root: mysql.Connection
let db: Database

/** Name and password of this user contain all characters that a URL reserves. */
const name = `filestore_${process.pid} ü%?#`
const user = `u:@/${process.pid}`
const password = 'p:@/%?# ü'

beforeEach(async context => {
  onlyOn('mariadb', context)
  root = await mysql.createConnection(server)
  await root.query('CREATE DATABASE ??', [name])
  await root.query('CREATE USER ?@? IDENTIFIED BY ?', [user, '%', password])
  await root.query('GRANT ALL ON ??.* TO ?@?', [name.replace('_', '\\_').replace('%', '\\%'), user, '%'])
  const url = new URL(server)
  const asUser = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@${url.host}`
  const database = { dialect: 'mariadb', url: `mysql://${asUser}/${encodeURIComponent(name)}` } as const
  await migrateUp(database)
  db = await openDatabase(database)
})
afterEach(async () => {
  await db?.close()
  await root?.query('DROP DATABASE IF EXISTS ??', [name])
  await root?.query('DROP USER IF EXISTS ?@?', [user, '%'])
  await root?.end()
})

const sessionId = async (): Promise<number> =>
  Number((await db.row<{ id: number }>('SELECT CONNECTION_ID() AS id'))?.id)

const codeOf = (error: unknown) => toAppError(error).code

/** Resolves when this many sessions of the database are left. */
const sessionsLeft = (count: number) =>
  expect
    .poll(async () => {
      const [rows] = await root.query('SELECT id FROM information_schema.processlist WHERE db = ?', [name])
      return (rows as object[]).length
    })
    .toBe(count)

test('a URL may have escaped characters in user, password and database name', async () => {
  await refuseUnmigrated(db)
  expect(await db.row('SELECT DATABASE() AS name')).toEqual({ name })
})

test('a transaction whose server is frozen ends, so that its locks keep nobody waiting for long', async () => {
  const seconds = async () =>
    (await db.row<{ seconds: number }>('SELECT @@idle_transaction_timeout AS seconds'))?.seconds
  expect(await db.touch(seconds)).toBe(15)
  // A backup may wait for its disk, and locks nothing.
  expect(await db.snapshot(seconds)).toBe(3600)
  expect(await seconds()).toBe(15)
})

test('a write whose session dies ends as unavailable, and the next write gets another session', async () => {
  let id = 0
  const failed = db.touch(async () => {
    id = await sessionId()
    await root.query('KILL ?', [id])
    await sessionsLeft(0)
    await sessionId()
  })
  expect(codeOf(await failed.catch(error => error))).toBe('unavailable')
  expect(await db.touch(sessionId)).not.toBe(id)
})

test('sessions are opened anew when a host refuses changes, but at most once a second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const refuseChange = async () => {
    const refused = db.touch(() => db.change("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1290"))
    expect(codeOf(await refused.catch(error => error))).toBe('unavailable')
  }
  const first = await sessionId()
  await refuseChange()
  const second = await sessionId()
  expect(second).not.toBe(first)
  for (let refused = 0; refused < 3; refused++) await refuseChange()
  expect(await sessionId()).toBe(second)
  vi.advanceTimersByTime(1_000)
  await refuseChange()
  expect(await sessionId()).not.toBe(second)
})

test('a request without a free session for half a minute ends as unavailable', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  let release = () => {}
  const isOver = new Promise<void>(resolve => {
    release = resolve
  })
  let held = 0
  const holders = Array.from({ length: most }, () =>
    db.snapshot(async () => {
      held++
      await isOver
    }),
  )
  await expect.poll(() => held).toBe(most)
  const late = sessionId().catch(codeOf)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(await Promise.race([late, 'still waiting'])).toBe('still waiting')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await late).toBe('unavailable')
  release()
  await Promise.all(holders)
  expect(await sessionId()).toBeGreaterThan(0)
})

test('closing waits for running statements, and leaves no session', async () => {
  const running = db.row('SELECT SLEEP(0.2) AS slept')
  await db.close()
  expect(await running).toEqual({ slept: 0 })
  await sessionsLeft(0)
})

test('a count by parent folder reads the index alone, also when the session gets another copy of the open table', async () => {
  const plan = async () =>
    JSON.stringify(
      await db.rows(
        `ANALYZE FORMAT=JSON SELECT COUNT(sort_key) FROM files FORCE INDEX (files_by_name)
         WHERE space_id = $1 AND live_parent = $2`,
        [1, 1],
      ),
    )
  expect(await plan()).toContain('using_index')
  await root.query('USE ??', [name])
  // Takes the copy that the session has had.
  await root.query('HANDLER files OPEN')

  expect(await plan()).toContain('using_index')
})
