/** Who may give access to whom, and what those see to whom it is given. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { getFile, listFiles } from '../../src/api/files.ts'
import {
  createShare,
  deleteShare,
  findPeople,
  hideShare,
  listAccess,
  listGiven,
  listReceived,
  markSharesSeen,
  updateShare,
  updateSharingSettings,
} from '../../src/api/shares.ts'
import { listSpaces } from '../../src/api/spaces.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildGroup,
  buildKey,
  buildShare,
  buildTeam,
  buildUser,
  disableUser,
} from '../support/factories.ts'
import { onlyOn, onlyOneServer } from '../support/only-on.ts'
import { explain } from '../support/query-plans.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient
let owner: BuiltUser
let anna: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  owner = await buildUser(server)
  anna = await buildUser(server)
})
afterAll(() => server.close())

const refusal = (promise: Promise<unknown>): Promise<{ status: number; code: string }> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    ({ status, code }) => ({ status, code }),
  )
const received = async (client: TestClient) => (await client.call(listReceived, {})).shares
const seesNothing = { status: 404, code: 'not_found' }

describe('giving access', () => {
  const give = (client: TestClient, input: object) =>
    client.call(createShare, input as never).then(({ share }) => share)

  test.each([
    ['oneself', async () => ({ user_id: owner.id, level: 'view' }), 400],
    ['an unknown user', async () => ({ user_id: 999_999, level: 'view' }), 404],
    ['an unknown group', async () => ({ group_id: 999_999, level: 'view' }), 404],
    ['nobody', async () => ({ level: 'view' }), 400],
    ['the management of a folder that is no team folder', async () => ({ user_id: anna.id, level: 'manage' }), 400],
    ['an unknown level', async () => ({ user_id: anna.id, level: 'own' }), 400],
    [
      'a share that has ended',
      async () => ({ user_id: anna.id, level: 'view', expires_at: '2020-01-01T00:00:00Z' }),
      400,
    ],
    [
      'a disabled user',
      async () => {
        const { id } = await buildUser(server)
        await disableUser(server, id)
        return { user_id: id, level: 'view' }
      },
      404,
    ],
    ['a user and a group at once', async () => ({ user_id: anna.id, group_id: 1, level: 'view' }), 400],
  ] as const)('is refused for %s', async (_what, build, status) => {
    const folder = await buildFolder(owner)
    expect((await refusal(give(owner, { item_id: folder.id, ...(await build()) }))).status).toBe(status)
    expect((await owner.call(listAccess, { id: folder.id })).access).toHaveLength(1)
  })

  test('to upload is refused on a file', async () => {
    const file = await buildFile(owner)
    const answer = await refusal(give(owner, { item_id: file.id, user_id: anna.id, level: 'upload' }))
    expect(answer).toEqual({ status: 400, code: 'invalid_input' })
  })

  test('is not for those to whom something is shared, nor is changing it', async () => {
    const folder = await buildFolder(owner)
    const [ben, carl] = [await buildUser(server), await buildUser(server)]
    const share = await buildShare(owner, folder, ben, 'edit')
    const forbidden = { status: 403, code: 'forbidden' }
    expect(await refusal(give(ben, { item_id: folder.id, user_id: carl.id, level: 'view' }))).toEqual(forbidden)
    expect(await refusal(ben.call(updateShare, { id: share.id, level: 'edit', expires_at: null }))).toEqual(forbidden)
    const other = await buildShare(owner, folder, anna, 'view')
    expect(await refusal(ben.call(updateShare, { id: other.id, level: 'edit' }))).toEqual(forbidden)
    expect(await refusal(ben.call(deleteShare, { id: other.id }))).toEqual(forbidden)
    const group = await buildGroup(admin, [ben])
    const ofGroup = await buildShare(owner, folder, { group_id: group.id }, 'edit')
    expect(await refusal(ben.call(deleteShare, { id: ofGroup.id }))).toEqual(forbidden)
    expect(await refusal(carl.call(updateShare, { id: share.id, level: 'view' }))).toEqual(seesNothing)
    expect(await refusal(carl.call(deleteShare, { id: share.id }))).toEqual(seesNothing)
    expect(await refusal(carl.call(hideShare, { id: share.id, hidden: true }))).toEqual(seesNothing)
    expect(await refusal(admin.call(deleteShare, { id: share.id }))).toEqual(seesNothing)
  })

  test('needs the permission, of a key too', async () => {
    const folder = await buildFolder(owner)
    const key = await buildKey(server, owner, ['files:read', 'files:write'])
    const input = { item_id: folder.id, user_id: anna.id, level: 'view' }
    expect((await refusal(give(key, input))).status).toBe(403)
    const sharing = await buildKey(server, owner, ['files:share'])
    expect(await give(sharing, input)).toMatchObject({ level: 'view' })
  })
})

describe('who has a share', () => {
  test('may end it, and hide it from the own list without ending it for others', async () => {
    const [ben, carl] = [await buildUser(server), await buildUser(server)]
    const [own, ofGroup] = [await buildFolder(owner), await buildFolder(owner)]
    const share = await buildShare(owner, own, ben, 'view')
    await ben.call(deleteShare, { id: share.id })
    expect(await received(ben)).toEqual([])
    const group = await buildGroup(admin, [ben, carl])
    const { id } = await buildShare(owner, ofGroup, { group_id: group.id }, 'view')
    await ben.call(hideShare, { id, hidden: true })
    expect(await received(ben)).toEqual([])
    expect((await ben.call(listReceived, { hidden: 'true' })).shares).toMatchObject([{ id, group: group.name }])
    expect((await received(carl)).map(one => one.id)).toEqual([id])
    await ben.call(hideShare, { id, hidden: false })
    expect((await received(ben)).map(one => one.id)).toEqual([id])
  })

  test('sees from whom it is, and whether it is new', async () => {
    const ben = await buildUser(server)
    const folder = await buildFolder(owner)
    await buildShare(owner, folder, ben, 'edit')
    expect(await received(ben)).toMatchObject([
      {
        item: {
          id: folder.id,
          path: '/',
          parent_id: null,
          place: { kind: 'share', id: folder.id, from: owner.username },
        },
        level: 'edit',
        from: { kind: 'user', id: owner.id, name: owner.username },
        group: null,
        expires_at: null,
        is_new: true,
      },
    ])
    await ben.call(markSharesSeen, {})
    expect((await received(ben)).map(({ is_new }) => is_new)).toEqual([false])
  })

  test('gets them page by page, the newest first', async () => {
    const ben = await buildUser(server)
    const ids: number[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await buildShare(owner, await buildFolder(owner), ben, 'view')).id)
    const found: number[] = []
    let cursor: string | undefined
    do {
      const page = await ben.call(listReceived, { limit: 2, cursor })
      found.push(...page.shares.map(({ id }) => id))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(found).toEqual(ids)
  })

  test('sees team folders in their own list', async () => {
    const ben = await buildUser(server)
    const team = await buildTeam(admin, owner)
    await buildShare(owner, { id: team.folder_id }, ben, 'view')
    const inner = await buildFolder(owner, undefined, team.folder_id)
    const carl = await buildUser(server)
    await buildShare(owner, inner, carl, 'view')
    expect(await received(ben)).toEqual([])
    expect((await ben.call(listSpaces, {})).spaces).toMatchObject([{ id: team.id, level: 'view', via: 'member' }])
    expect(await received(carl)).toMatchObject([
      { item: { id: inner.id }, from: { kind: 'team', id: team.folder_id, name: team.name } },
    ])
  })
})

test('what one gives is listed, and only there told as shared', async () => {
  const giver = await buildUser(server)
  const [folder, other] = [await buildFolder(giver), await buildFolder(giver)]
  await buildShare(giver, folder, anna, 'view')
  const { folders } = await giver.call(listFiles, {})
  expect(folders.map(({ id, is_shared }) => [id, is_shared]).sort()).toEqual(
    [
      [folder.id, true],
      [other.id, false],
    ].sort(),
  )
  expect((await giver.call(listGiven, {})).shares).toMatchObject([
    {
      item: { id: folder.id, is_shared: true },
      who: { kind: 'user', id: anna.id, name: anna.username, full_name: null },
      level: 'view',
    },
  ])
  expect((await anna.call(getFile, { id: folder.id })).file.is_shared).toBe(false)
})

test('the list of who has access says why, also what is given further up', async () => {
  const outer = await buildFolder(owner)
  const inner = await buildFolder(owner, undefined, outer.id)
  const file = await buildFile(owner, { parent_id: inner.id })
  const [ben, carl] = [await buildUser(server), await buildUser(server)]
  await buildShare(owner, outer, ben, 'edit')
  await buildShare(owner, outer, carl, 'upload')
  await buildShare(owner, inner, anna, 'upload')
  const { access } = await owner.call(listAccess, { id: file.id })
  expect(access.map(({ who, level, because }) => [who.kind, who.id, level, because.id])).toEqual([
    ['owner', owner.id, 'manage', file.id],
    ['user', ben.id, 'edit', outer.id],
    ['user', anna.id, 'upload', inner.id],
  ])
})

test('people are found by a part of their name, or only by the whole username if the settings say so', async () => {
  const name = `zoe-${Date.now()}`
  const zoe = await buildUser(server, { username: name })
  const gone = await buildUser(server, { username: `${name}-gone` })
  await disableUser(server, gone.id)
  const found = async (q: string) => (await owner.call(findPeople, { q })).people
  expect(await found(name.slice(1))).toEqual([{ id: zoe.id, username: name, full_name: null }])
  expect(await found(owner.username)).toEqual([])
  await admin.call(updateSharingSettings, { find_people: 'exact' })
  expect(await found(name.slice(1))).toEqual([])
  expect(await found(name.toUpperCase())).toMatchObject([{ id: zoe.id }])
  await admin.call(updateSharingSettings, { find_people: 'names' })
  expect((await refusal(owner.call(findPeople, { q: 'z' }))).status).toBe(400)
})

test('the list of what one gives reads the own shares alone, however many there are', async context => {
  onlyOn('sqlite', context)
  onlyOneServer('process', context)
  await buildShare(owner, await buildFolder(owner), anna, 'view')
  const read = vi.spyOn(server.deps.db, 'page')
  onTestFinished(() => void read.mockRestore())
  expect((await owner.call(listGiven, {})).shares).not.toEqual([])
  const [, rest = '', bind] = read.mock.calls.find(([, text]) => text.includes('created_by')) ?? []
  const plan = JSON.stringify(await explain(server, `SELECT s.id ${rest}`, bind))
  expect(plan).toMatch(/SEARCH own USING COVERING INDEX shares_space/)
  expect(plan).not.toMatch(/SCAN (s|own|shares)\b/)
})
