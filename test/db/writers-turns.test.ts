/** Writes on MariaDB that wait for a locked row: they keep neither other users' writes nor the server's own waiting. */
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { copyFile, favoriteFile } from '../../src/api/files.ts'
import { removeGroupMember } from '../../src/api/groups.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { signIn } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildGroup,
  buildShare,
  buildTag,
  buildUser,
} from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { beginUpload, discard } from '../support/tus.ts'

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

/** What is asked meanwhile is done while the others still wait, before MariaDB ends their waiting after ten seconds. */
async function expectDone(waiting: Promise<unknown>, meanwhile: Promise<unknown>) {
  const late = new Promise(resolve => {
    setTimeout(() => resolve('the end of waiting'), 8000).unref()
  })
  const first = await Promise.race([late, waiting.then(() => 'the others'), meanwhile.then(() => 'this one')])
  expect(first).toBe('this one')
}

const spacesOf = (...users: { id: number }[]) =>
  `SELECT id FROM spaces WHERE owner_id IN (${users.map(({ id }) => id).join(', ')})`

test('many writes of a user that wait for a locked storage leave room for other users', async context => {
  onlyOn('mariadb', context)
  const { countWaiting, unlock } = await lock(context, spacesOf(owner))
  const waiting = Promise.all(Array.from({ length: 12 }, (_, at) => buildFolder(owner, `folder ${at}`)))
  await expect.poll(countWaiting).toBeGreaterThan(0)
  await expect.poll(() => server.deps.db.waiting()).toBeGreaterThan(0)
  expect((await buildFolder(other, 'of another')).name).toBe('of another')
  expect(await countWaiting()).toBe(1)
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

test('writes of many users that wait for one locked storage leave room for other users', async context => {
  onlyOn('mariadb', context)
  const shared = await buildFolder(owner)
  const editors = [await buildUser(server), await buildUser(server), await buildUser(server)]
  for (const editor of editors) await buildShare(owner, shared, editor, 'edit')
  const { countWaiting, unlock } = await lock(context, spacesOf(owner))
  const acts = editors.flatMap(editor =>
    ['one', 'two'].map(name => buildFolder(editor, `${name} ${editor.id}`, shared.id)),
  )
  const waiting = Promise.all(acts)
  await expect.poll(() => server.deps.db.waiting()).toBe(acts.length - 1)
  await expectDone(waiting, buildFolder(other))
  expect(await countWaiting()).toBe(1)
  await unlock()
  expect(await waiting).toHaveLength(acts.length)
})

test('the ends of uploads that wait for a locked storage leave room for other users', async context => {
  onlyOn('mariadb', context)
  const begun: string[] = []
  for (let count = 0; count < 6; count += 1) begun.push(await beginUpload(owner, { length: 10 }))
  const { countWaiting, unlock } = await lock(context, spacesOf(owner))
  const waiting = Promise.all([
    ...begun.map(address => discard(owner, address).then(({ status }) => status)),
    ...['a', 'b'].map(name => buildFolder(owner, `beside ${name}`).then(() => 204)),
  ])
  await expect.poll(countWaiting).toBeGreaterThan(0)
  await expectDone(waiting, buildFolder(other))
  await unlock()
  expect(new Set(await waiting)).toEqual(new Set([204]))
})

test('users who wait for their own locked storages leave room for what the server writes', async context => {
  onlyOn('mariadb', context)
  const users: BuiltUser[] = []
  for (let count = 0; count < 6; count += 1) users.push(await buildUser(server))
  const { countWaiting, unlock } = await lock(context, spacesOf(...users))
  const waiting = Promise.all(users.map(user => buildFolder(user)))
  await expect.poll(countWaiting).toBe(5)
  await expectDone(
    waiting,
    server.deps.db.touch(async () => 'a job'),
  )
  await unlock()
  expect(await waiting).toHaveLength(6)
})

test('who tags or marks files by their ids keeps no storage of others waiting while their own is locked', async context => {
  onlyOn('mariadb', context)
  const [file, tag] = [await buildFile(owner), await buildTag(other)]
  const { countWaiting, unlock } = await lock(context, spacesOf(other))
  const waiting = Promise.allSettled([
    other.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] }),
    other.call(favoriteFile, { id: file.id, is_favorite: true }),
  ])
  await expect.poll(countWaiting).toBe(1)
  await expectDone(waiting, buildFolder(owner))
  await unlock()
  expect(await waiting).toMatchObject([{ reason: { status: 404 } }, { reason: { status: 404 } }])
})

test('who copies a shared file into their own locked storage keeps no write of its owner waiting', async context => {
  onlyOn('mariadb', context)
  const file = await buildFile(owner)
  await buildShare(owner, file, other, 'view')
  const { countWaiting, unlock } = await lock(context, spacesOf(other))
  const waiting = other.call(copyFile, { id: file.id, parent_id: null })
  await expect.poll(countWaiting).toBe(1)
  await expectDone(waiting, buildFolder(owner))
  await unlock()
  expect((await waiting).file.name).toBe(file.name)
})

test('the removal of a member that waits for a locked storage keeps no other administration waiting', async context => {
  onlyOn('mariadb', context)
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const group = await buildGroup(admin, [other])
  await buildShare(owner, await buildFolder(owner), { group_id: group.id }, 'edit')
  const { countWaiting, unlock } = await lock(context, spacesOf(owner))
  const removal = { id: group.id, user_id: other.id }
  const waiting = admin.call(removeGroupMember, removal)
  await expect.poll(countWaiting).toBe(1)
  await expectDone(waiting, buildGroup(admin, [owner]))
  await unlock()
  expect((await waiting).group.member_count).toBe(0)
})

test('pictures of others are drawn while those of a locked storage wait', async context => {
  onlyOn('mariadb', context)
  const viewer = await buildUser(server)
  const pictures = await buildFolder(owner, 'pictures')
  await buildShare(owner, pictures, viewer, 'view')
  const draw = (user: BuiltUser, width: number, parent_id?: number) =>
    drawImage(width, 20)
      .as('png')
      .then(bytes => buildFile(user, { name: `${width}.png`, parent_id }, bytes))
  const own = await draw(owner, 31, pictures.id)
  const seen = await draw(owner, 32, pictures.id)
  const others = await draw(other, 33)
  const look = async (user: BuiltUser, { id }: { id: number }) =>
    expect((await user.raw(`/api/files/${id}/thumbnail`)).status).toBe(200)
  const { countWaiting, unlock } = await lock(context, spacesOf(owner))
  const waiting = Promise.all([look(owner, own), look(viewer, seen)])
  await expect.poll(countWaiting).toBe(1)
  await expectDone(waiting, look(other, others))
  await unlock()
  await waiting
})
