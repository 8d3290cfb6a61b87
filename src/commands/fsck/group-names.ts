/**
 * Checks that no group says the name of another one. Groups are found by the keys of their names, so a key that is made
 * from such a name would be there twice.
 */
import type { Database } from '../../db/database.ts'
import { eventDetail } from '../../db/models/events.ts'
import type { GroupRow } from '../../db/models/shares.ts'
import { parseStored } from '../../db/stored-json.ts'
import { userKey } from '../../db/user-key.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'
import { everyone, isEveryone, ordinaryName } from './group-rules.ts'

type Group = Pick<GroupRow, 'id' | 'name' | 'name_key' | 'kind'>

const readGroups = (db: Database): Promise<Group[]> =>
  db.rows<Group>('SELECT id, name, name_key, kind FROM user_groups ORDER BY id')

const ownKey = ({ name }: Group): string => userKey(String(name))

/** The group that has the key of what another one says. */
const findHolder = (groups: readonly Group[], group: Group): Group | undefined =>
  ownKey(group) === String(group.name_key)
    ? undefined
    : groups.find(({ id, name_key }) => id !== group.id && String(name_key) === ownKey(group))

const isExchanged = (group: Group, holder: Group): boolean =>
  ownKey(group) === String(holder.name_key) && ownKey(holder) === String(group.name_key)

/** The name that the newest event tells of. */
export async function findNotedName(db: Database, id: number): Promise<string | undefined> {
  const event = await db.row<{ detail: string | null }>(
    `SELECT detail FROM events WHERE item_id = $1 AND action IN ('group.create', 'group.update') ORDER BY id DESC LIMIT 1`,
    [id],
  )
  const name = parseStored(eventDetail.schema, event?.detail ?? 'null')?.name
  return typeof name === 'string' ? name : undefined
}

/** What the group's own key says, in the letters of the event if there is one. */
async function nameOfKey(db: Database, group: Group): Promise<string> {
  if (group.name_key === everyone) return 'Everyone'
  const noted = await findNotedName(db, group.id)
  if (noted !== undefined && userKey(noted) === group.name_key) return noted
  return ordinaryName({ ...group, name: everyone })
}

/**
 * Whether the keys of two groups are right whose names or keys are exchanged. The kind tells it of the group of all
 * users, and events of others; else the names stay, which everybody sees.
 */
async function areKeysRight(db: Database, pair: readonly Group[]): Promise<boolean> {
  const ofAll = pair.find(group => isEveryone({ ...group }))
  if (ofAll !== undefined) return ofAll.name_key === everyone
  const told = await Promise.all(
    pair.map(async group => {
      const noted = await findNotedName(db, group.id)
      if (noted === undefined || userKey(noted) === ownKey(group)) return noted === undefined ? null : false
      return userKey(noted) === group.name_key ? true : null
    }),
  )
  return told.includes(true) && !told.includes(false)
}

/** The right names of a group and of the one whose name it says, by their ids. */
async function findNames(db: Database, group: Group, holder: Group): Promise<Map<number, string>> {
  const pair = isExchanged(group, holder) ? [group, holder] : [group]
  const isByKey = pair.length === 1 || (await areKeysRight(db, pair))
  const names = await Promise.all(pair.map(one => (isByKey ? nameOfKey(db, one) : String(one.name))))
  return new Map(pair.map(({ id }, at) => [id, names[at] ?? '']))
}

async function mend(check: Check, { id }: Group): Promise<boolean> {
  const { db } = check.deps
  return db.write(systemActor, async record => {
    record.nothing()
    const found = await findTaken(db, id)
    if (found === undefined) return false
    const names = await findNames(db, found.group, found.holder)
    // Two keys change places.
    for (const one of names.keys()) await db.update(db.userGroups, { name_key: `\u0000${one}` }, one)
    for (const [one, name] of names) {
      await db.update(db.userGroups, { name, name_key: userKey(name) }, one)
      record('group.repair', { id: one }, { name, columns: ['name', 'name_key'] })
    }
    return true
  })
}

/** A group that says the name of another one. That of all users is told by its other columns (group-rules.ts). */
async function findTaken(db: Database, id: number): Promise<{ group: Group; holder: Group } | undefined> {
  const groups = await readGroups(db)
  const group = groups.find(one => one.id === id)
  const holder = group && findHolder(groups, group)
  if (group === undefined || holder === undefined) return undefined
  const isOfAll = isEveryone({ ...group }) || ownKey(group) === everyone
  return isOfAll && !isExchanged(group, holder) ? undefined : { group, holder }
}

/** Call it before the rows are checked, and before groups that stand for all users are told apart. */
export async function checkGroupNames(check: Check): Promise<void> {
  const { db } = check.deps
  const told = new Set<number>()
  for (const { id } of await readGroups(db)) {
    check.signal.throwIfAborted()
    const found = told.has(id) ? undefined : await findTaken(db, id)
    if (found === undefined) continue
    const { group, holder } = found
    const isPair = isExchanged(group, holder)
    if (isPair) told.add(holder.id)
    const detail = isPair
      ? `its name or its key and those of group ${holder.id} '${holder.name}' are exchanged`
      : "its name is another group's; --repair makes it what its own key says"
    const name = `user_groups ${id} '${group.name}'`
    await check.report({ verdict: 'repairable', problem: 'row-value', name, detail }, () => mend(check, group))
  }
}
