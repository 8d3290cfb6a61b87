/** A server on which much is shared: one large space, team folders, and users who receive different things. */
import { createSpace } from '../../src/api/spaces.ts'
import { createUser } from '../../src/api/users.ts'
import type { Database } from '../../src/db/database.ts'
import { nameOf, plantAccount } from './account.ts'
import { type Client, signIn } from './client.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Owner, type Place } from './place.ts'
import { plantEntries, plantFolder } from './plant.ts'
import { withProduct } from './product.ts'

/** `receiver`: 204 shares, `member`: five teams, `plain`: nothing; `many`: 200 small shares. */
const usernames = ['receiver', 'plain', 'member', 'many'] as const
type Username = (typeof usernames)[number]

const userPassword = 'shared and measured'
const teamCount = 5
/** The shares of `many`; `receiver` has these too, and four large ones. */
export const smallShares = 200
const smallEntries = 98
export const largeShares = 4

export interface SharedPlace {
  /** Folders of the administrator: a large one that is shared, and its deepest subfolder. */
  large: number
  deep: number
  /** Each user's own folder of usual size. */
  own: Record<Username, number>
  sizes: { space: number; large: number; team: number }
}

type Ids = Record<Username, number>

interface Made {
  users: Ids
  teams: { id: number; folderId: number }[]
}

/** Makes the users and the team folders by the product's own calls. */
const makeUsers = (place: Place): Promise<Made> =>
  withProduct(place, async client => {
    const users = {} as Ids
    for (const username of usernames) {
      const account = { username, email: `${username}@example.org`, password: userPassword }
      users[username] = (await client.call(createUser, account)).user.id
    }
    const teams: Made['teams'] = []
    for (let n = 1; n <= teamCount; n++) {
      const { space } = await client.call(createSpace, { name: `Team ${n}`, manager_ids: [users.member] })
      teams.push({ id: space.id, folderId: space.folder_id })
    }
    return { users, teams }
  })

const share = (spaceId: number, itemId: number, userId: number) => ({
  space_id: spaceId,
  item_id: itemId,
  user_id: userId,
  group_id: null,
  level: 'view' as const,
  created_by: null,
  created_at: Date.now(),
  expires_at: null,
})

async function ownerOf(db: Database, userId: number): Promise<Owner> {
  const row = await db.row<Owner>(
    "SELECT owner_id AS userId, id AS spaceId FROM spaces WHERE owner_id = $1 AND kind = 'personal'",
    [userId],
  )
  if (row === undefined) throw new Error(`the user ${userId} has no space`)
  return row
}

/** Fills the administrator's space, and shares parts of it. */
async function plantShared(db: Database, owner: Owner, users: Ids, { space, large }: SharedPlace['sizes']) {
  await plantAccount(db, owner, space)
  const { spaceId } = owner
  const folders: number[] = []
  for (let n = 0; n < largeShares; n++) {
    const folder = await plantFolder(db, owner, null, `Large ${n}`)
    await plantEntries(db, owner, folder, n === 0 ? large : smallEntries, nameOf)
    folders.push(folder)
  }
  const [first = 0] = folders
  let deep = first
  for (const name of ['Year', 'Month', 'Day']) deep = await plantFolder(db, owner, deep, name)
  const small: number[] = []
  for (let n = 0; n < smallShares; n++) {
    const folder = await plantFolder(db, owner, null, `Small ${n}`)
    await plantEntries(db, owner, folder, smallEntries, nameOf)
    small.push(folder)
  }
  await db.insertAll(db.shares, [
    ...[...folders, ...small].map(id => share(spaceId, id, users.receiver)),
    ...small.map(id => share(spaceId, id, users.many)),
  ])
  return { large: first, deep }
}

const ownEntries = 1000

/** Fills a place that `withPlace` lends. */
export async function buildSharedPlace(place: Place, { isQuick }: Measuring): Promise<SharedPlace> {
  const sizes = isQuick ? { space: 20_000, large: 2_000, team: 500 } : { space: 1_000_000, large: 50_000, team: 10_000 }
  const { users, teams } = await makeUsers(place)
  return changeRows(place, async (db, owner) => {
    const shared = await plantShared(db, owner, users, sizes)
    const own = {} as Ids
    for (const username of usernames) {
      const theirs = await ownerOf(db, users[username])
      own[username] = await plantFolder(db, theirs, null, 'Own')
      await plantEntries(db, theirs, own[username], ownEntries, nameOf)
    }
    for (const { id, folderId } of teams) {
      await plantEntries(db, { userId: users.member, spaceId: id }, folderId, sizes.team, nameOf)
    }
    return { ...shared, own, sizes }
  })
}

/** Signs all users in. */
export async function signInAll(url: string): Promise<Record<Username, Client>> {
  const clients = {} as Record<Username, Client>
  for (const username of usernames) clients[username] = await signIn(url, username, userPassword)
  return clients
}
