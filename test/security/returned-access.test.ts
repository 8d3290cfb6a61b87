/** Who gets access back learns nothing of what happened while they had none; nor who comes later, of what was before. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { listChanges } from '../../src/api/changes.ts'
import { getFile, listFileEvents, renameFile } from '../../src/api/files.ts'
import { addGroupMember, removeGroupMember, updateGroup } from '../../src/api/groups.ts'
import type { FileDetails } from '../../src/api/items.ts'
import {
  createShare,
  deleteShare,
  findPeople,
  listReceived,
  markSharesSeen,
  type Share,
  updateShare,
} from '../../src/api/shares.ts'
import { type Space, updateSpace } from '../../src/api/spaces.ts'
import { minute, second } from '../../src/base/clock.ts'
import type { TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildGroup,
  buildKey,
  buildShare,
  buildTeam,
  buildUser,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let owner: BuiltUser
let reader: BuiltUser
let folder: FileDetails
let file: FileDetails
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  owner = await buildUser(server)
  reader = await buildUser(server)
  folder = await buildFolder(owner)
  file = await buildFile(owner, { parent_id: folder.id, name: 'first.txt' })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What is done at the same millisecond cannot be told apart. */
const pass = (ms: number = second) => void vi.setSystemTime(Date.now() + ms)

async function rename(name: string): Promise<void> {
  pass()
  await owner.call(renameFile, { id: file.id, name })
  pass()
}

const endOf = async (client: TestClient) => (await client.call(listChanges, {})).cursor

/** The names that the activity of the file tells, the oldest first. */
async function namesTold(client: TestClient = reader): Promise<unknown[]> {
  const { events } = await client.call(listFileEvents, { id: file.id })
  return events.flatMap(({ detail }) => ('to' in (detail ?? {}) ? [detail?.to] : [])).reverse()
}

async function expectNoAccess(): Promise<void> {
  await expect(reader.call(getFile, { id: file.id })).rejects.toMatchObject({ status: 404 })
}

const inAMinute = () => new Date(Date.now() + minute).toISOString()

const giveForAMinute = async (): Promise<Share> =>
  (await owner.call(createShare, { item_id: folder.id, user_id: reader.id, level: 'edit', expires_at: inAMinute() }))
    .share

/** How access comes, is lost, and returns. */
interface Way {
  come(): Promise<void>
  go(): Promise<void>
  comeBack(): Promise<unknown>
}

function shareWithEnd(comeBack: (share: Share) => Promise<unknown>): () => Way {
  let share: Share
  return () => ({
    come: async () => {
      share = await giveForAMinute()
    },
    go: async () => {
      pass(minute)
      await expectNoAccess()
    },
    comeBack: () => comeBack(share),
  })
}

function membership(go: (group: number) => Promise<unknown>, comeBack: (group: number) => Promise<unknown>): () => Way {
  let group: number
  return () => ({
    come: async () => {
      group = (await buildGroup(admin, [reader])).id
      await buildShare(owner, folder, { group_id: group }, 'edit')
    },
    go: async () => {
      await go(group)
      await expectNoAccess()
    },
    comeBack: () => comeBack(group),
  })
}

function loweredShare(): Way {
  let share: Share
  const change = (level: 'upload' | 'edit') => owner.call(updateShare, { id: share.id, level })
  return {
    come: async () => {
      share = await buildShare(owner, folder, reader, 'edit')
    },
    go: async () => {
      await change('upload')
      await expectNoAccess()
    },
    comeBack: () => change('edit'),
  }
}

/** A share of a team folder, after which its user is appointed manager. */
function appointment(level: 'edit' | 'manage', go: (share: Share) => Promise<unknown>): () => Way {
  let team: Space
  let share: Share
  return () => ({
    come: async () => {
      team = await buildTeam(admin, owner)
      file = await buildFile(owner, { parent_id: team.folder_id })
      const terms = { item_id: team.folder_id, user_id: reader.id, level, expires_at: inAMinute() }
      share = (await owner.call(createShare, terms)).share
      folder = await owner.call(getFile, { id: team.folder_id }).then(answer => answer.file)
    },
    go: async () => {
      await go(share)
      await expectNoAccess()
    },
    comeBack: () => admin.call(updateSpace, { id: team.id, manager_ids: [owner.id, reader.id] }),
  })
}

describe.each<[string, () => Way]>([
  [
    'a share that is over is given again',
    shareWithEnd(() => owner.call(createShare, { item_id: folder.id, user_id: reader.id, level: 'edit' })),
  ],
  [
    'a share that is over gets no end any more',
    shareWithEnd(({ id }) => owner.call(updateShare, { id, expires_at: null })),
  ],
  [
    'a share that is over gets another level first, and a later end then',
    shareWithEnd(async ({ id }) => {
      await owner.call(updateShare, { id, level: 'view' })
      await owner.call(updateShare, { id, level: 'edit', expires_at: inAMinute() })
    }),
  ],
  [
    'a member is taken out of a group and put back',
    membership(
      id => admin.call(removeGroupMember, { id, user_id: reader.id }),
      id => admin.call(addGroupMember, { id, user_id: reader.id }),
    ),
  ],
  [
    'a member is missing in one list of a group’s members and in the next one again',
    membership(
      id => admin.call(updateGroup, { id, member_ids: [owner.id] }),
      id => admin.call(updateGroup, { id, member_ids: [reader.id, owner.id] }),
    ),
  ],
  ['a share is for handing in only, and for editing again', loweredShare],
  ['who has a share that is over is appointed manager', appointment('edit', async () => pass(minute))],
  ['a manager whose time is over is appointed again', appointment('manage', async () => pass(minute))],
  [
    'who may hand in only is appointed manager',
    appointment('edit', ({ id }) => owner.call(updateShare, { id, level: 'upload' })),
  ],
])('once %s', (_title, open) => {
  test('the activity begins with that', async () => {
    const { come, go, comeBack } = open()
    await come()
    await rename('seen.txt')
    expect(await namesTold()).toEqual(['seen.txt'])
    await go()
    await rename('secret.txt')
    await rename('public.txt')
    await comeBack()
    expect(await namesTold()).toEqual([])
    await rename('seen again.txt')
    expect(await namesTold()).toEqual(['seen again.txt'])
  })

  test('the feed of changes begins anew, also for a key for the folder', async () => {
    const { come, go, comeBack } = open()
    await come()
    const key = await buildKey(server, reader, ['files:read'], 'script', { scope_id: folder.id })
    const cursors: [TestClient, string][] = [
      [reader, await endOf(reader)],
      [key, await endOf(key)],
    ]
    await go()
    await rename('secret.txt')
    await rename('public.txt')
    await comeBack()
    for (const [client, since] of cursors) {
      expect(await client.call(listChanges, { since })).toMatchObject({ reset: true, changes: [] })
    }
  })
})

describe('activity', () => {
  test('begins for a new member of a group when they join it', async () => {
    const group = await buildGroup(admin, [owner])
    await buildShare(owner, folder, { group_id: group.id }, 'edit')
    await rename('before.txt')
    await admin.call(addGroupMember, { id: group.id, user_id: reader.id })
    expect(await namesTold()).toEqual([])
    await rename('after.txt')
    expect(await namesTold()).toEqual(['after.txt'])
  })

  test('begins for a new member of a team folder’s group when they join it', async () => {
    const team = await buildTeam(admin, owner)
    const group = await buildGroup(admin, [admin])
    await buildShare(owner, { id: team.folder_id }, { group_id: group.id }, 'edit')
    file = await buildFile(owner, { parent_id: team.folder_id })
    await rename('before.txt')
    await admin.call(addGroupMember, { id: group.id, user_id: reader.id })
    await rename('after.txt')
    expect(await namesTold()).toEqual(['after.txt'])
  })

  test('of what is shared with everyone begins for a new user with their account', async () => {
    const { groups } = await owner.call(findPeople, { q: 'everyone' })
    const { id } = await buildShare(owner, folder, { group_id: groups[0]?.id ?? 0 }, 'edit')
    await rename('before.txt')
    const late = await buildUser(server)
    await rename('after.txt')
    expect(await namesTold(late)).toEqual(['after.txt'])
    expect(await namesTold()).toEqual(['before.txt', 'after.txt'])
    await owner.call(deleteShare, { id })
  })

  test('begins for who could only hand in once they see the folder, also by another share', async () => {
    const group = await buildGroup(admin, [reader])
    await buildShare(owner, folder, { group_id: group.id }, 'upload')
    await rename('before.txt')
    await buildShare(owner, folder, reader, 'edit')
    expect(await namesTold()).toEqual([])
  })

  test('goes on where another share held the whole time', async () => {
    const group = await buildGroup(admin, [reader])
    await buildShare(owner, folder, { group_id: group.id }, 'edit')
    const { id } = await giveForAMinute()
    pass(minute)
    await rename('still seen.txt')
    await owner.call(updateShare, { id, expires_at: null })
    expect(await namesTold()).toEqual(['still seen.txt'])
  })

  test('goes on, and so does the feed, when a share gets another end before its own', async () => {
    const { id } = await giveForAMinute()
    const since = await endOf(reader)
    await rename('seen.txt')
    await owner.call(updateShare, { id, expires_at: null })
    await owner.call(createShare, { item_id: folder.id, user_id: reader.id, level: 'edit' })
    expect(await namesTold()).toEqual(['seen.txt'])
    const { reset, changes } = await reader.call(listChanges, { since })
    expect([reset, changes[0]?.detail]).toEqual([false, { from: 'first.txt', to: 'seen.txt' }])
  })
})

test('a share that is given again after its end is new to who receives it', async () => {
  const { id, created_at } = await giveForAMinute()
  await reader.call(markSharesSeen, {})
  pass(2 * minute)
  await owner.call(updateShare, { id, expires_at: null })
  const [received] = (await reader.call(listReceived, {})).shares
  expect(received).toMatchObject({ id, is_new: true })
  expect(Date.parse(received?.created_at ?? '') - Date.parse(created_at)).toBe(2 * minute)
})
