/** The pages of the validation queue, and what it says of its files. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteLink } from '../../src/api/links.ts'
import { deleteUser } from '../../src/api/users.ts'
import { countPending, decideFile, listPending, listPendingOwners, readPending } from '../../src/api/validation.ts'
import { plantEntries } from '../bench/plant.ts'
import { failure } from '../support/client.ts'
import {
  buildFile,
  buildFolder,
  buildReviewer,
  buildShare,
  buildTeam,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('the validation queue comes in pages without gaps, even when files leave it meanwhile', async () => {
  const [admin, reviewer, user] = [
    await buildUser(server, { role: 'admin' }),
    await buildReviewer(server),
    await buildUser(server),
  ]
  await turnSettings(admin, { validation_enabled: true })
  const planted = 2300
  const folder = await buildFolder(user)
  await plant(server, user, async (db, owner) => {
    await plantEntries(db, owner, folder.id, planted)
    await db.change("UPDATE files SET validation_status = 'pending' WHERE parent_id = $1 AND is_directory = 0", [
      folder.id,
    ])
  })
  const last = await buildFile(admin)
  const wanted = (await readPending(reviewer.call)).map(({ id }) => id)
  expect(wanted.length).toBeGreaterThan(planted * 0.9)
  expect(wanted.at(-1)).toBe(last.id)
  expect(wanted).toEqual([...new Set(wanted)].toSorted((a, b) => a - b))
  const first = await reviewer.call(listPending, {})
  expect(first.map(({ id }) => id)).toEqual(wanted.slice(0, 1000))
  const border = first.at(-1)?.id ?? 0
  await reviewer.call(decideFile, { file_id: border, status: 'approved' })
  const second = await reviewer.call(listPending, { after: border, limit: 10 })
  expect(second.map(({ id }) => id)).toEqual(wanted.slice(1000, 1010))
  expect(await reviewer.call(listPending, { after: last.id })).toEqual([])
})

test('the validation queue counts files by owner and can show one owner’s files, behind thousands of another owner’s', async () => {
  const [admin, reviewer, user] = [
    await buildUser(server, { role: 'admin' }),
    await buildReviewer(server),
    await buildUser(server),
  ]
  await turnSettings(admin, { validation_enabled: true })
  const before = (await reviewer.call(countPending, {})).count
  const flooder = await buildUser(server)
  const folder = await buildFolder(flooder)
  await plant(server, flooder, async (db, owner) => {
    await plantEntries(db, owner, folder.id, 6000)
    await db.change("UPDATE files SET validation_status = 'pending' WHERE parent_id = $1 AND is_directory = 0", [
      folder.id,
    ])
  })
  const own = [await buildFile(user), await buildFile(user)].map(({ id }) => id)
  expect(before).toBeLessThan(5000)
  expect((await reviewer.call(countPending, {})).count).toBe(5000)
  const { owners } = await reviewer.call(listPendingOwners, {})
  expect(owners.find(({ owner }) => owner === user.username)).toEqual({ owner: user.username, count: 2 })
  expect(owners.find(({ owner }) => owner === flooder.username)?.count).toBeGreaterThan(5000)
  const listed = async (query: object) => (await reviewer.call(listPending, query)).map(({ id }) => id)
  expect(await listed({ owner: user.username })).toEqual(own)
  expect(await listed({ owner: user.username, after: own[0] })).toEqual(own.slice(1))
  expect(await listed({ owner: 'nobody of that name' })).toEqual([])
  await reviewer.call(decideFile, { file_id: own[0] ?? 0, status: 'approved' })
  expect(await listed({ owner: user.username })).toEqual(own.slice(1))
})

test('an invalid limit or position of a page is 400', async () => {
  const reviewer = await buildReviewer(server)
  for (const [query, field] of [
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['after=x', 'after'],
  ]) {
    const answer = await failure(await reviewer.raw(`/api/validation/pending?${query}`))
    expect(answer).toEqual({ status: 400, error: 'invalid_input', fields: { [field ?? '']: expect.any(String) } })
  }
})

test('says in whose tree a file lies, and by which link it came', async () => {
  const [admin, reviewer, user, manager] = [
    await buildUser(server, { role: 'admin' }),
    await buildReviewer(server),
    await buildUser(server),
    await buildUser(server),
  ]
  await turnSettings(admin, { validation_enabled: true })
  const team = await buildTeam(admin, manager, 'Press')
  const box = await buildFolder(user, 'Box')
  await buildShare(user, box, manager, 'upload')
  const { id, token } = await buildLink(user, box, { level: 'upload', label: 'Class 3' })
  await buildFile(manager, { parent_id: team.folder_id, name: 'in team.txt' })
  await buildFile(manager, { parent_id: box.id, name: 'in box.txt' })
  expect((await openVisitor(server.url, token).upload('x', { name: 'by link.txt' })).status).toBe(201)
  const found = async (name: string, { username: owner }: { username: string }) => {
    const file = (await reviewer.call(listPending, { owner })).find(one => one.name.endsWith(name))
    return file && [file.owner, file.path, file.space.kind, file.space.owner, file.by_link]
  }
  expect(await found('in team.txt', manager)).toEqual([manager.username, '/Press/in team.txt', 'team', null, null])
  expect(await found('in box.txt', manager)).toEqual([
    manager.username,
    expect.stringMatching(/^\/Box\//),
    'personal',
    user.username,
    null,
  ])
  const link = { id, label: 'Class 3' }
  expect(await found('by link.txt', user)).toEqual([user.username, '/Box/by link.txt', 'personal', user.username, link])
  await user.call(deleteLink, { id })
  expect((await found('by link.txt', user))?.at(-1)).toEqual({ id, label: null })
  const sender = await buildUser(server)
  await buildShare(user, box, sender, 'upload')
  await buildFile(sender, { parent_id: box.id, name: 'left behind.txt' })
  await admin.call(deleteUser, { id: sender.id })
  expect((await found('left behind.txt', user))?.at(-1)).toBeNull()
})
