/** Checks that one group alone stands for all users. */
import type { Database } from '../../db/database.ts'
import type { GroupRow } from '../../db/models/shares.ts'
import { userKey } from '../../db/user-key.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'
import { checkGroupNames } from './group-names.ts'
import { isEveryone, ordinaryName } from './group-rules.ts'

/** The groups that stand for all users beside the one that has the key of that group. */
async function findOthers(db: Database): Promise<GroupRow[]> {
  const groups = await db.rows<GroupRow>('SELECT id, name, name_key, kind FROM user_groups ORDER BY id')
  const hasKey = ({ name_key }: GroupRow) => name_key === 'everyone'
  return groups.some(hasKey) ? groups.filter(group => !hasKey(group) && isEveryone({ ...group })) : []
}

/** Call it before the rows are checked: one by one, each of two such groups looks right. */
export async function checkGroups(check: Check): Promise<void> {
  const { deps, report } = check
  const { db } = deps
  await checkGroupNames(check)
  for (const { id, name } of await findOthers(db)) {
    const finding = {
      verdict: 'repairable',
      problem: 'group-twice',
      name: `user_groups ${id} '${name}'`,
      detail: 'it stands for all users, as another group does; --repair makes it one of its members alone',
    } as const
    await report(finding, () =>
      db.write(systemActor, async record => {
        record.nothing()
        const group = (await findOthers(db)).find(other => other.id === id)
        if (group === undefined) return false
        const own = ordinaryName({ ...group })
        await db.update(db.userGroups, { name: own, name_key: userKey(own), kind: 'listed' }, id)
        record('group.repair', { id }, { name: own, columns: ['name', 'name_key', 'kind'] })
        return true
      }),
    )
  }
}
