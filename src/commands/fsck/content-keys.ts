/**
 * Finds bytes that seem to be missing because the key in their row is damaged: in the store, or in quarantine, under a key
 * that differs in one character. They would else be taken for bytes that no row names, and be deleted in time.
 */
import { differByOne } from '../../base/differ-by-one.ts'
import { groupBy } from '../../base/group-by.ts'
import { listQuarantine, putBack, type QuarantinedKey, readQuarantined } from '../../blobs/quarantine.ts'
import { systemActor } from '../../db/write.ts'
import { findKeptKeys } from '../../files/named-keys.ts'
import { type ContentRow, hashOf, placeOf, reportRepairable } from './content-rows.ts'
import type { Check } from './finding.ts'
import type { HashBytes } from './hash.ts'

interface NearKey {
  key: string
  /** Where the bytes are in quarantine; null: in the store. */
  aside: QuarantinedKey | null
}

/** By the id of a content, the keys that differ from its own in one character. */
export type NearKeys = ReadonlyMap<number, readonly NearKey[]>

/** Characters: one half of a key is intact where one character is damaged. */
const half = 32

/** Finds the near keys of some contents by one listing of the store. */
export async function findNearKeys(
  { deps: { store }, signal }: Check,
  contents: readonly ContentRow[],
): Promise<NearKeys> {
  const found = new Map<number, NearKey[]>()
  if (contents.length === 0) return found
  const byStart = groupBy(contents, ({ key }) => key.slice(0, half))
  const byEnd = groupBy(contents, ({ key }) => key.slice(half))
  const look = (key: string, aside: QuarantinedKey | null) => {
    signal.throwIfAborted()
    const alike = [...(byStart.get(key.slice(0, half)) ?? []), ...(byEnd.get(key.slice(half)) ?? [])]
    for (const content of alike.filter(other => differByOne(other.key, key))) {
      found.set(content.id, [...(found.get(content.id) ?? []), { key, aside }])
    }
  }
  for await (const { key } of store.list()) look(key, null)
  for await (const aside of listQuarantine(store)) look(aside.key, aside)
  return found
}

/** The first of some near keys that no row names and whose bytes are those of the content. */
async function findRight(check: Check, hashBytes: HashBytes, content: ContentRow, nearKeys: readonly NearKey[]) {
  const { deps } = check
  for (const near of nearKeys) {
    if ((await findKeptKeys(deps, [near.key])).has(near.key)) continue
    const reading = near.aside === null ? deps.store.read(near.key) : readQuarantined(deps.store, near.aside)
    if ((await hashOf(check, hashBytes, reading)) === content.sha256) return near
  }
}

async function correctKey({ deps: { db, store } }: Check, { id, key }: ContentRow, right: NearKey): Promise<boolean> {
  if (right.aside !== null) await putBack(store, right.aside)
  return db.write(systemActor, async record => {
    record.nothing()
    return (await db.change('UPDATE blobs SET `key` = $1 WHERE id = $2 AND `key` = $3', [right.key, id, key])) === 1
  })
}

/** Reports a content whose bytes are there under one of some near keys. Returns whether they are. */
export async function reportDamagedKey(
  check: Check,
  hashBytes: HashBytes,
  content: ContentRow,
  nearKeys: readonly NearKey[] = [],
): Promise<boolean> {
  const right = await findRight(check, hashBytes, content, nearKeys)
  if (right === undefined) return false
  const detail = `its row has a damaged key, its bytes are right: ${placeOf({ ...content, key: right.key })}`
  await reportRepairable(check, content, { problem: 'content-row', detail }, () => correctKey(check, content, right))
  return true
}
