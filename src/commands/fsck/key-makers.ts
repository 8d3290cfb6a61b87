/**
 * Checks that each API key could have been made by the key that is said to have made it: it ends with that key and
 * shares its requests.
 */
import type { Database } from '../../db/database.ts'
import { keyPermissions } from '../../db/models/api-keys.ts'
import { readPages } from '../../db/read-on.ts'
import type { Recorder } from '../../db/recorder.ts'
import { parseStored } from '../../db/stored-json.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'

interface MadeKey {
  id: number
  name: string
  username: string
  user_id: number
  kind: string
  permissions: string
  expires_at: number | null
  maker_user_id: number
  maker_kind: string
  maker_permissions: string
  maker_expires_at: number | null
}

const madeKeys = `SELECT k.id, k.name, u.username, k.user_id, k.kind, k.permissions, k.expires_at,
    m.user_id AS maker_user_id, m.kind AS maker_kind, m.permissions AS maker_permissions,
    m.expires_at AS maker_expires_at
  FROM api_keys k JOIN users u ON u.id = k.user_id JOIN api_keys m ON m.id = k.made_by`

const pageSize = 1000

/** Whether the key has a permission that its maker lacks. Unreadable permissions are another finding. */
function hasMore({ permissions, maker_permissions }: MadeKey): boolean {
  const own = parseStored(keyPermissions.schema, permissions)
  const makers = parseStored(keyPermissions.schema, maker_permissions)
  return makers !== undefined && own?.every(permission => makers.includes(permission)) === false
}

const outlives = ({ expires_at, maker_expires_at }: MadeKey): boolean =>
  maker_expires_at !== null && (expires_at === null || expires_at > maker_expires_at)

/**
 * Why the key cannot have been made by its maker, as the rest of a sentence; null if it can. Only what never changes
 * after a key was made counts: the rights of its user and the default limits may be others by now.
 */
function findProblem(key: MadeKey): string | null {
  if (key.maker_user_id !== key.user_id) return "another user's key made it"
  if (key.kind === 'device') return 'it is a device key, and a key made it'
  if (key.maker_kind === 'device') return 'it ends with a device key, which no key does'
  if (outlives(key)) return 'it outlives the key that made it'
  return hasMore(key) ? 'it has more permissions than the key that made it' : null
}

/** Disables the key until its owner looks at it, because nobody knows with which key it shares its requests. */
async function disown(db: Database, { id, name }: MadeKey, record: Recorder): Promise<void> {
  await db.update(db.apiKeys, { made_by: null, is_active: 0 }, id)
  record('api-key.repair', { id }, { name, columns: ['made_by', 'is_active'] })
}

async function reportKey({ deps: { db }, report }: Check, key: MadeKey, detail: string): Promise<void> {
  const finding = {
    verdict: 'repairable',
    problem: 'foreign-maker',
    name: `api_keys ${key.id} of '${key.username}'`,
    detail,
  } as const
  await report(finding, () =>
    db.write(systemActor, async record => {
      record.nothing()
      const current = await db.row<MadeKey>(`${madeKeys} WHERE k.id = $1`, [key.id])
      if (current === undefined || findProblem(current) === null) return false
      await disown(db, current, record)
      return true
    }),
  )
}

export async function checkKeyMakers(check: Check): Promise<void> {
  const { db } = check.deps
  const pages = readPages<MadeKey>(db, {
    read: ([after]) => db.rows(`${madeKeys} WHERE k.id > $1 ORDER BY k.id LIMIT ${pageSize}`, [Number(after)]),
    keyOf: ({ id }) => [id],
    start: [0],
    size: pageSize,
  })
  for await (const keys of pages) {
    check.signal.throwIfAborted()
    for (const key of keys) {
      const problem = findProblem(key)
      if (problem !== null) await reportKey(check, key, problem)
    }
  }
}
