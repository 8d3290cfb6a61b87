/** Thousands of shares, of one user and for everybody. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRecent, searchFiles } from '../../src/api/search.ts'
import { createShare, deleteShare, listGiven, listReceived } from '../../src/api/shares.ts'
import { listSpaces } from '../../src/api/spaces.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildTeam, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient
let giver: BuiltUser
let everyone: number
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  giver = await buildUser(server)
  const group = await server.deps.db.row<{ id: number }>("SELECT id FROM user_groups WHERE kind = 'everyone'")
  everyone = group?.id ?? 0
})
afterAll(() => server.close())

/** Shares this many new files with everybody, without HTTP. */
async function plantShares(count: number): Promise<void> {
  const { db } = server.deps
  const folder = await buildFolder(giver)
  await plantFiles(server, giver, folder.id, count)
  const rows = `SELECT f.space_id, f.id, ${everyone}, 'view', f.owner_id, 1 FROM files f WHERE f.parent_id = $1`
  await db.touch(() =>
    db.change(`INSERT INTO shares (space_id, item_id, group_id, level, created_by, created_at) ${rows}`, [folder.id]),
  )
}

test('a user shares at most 10,000 of their own items', async () => {
  await plantShares(9_999)
  const [last, more] = [await buildFile(giver), await buildFile(giver)]
  const share = await buildShare(giver, last, { group_id: everyone }, 'view')
  const full = giver.call(createShare, { item_id: more.id, group_id: everyone, level: 'view' })
  await expect(full).rejects.toMatchObject({ status: 400, fields: { item_id: expect.stringContaining('10,000') } })
  await giver.call(deleteShare, { id: share.id })
  await buildShare(giver, more, { group_id: everyone }, 'view')
})

test('more shares than a statement has values leave the newest, and all team folders, to be found', async () => {
  const reader = await buildUser(server)
  const team = await buildTeam(admin, reader, 'The team')
  await buildFile(reader, { name: 'needle of the team', parent_id: team.folder_id })
  await buildFile(reader, { name: 'needle of the reader' })
  await plantShares(33_000)
  const other = await buildUser(server)
  await buildShare(other, await buildFile(other, { name: 'needle of the other' }), reader, 'view')
  const { files } = await reader.call(searchFiles, { q: 'needle' })
  expect(new Set(files.map(({ name }) => name))).toEqual(
    new Set(['needle of the team', 'needle of the reader', 'needle of the other']),
  )
  expect((await reader.call(listRecent, {})).files.map(({ name }) => name)).toContain('needle of the team')
  expect((await reader.call(listSpaces, {})).spaces.map(({ name }) => name)).toEqual(['The team'])
  expect((await reader.call(listReceived, { limit: 1 })).shares[0]?.item.name).toBe('needle of the other')
  expect((await giver.call(listGiven, { limit: 10 })).shares).toHaveLength(10)
})
