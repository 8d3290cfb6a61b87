/** `filestore fsck --repair` on storages that are exchanged, or whose owner is missing, where little tells whose they are. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { moveFile } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
let ben: BuiltUser
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  ben = await buildUser(server, { username: 'ben' })
})
afterEach(() => server.close())

const readSpaces = () => server.deps.db.rows("SELECT id, owner_id FROM spaces WHERE kind = 'personal' ORDER BY id")
const readOwners = () => server.deps.db.rows('SELECT id, space_id, owner_id FROM files ORDER BY id')

const swapOwners = () =>
  spoilRows(
    server,
    `UPDATE spaces SET owner_id = CASE owner_id WHEN ${ann.id} THEN ${ben.id} ELSE ${ann.id} END
      WHERE kind = 'personal' AND owner_id IN (${ann.id}, ${ben.id})`,
  )
/** As with storages that an older repair made: nothing but the items tells whose they are. */
const forgetTimes = () => spoilRows(server, 'UPDATE spaces SET created_at = 1')

async function fill(owner: BuiltUser) {
  const folder = await buildFolder(owner, `of ${owner.username}`)
  return { folder, file: await buildFile(owner, { name: 'private.txt', parent_id: folder.id }) }
}

/** A file that a guest put into a folder, and that its owner moved to the root. */
async function handIn(owner: BuiltUser, guest: BuiltUser) {
  const folder = await buildFolder(owner, 'Drop box')
  await buildShare(owner, folder, guest, 'edit')
  const { id } = await buildFile(guest, { name: 'handed in.txt', parent_id: folder.id })
  await owner.call(moveFile, { id, parent_id: null })
  return folder
}

const told = ({ findings }: Awaited<ReturnType<typeof runFsck>>) =>
  findings.map(({ problem, verdict, repaired }) => `${repaired ? 'repaired' : verdict} ${problem}`)

/** Runs the repair twice, and expects that it leaves whose what is as it is now. */
async function expectKept(): Promise<void> {
  const before = [await readSpaces(), await readOwners()]
  for (const _ of [1, 2]) {
    const outcome = await runFsck(server, '--repair')
    expect([outcome.code, ...new Set(told(outcome))]).toEqual([11, 'lost space-owner'])
  }
  expect([await readSpaces(), await readOwners()]).toEqual(before)
}

/** Runs the repair, and expects the owners to be those of before. */
async function expectBack(before: unknown, owners: unknown): Promise<void> {
  expect(told(await runFsck(server, '--repair'))).toEqual(['repaired space-owner'])
  expect([await readSpaces(), await readOwners()]).toEqual([before, owners])
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
}

describe('exchanged storages', () => {
  test.each([
    ['with their times', false],
    ['without their times', true],
  ])('of which one is empty are exchanged back %s', async (_, isForgotten) => {
    await fill(ann)
    const before = await readSpaces()
    const owners = await readOwners()
    await swapOwners()
    if (isForgotten) await forgetTimes()
    await expectBack(before, owners)
  })

  test('of which one has files of its owner and of a guest alone are exchanged back by their times', async () => {
    await fill(ann)
    const folder = await handIn(ben, ann)
    await buildFile(ben, { name: 'mine.txt' })
    await spoilRows(server, 'DELETE FROM shares', `DELETE FROM files WHERE id = ${folder.id}`)
    await runFsck(server, '--repair')
    const before = await readSpaces()
    const owners = await readOwners()
    await swapOwners()
    await expectBack(before, owners)
  })

  test('in which their owners worked meanwhile are exchanged back by their times', async () => {
    await fill(ann)
    await fill(ben)
    const before = await readSpaces()
    await swapOwners()
    await buildFolder(ann, 'made later')
    expect(told(await runFsck(server, '--repair'))).toContain('repaired space-owner')
    expect(await readSpaces()).toEqual(before)
  })

  test('of which one has files of its owner and of a guest alone stay as they are without their times', async () => {
    await fill(ann)
    const folder = await handIn(ben, ann)
    await buildFile(ben, { name: 'mine.txt' })
    await spoilRows(server, 'DELETE FROM shares', `DELETE FROM files WHERE id = ${folder.id}`)
    await runFsck(server, '--repair')
    await swapOwners()
    await forgetTimes()
    await expectKept()
  })

  test('of which one has a single folder, shared with the other user, stay as they are without their times', async () => {
    const { folder } = await fill(ann)
    await buildShare(ann, folder, ben, 'edit')
    await spoilRows(server, `UPDATE files SET owner_id = ${ben.id} WHERE id = ${folder.id}`)
    await forgetTimes()
    await expectKept()
  })

  test('are not seen where one folder has a wrong owner whose own storage is empty', async () => {
    const { folder } = await fill(ann)
    const before = await readSpaces()
    await spoilRows(server, `UPDATE files SET owner_id = ${ben.id} WHERE id = ${folder.id}`)
    expect(told(await runFsck(server, '--repair'))).toEqual(['repaired foreign-owner'])
    expect(await readSpaces()).toEqual(before)
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  })

  test('are not seen where one folder has a wrong owner, without their times', async () => {
    const { folder } = await fill(ann)
    await fill(ben)
    const before = await readSpaces()
    await spoilRows(server, `UPDATE files SET owner_id = ${ben.id} WHERE id = ${folder.id}`)
    await forgetTimes()
    expect(told(await runFsck(server, '--repair'))).toEqual(['repaired foreign-owner'])
    expect(await readSpaces()).toEqual(before)
  })
})

describe('a storage whose owner is missing', () => {
  const orphan = () => spoilRows(server, `UPDATE spaces SET owner_id = 999 WHERE owner_id = ${ann.id}`)

  test('goes back to the user of its items, who gets no other one', async () => {
    await fill(ann)
    const before = await readSpaces()
    const owners = await readOwners()
    await orphan()
    await expectBack(before, owners)
  })

  test('and that is empty goes back to the user who is as old', async () => {
    const before = await readSpaces()
    await orphan()
    await expectBack(before, [])
  })

  test('is joined with the empty one that its user has got meanwhile', async () => {
    const { file } = await fill(ann)
    await orphan()
    const row = `SELECT kind, ${ann.id}, 0, storage_quota, 0, 0, 5 FROM spaces WHERE owner_id = ${ben.id}`
    const columns = 'kind, owner_id, storage_used, storage_quota, item_count, revision, created_at'
    await spoilRows(server, `INSERT INTO spaces (${columns}) ${row}`)
    expect(told(await runFsck(server, '--repair'))).toEqual(['repaired space-owner', 'repaired space-twice'])
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
    expect((await ann.raw(`/api/files/${file.id}/download`)).status).toBe(200)
  })

  test('and whose items tell no single user stays as it is', async () => {
    await fill(ann)
    await buildFolder(ann, 'whose?')
    await spoilRows(server, `UPDATE files SET owner_id = ${ben.id} WHERE name = 'whose?'`)
    await orphan()
    await forgetTimes()
    expect(told(await runFsck(server, '--repair'))).toEqual(['lost space-owner', 'repaired space-missing'])
    await expectKept()
  })
})
