/** Finds people and groups to share with. Only active users are found, and no addresses are told. */
import type { Actor } from '../access/actor.ts'
import { findSharing } from '../access/sharing-settings.ts'
import type { OutputOf } from '../api/endpoint.ts'
import { maxPeopleFound } from '../api/limits.ts'
import type { findPeople as endpoint, Person } from '../api/shares.ts'
import type { Database } from '../db/database.ts'
import { fold } from '../db/fold.ts'
import { userKey } from '../db/user-key.ts'

/** Users read at once. */
const sliceSize = 1000

interface UserRow extends Person {
  username_key: string
}

/** The first users, by name, whose username or full name contains a folded text. They are few, so all are read. */
async function findByPart(db: Database, ownId: number, text: string): Promise<Person[]> {
  const found: Person[] = []
  for (let after: string | undefined = ''; after !== undefined && found.length < maxPeopleFound; ) {
    const rows: UserRow[] = await db.rows<UserRow>(
      `SELECT u.id, u.username, u.full_name, u.username_key FROM users u
       WHERE u.is_active = 1 AND u.id <> $1 AND u.username_key > $2 ORDER BY u.username_key LIMIT ${sliceSize}`,
      [ownId, after],
    )
    const fits = ({ username, full_name }: Person) => fold(`${username}\n${full_name ?? ''}`).includes(text)
    found.push(...rows.filter(fits).map(({ id, username, full_name }) => ({ id, username, full_name })))
    after = rows.length < sliceSize ? undefined : rows.at(-1)?.username_key
  }
  return found.slice(0, maxPeopleFound)
}

const findByName = (db: Database, ownId: number, name: string): Promise<Person[]> =>
  db.rows<Person>(
    'SELECT u.id, u.username, u.full_name FROM users u WHERE u.is_active = 1 AND u.id <> $1 AND u.username_key = $2',
    [ownId, userKey(name)],
  )

interface GroupRow {
  id: number
  name: string
  kind: 'listed' | 'everyone'
}

/**
 * People and groups whose name contains the text; if the settings say `exact`, only those of this very name. The actor
 * is none of them.
 */
export async function findPeople(db: Database, actor: Actor, q: string): Promise<OutputOf<typeof endpoint>> {
  const { find_people, everyone } = await findSharing(db)
  const isExact = find_people === 'exact'
  const groups = await db.rows<GroupRow>('SELECT g.id, g.name, g.kind FROM user_groups g ORDER BY g.name_key')
  const fits = (name: string) => (isExact ? userKey(name) === userKey(q) : fold(name).includes(fold(q)))
  const found = groups.filter(group => (group.kind === 'listed' || everyone) && fits(group.name))
  return {
    people: isExact ? await findByName(db, actor.userId, q) : await findByPart(db, actor.userId, fold(q)),
    groups: found.slice(0, maxPeopleFound).map(({ id, name }) => ({ id, name })),
  }
}
