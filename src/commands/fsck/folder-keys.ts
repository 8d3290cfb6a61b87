/** Checks that each API key for one folder is for a folder, in the storage that the key names. */
import { readPages } from '../../db/read-on.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'

interface ScopedKey {
  id: number
  name: string
  username: string
  /** The space of the item, and whether it is a folder. */
  space_id: number
  is_directory: 0 | 1
}

/** The keys whose scope contradicts the item that it names. */
const wrongScopes = `SELECT k.id, k.name, u.username, f.space_id, f.is_directory FROM api_keys k
  JOIN users u ON u.id = k.user_id JOIN files f ON f.id = k.scope_item_id
  WHERE (f.is_directory = 0 OR f.space_id <> k.scope_space_id)`

export const scopeIsFile = 'it is a key for one folder, and names a file'
export const scopeElsewhere = 'it is a key for one folder, and names another storage than that of the folder'

const pageSize = 1000

/** Disables the key until its owner looks at it, because nobody knows for which folder it was. */
async function reportKey({ deps: { db }, report, unsettled }: Check, key: ScopedKey): Promise<void> {
  // The folder may be what is in the wrong space, and its keys tell whose it is.
  if (key.is_directory === 1 && unsettled.has(key.space_id)) return
  const read = () => db.row<ScopedKey>(`${wrongScopes} AND k.id = $1`, [key.id])
  // A folder and its keys move to another space in one write, so look again.
  if ((await read()) === undefined) return
  const finding = {
    verdict: 'repairable',
    problem: 'key-scope',
    name: `api_keys ${key.id} of '${key.username}'`,
    detail: key.is_directory === 0 ? scopeIsFile : scopeElsewhere,
  } as const
  await report(finding, () =>
    db.write(systemActor, async record => {
      record.nothing()
      const current = await read()
      if (current === undefined) return false
      const scope = current.is_directory === 0 ? { scope_item_id: 0 } : { scope_space_id: current.space_id }
      await db.update(db.apiKeys, { ...scope, is_active: 0 }, current.id)
      record(
        'api-key.repair',
        { id: current.id },
        { name: current.name, columns: [...Object.keys(scope), 'is_active'] },
      )
      return true
    }),
  )
}

const goneFolders = `SELECT k.id, u.username FROM api_keys k JOIN users u ON u.id = k.user_id
  LEFT JOIN files f ON k.scope_item_id = f.id WHERE k.scope_item_id > 0 AND f.id IS NULL`

/** Notes each key whose folder was deleted: it reaches nothing, which is no damage. */
async function noteGoneFolders({ deps: { db }, report, signal }: Check): Promise<void> {
  for (const { id, username } of await db.rows<{ id: number; username: string }>(`${goneFolders} ORDER BY k.id`)) {
    signal.throwIfAborted()
    const detail = 'the folder that it is for is gone, so it reaches nothing'
    await report({ verdict: 'ok', problem: 'key-folder', name: `api_keys ${id} of '${username}'`, detail })
  }
}

/** Call it after the items are checked: a repaired item may be in another space. */
export async function checkFolderKeys(check: Check): Promise<void> {
  const { db } = check.deps
  const pages = readPages<ScopedKey>(db, {
    read: ([after]) => db.rows(`${wrongScopes} AND k.id > $1 ORDER BY k.id LIMIT ${pageSize}`, [Number(after)]),
    keyOf: ({ id }) => [id],
    start: [0],
    size: pageSize,
  })
  for await (const keys of pages) {
    check.signal.throwIfAborted()
    for (const key of keys) await reportKey(check, key)
  }
  await noteGoneFolders(check)
}
