/** People with their own trees, a team folder, a group and two keys for one folder, for the property of shared trees. */

import { trashFile } from '../../src/api/trash.ts'
import {
  type Asker,
  type GivenLevel,
  type GivenShare,
  type Model,
  type Owners,
  readTree,
  type TreeItem,
} from '../support/access-model.ts'
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
} from '../support/factories.ts'
import type { TestServer } from '../support/test-server.ts'

/** Every name of an item contains it, so one search finds all. */
export const nameStart = 'item'

/** Who acts and reads: a user, or a key of one for a folder. */
export interface Caller extends Asker {
  label: string
  client: TestClient
  /** Their own space; null for a key. */
  spaceId: number | null
}

/** A share that the test has given; `toGroup`: to the group, else to the user. */
interface Given {
  id: number
  itemId: number
  level: GivenLevel | 'manage'
  userId: number
  toGroup: boolean
}

export interface SharedWorld {
  server: TestServer
  admin: TestClient
  people: BuiltUser[]
  callers: Caller[]
  groupId: number
  members: Set<number>
  spaceIds: number[]
  owners: Owners
  given: Given[]
  /** All items that have ever been there. */
  known: Map<number, TreeItem>
  model: Model
}

async function findSpaces({ deps: { db } }: TestServer, people: readonly BuiltUser[]): Promise<Map<number, number>> {
  const ids = people.map(({ id }) => id).join(', ')
  const rows = await db.rows<{ id: number; owner_id: number }>(
    `SELECT id, owner_id FROM spaces WHERE kind = 'personal' AND owner_id IN (${ids})`,
  )
  return new Map(rows.map(({ id, owner_id }) => [id, owner_id]))
}

/** Reads the tree anew, and drops the shares whose item is gone. */
export async function refresh(world: SharedWorld): Promise<void> {
  const { server, spaceIds, owners, members } = world
  const tree = await readTree(server, spaceIds)
  for (const item of tree.values()) world.known.set(item.id, item)
  world.given = world.given.filter(({ itemId }) => tree.has(itemId))
  const shares = world.given.map(
    ({ id, itemId, level, userId, toGroup }): GivenShare => ({
      id,
      itemId,
      level,
      users: toGroup ? new Set(members) : new Set([userId]),
    }),
  )
  world.model = { tree, shares, owners }
}

export async function buildSharedWorld(server: TestServer): Promise<SharedWorld> {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const people = [await buildUser(server), await buildUser(server), await buildUser(server)]
  const [first, second, third] = people as [BuiltUser, BuiltUser, BuiltUser]
  const outer = await buildFolder(first, `${nameStart} outer`)
  const inner = await buildFolder(first, `${nameStart} inner`, outer.id)
  await buildFile(first, { name: `${nameStart} 1`, parent_id: inner.id })
  const other = await buildFolder(second, `${nameStart} other`)
  await buildFile(second, { name: `${nameStart} 2`, parent_id: other.id })
  const team = await buildTeam(admin, first, `${nameStart} team`)
  await buildFile(first, { name: `${nameStart} 3`, parent_id: team.folder_id })
  for (const parent_id of [outer.id, team.folder_id]) {
    await first.call(trashFile, { id: (await buildFile(first, { name: `${nameStart} trashed`, parent_id })).id })
  }
  const share = await buildShare(first, outer, second, 'edit')
  const group = await buildGroup(admin, [third])
  const owners = await findSpaces(server, people)
  const spaceOf = ({ id }: BuiltUser) => [...owners].find(([, owner]) => owner === id)?.[0] ?? 0
  const keyFor = async (label: string, owner: BuiltUser, scopeId: number): Promise<Caller> => {
    const permissions = ['files:read', 'files:search', 'files:upload', 'files:write', 'files:delete'] as const
    const client = await buildKey(server, owner, [...permissions], 'script', { scope_id: scopeId })
    const { db } = server.deps
    // A sequence has more requests than a key may have in a minute.
    await db.touch(() => db.change('UPDATE api_keys SET rate_limit_per_minute = 100000 WHERE id = $1', [client.id]))
    return { label, client, userId: owner.id, scopeId, spaceId: null }
  }
  const world: SharedWorld = {
    server,
    admin,
    people,
    callers: [
      ...people.map((user, index) => ({
        label: `user ${index}`,
        client: user,
        userId: user.id,
        scopeId: null,
        spaceId: spaceOf(user),
      })),
      await keyFor('a key for the own folder', first, inner.id),
      await keyFor('a key for a shared folder', second, outer.id),
    ],
    groupId: group.id,
    members: new Set([third.id]),
    spaceIds: [...owners.keys(), team.id],
    owners,
    given: [
      { id: share.id, itemId: outer.id, level: 'edit', userId: second.id, toGroup: false },
      { id: 0, itemId: team.folder_id, level: 'manage', userId: first.id, toGroup: false },
    ],
    known: new Map(),
    model: { tree: new Map(), shares: [], owners },
  }
  await refresh(world)
  return world
}
