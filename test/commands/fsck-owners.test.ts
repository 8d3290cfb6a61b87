/** `filestore fsck --repair` gives nobody a storage, a share or a link that other rows say is another user's. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listFiles, moveFile } from '../../src/api/files.ts'
import { listReceived } from '../../src/api/shares.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
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

interface SpaceRow {
  id: number
  owner_id: number
}

const readSpaces = () =>
  server.deps.db.rows<SpaceRow>("SELECT id, owner_id FROM spaces WHERE kind = 'personal' ORDER BY id")
const spaceOf = async (user: BuiltUser) => (await readSpaces()).find(({ owner_id }) => owner_id === user.id)?.id ?? 0
const give = (spaceId: number, user: BuiltUser) =>
  spoilRows(server, `UPDATE spaces SET owner_id = ${user.id} WHERE id = ${spaceId}`)

/** As with storages that an older filestore's repair made: nothing but the items tells whose they are. */
const forgetTimes = () => spoilRows(server, 'UPDATE spaces SET created_at = 1')

const swapOwners = () =>
  spoilRows(
    server,
    `UPDATE spaces SET owner_id = CASE owner_id WHEN ${ann.id} THEN ${ben.id} ELSE ${ann.id} END
      WHERE kind = 'personal' AND owner_id IN (${ann.id}, ${ben.id})`,
  )

/** A folder with a file in it, and what others did there: Ben's file in the folder, and one that Ann moved to her root. */
async function fill(owner: BuiltUser, guest: BuiltUser) {
  const folder = await buildFolder(owner, `of ${owner.username}`)
  const file = await buildFile(owner, { name: 'private.txt', parent_id: folder.id }, `secret of ${owner.username}`)
  await buildShare(owner, folder, guest, 'edit')
  const moved = await buildFile(guest, { name: 'moved up.txt', parent_id: folder.id })
  await owner.call(moveFile, { id: moved.id, parent_id: null })
  await buildFile(guest, { name: 'beside.txt', parent_id: folder.id })
  return { folder, file }
}

const mayRead = async (user: BuiltUser, { id }: { id: number }): Promise<boolean> =>
  (await user.raw(`/api/files/${id}/download`)).status === 200

const told = ({ findings }: Awaited<ReturnType<typeof runFsck>>) =>
  findings.map(({ problem, verdict, repaired }) => `${repaired ? 'repaired' : verdict} ${problem}`)

describe('a personal storage', () => {
  test.each([
    ['younger', () => [ann, ben] as const],
    ['older', () => [ben, ann] as const],
  ])(
    'under the name of a user whose own one is %s goes back to its owner, with all that is in it',
    async (_, roles) => {
      const [owner, other] = roles()
      const { file } = await fill(owner, other)
      const { file: own } = await fill(other, owner)
      const before = await readSpaces()
      await buildFile(owner, { name: 'only mine.txt' })
      const mine = (await owner.call(listFiles, {})).total
      await give(await spaceOf(owner), other)
      expect(told(await runFsck(server))).toContain('repairable space-owner')
      expect(told(await runFsck(server, '--repair'))).toEqual(['repaired space-owner'])
      expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
      expect(await readSpaces()).toEqual(before)
      expect((await owner.call(listFiles, {})).total).toBe(mine)
      expect([await mayRead(owner, file), await mayRead(other, own)]).toEqual([true, true])
    },
  )

  test('with files at its root alone goes back to who owns all of them, if the other storage is not empty', async () => {
    const file = await buildFile(ann, { name: 'private.txt' })
    await buildFile(ben, { name: 'of ben.txt' })
    const before = await readSpaces()
    await give(await spaceOf(ann), ben)
    expect(told(await runFsck(server, '--repair'))).toEqual(['repaired space-owner'])
    expect(await readSpaces()).toEqual(before)
    expect([await mayRead(ann, file), await mayRead(ben, file)]).toEqual([true, false])
  })

  test('with nothing but a file of a user whose empty storage got another owner is not given to that user', async () => {
    const folder = await buildFolder(ann, 'Drop box')
    await buildShare(ann, folder, ben, 'edit')
    const { id } = await buildFile(ben, { name: 'handed in.txt', parent_id: folder.id })
    await ann.call(moveFile, { id, parent_id: null })
    await ann.call(trashFile, { id: folder.id })
    await ann.call(deleteFile, { id: folder.id })
    const own = await spaceOf(ann)
    await give(await spaceOf(ben), ann)
    expect(told(await runFsck(server, '--repair'))).toContain('lost space-owner')
    expect((await readSpaces()).find(space => space.id === own)?.owner_id).toBe(ann.id)
  })

  test('exchanged with one in which only files are at the top is named, whichever is older', async () => {
    await buildFile(ann, { name: 'private.txt' })
    await fill(ben, ann)
    await swapOwners()
    expect((await runFsck(server)).code).toBeGreaterThan(0)
    expect(told(await runFsck(server)).filter(one => one.endsWith('space-owner'))).toHaveLength(1)
  })

  test('of which the items tell no single owner is joined with no other, in every run', async () => {
    const { file } = await fill(ann, ben)
    await buildFolder(ann, 'whose?')
    await buildFolder(ben, 'of ben')
    await spoilRows(server, `UPDATE files SET owner_id = ${ben.id} WHERE name = 'whose?'`)
    const lost = await spaceOf(ann)
    await give(lost, ben)
    await forgetTimes()
    for (const round of [1, 2]) {
      const { code, findings } = await runFsck(server, '--repair')
      expect(code).toBe(11)
      expect(findings.filter(({ problem }) => problem === 'space-owner')).toMatchObject([
        { verdict: 'lost', space_id: lost, name: `space ${lost} of 'ben'` },
      ])
      expect(findings).toHaveLength(round === 1 ? 2 : 1)
    }
    const rows = await server.deps.db.rows('SELECT space_id, owner_id FROM files WHERE id = $1', [file.id])
    expect(rows).toEqual([{ space_id: lost, owner_id: ann.id }])
  })

  test('exchanged with that of another user is exchanged back', async () => {
    const { file } = await fill(ann, ben)
    const { file: other } = await fill(ben, ann)
    const more = await buildFolder(ann, 'Taxes')
    await buildFile(ann, { name: 'tax.txt', parent_id: more.id })
    await buildFile(ben, { name: 'more.txt' })
    const before = await readSpaces()
    await swapOwners()
    expect(told(await runFsck(server))).toEqual(['repairable space-owner'])
    expect(told(await runFsck(server, '--repair'))).toEqual(['repaired space-owner'])
    expect(await readSpaces()).toEqual(before)
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
    expect([await mayRead(ann, file), await mayRead(ben, other)]).toEqual([true, true])
  })

  test('exchanged with another one stays as it is where most items do not confirm that', async () => {
    const folder = await buildFolder(ann, 'Drop box')
    await buildShare(ann, folder, ben, 'edit')
    for (const name of ['one.txt', 'two.txt']) await buildFile(ben, { name, parent_id: folder.id })
    await buildFolder(ben, 'of ben')
    await swapOwners()
    await forgetTimes()
    const before = await readSpaces()
    for (const _ of [1, 2]) {
      const { code, findings } = await runFsck(server, '--repair')
      expect(code).toBe(11)
      expect(findings).toMatchObject([
        { verdict: 'lost', problem: 'space-owner' },
        { verdict: 'lost', problem: 'space-owner' },
      ])
    }
    expect(await readSpaces()).toEqual(before)
  })

  test('is no finding while its owner keeps what others have put there, and nothing of their own', async () => {
    const folder = await buildFolder(ann, 'Drop box')
    await buildShare(ann, folder, ben, 'edit')
    const { id } = await buildFile(ben, { name: 'handed in.txt', parent_id: folder.id })
    const inner = await buildFolder(ben, 'made by ben', folder.id)
    for (const item of [id, inner.id]) await ann.call(moveFile, { id: item, parent_id: null })
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  })
})

describe('a share', () => {
  const pointAt = (table: string, from: number, to: number) =>
    spoilRows(server, `UPDATE ${table} SET item_id = ${to} WHERE item_id = ${from}`)

  test('that points at an item of another storage ends, and stays listed for the owner of the item', async () => {
    const cyd = await buildUser(server, { username: 'cyd' })
    const { folder } = await fill(ann, cyd)
    const secret = await buildFile(ben, { name: 'private.txt' })
    await pointAt('shares', folder.id, secret.id)
    expect(await mayRead(cyd, secret)).toBe(true)
    expect(told(await runFsck(server, '--repair'))).toEqual(['repaired share-space'])
    expect(await mayRead(cyd, secret)).toBe(false)
    expect((await cyd.call(listReceived, {})).shares).toEqual([])
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
    const rows = await server.deps.db.rows('SELECT space_id, expires_at FROM shares')
    expect(rows).toEqual([{ space_id: await spaceOf(ben), expires_at: 0 }])
  })

  test('by a link that points at an item of another storage is paused', async () => {
    const file = await buildFile(ann, { name: 'public.txt' })
    const { id } = await buildLink(ann, file)
    const secret = await buildFile(ben, { name: 'private.txt' })
    await pointAt('links', file.id, secret.id)
    expect(told(await runFsck(server, '--repair'))).toEqual(['repaired link-space'])
    expect(await server.deps.db.rows('SELECT id, space_id, is_active FROM links')).toEqual([
      { id, space_id: await spaceOf(ben), is_active: 0 },
    ])
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  })
})
