/**
 * Finds bytes that seem to be missing because the key or the place in their row is damaged: in the store, under a key that
 * no row names, or in quarantine. They would else be taken for bytes that no row names.
 */
import { differByOne } from '../../base/differ-by-one.ts'
import { groupBy } from '../../base/group-by.ts'
import { listQuarantine, putBack, type QuarantinedKey, readQuarantined } from '../../blobs/quarantine.ts'
import { systemActor } from '../../db/write-actor.ts'
import { findKeptKeys, findNamedKeys } from '../../files/named-keys.ts'
import { type ContentRow, hashOf, placeOf, reportRepairable } from './content-rows.ts'
import type { Check } from './finding.ts'
import type { HashBytes } from './hash.ts'

/** Bytes that may be those of a content. */
interface Candidate {
  key: string
  /** Where they are in quarantine; null: in the store. */
  aside: QuarantinedKey | null
  /** Their SHA-256, once it is needed; null if they cannot be read. */
  hash?: string | null
}

/** By the id of a content. */
export type Candidates = ReadonlyMap<number, readonly Candidate[]>

/** Keys per lookup. */
const batchSize = 500
/** More bytes of one size that no row names are not looked at; each may have to be hashed. */
const mostOfSize = 1000

/** The bytes of some sizes that are in the store and that no row names. */
async function findUnnamed({ deps: { db, store }, signal }: Check, sizes: ReadonlySet<number>) {
  const found = new Map<number, Candidate[]>([...sizes].map(size => [size, []]))
  const add = async (batch: readonly { key: string; size: number }[]) => {
    if (batch.length === 0) return
    const named = await findNamedKeys(
      db,
      batch.map(({ key }) => key),
    )
    for (const { key, size } of batch) {
      const ofSize = found.get(size) ?? []
      if (!named.has(key) && ofSize.length < mostOfSize) ofSize.push({ key, aside: null })
    }
  }
  let batch: { key: string; size: number }[] = []
  for await (const { key, size } of store.list()) {
    signal.throwIfAborted()
    if (sizes.has(size)) batch.push({ key, size })
    if (batch.length < batchSize) continue
    await add(batch)
    batch = []
  }
  await add(batch)
  return found
}

/** Characters: one half of a key is intact where one character is damaged. */
const half = 32

/**
 * The bytes in quarantine that may be a content's: first those whose keys differ from its own in at most one character, then
 * all others. A listing does not tell their sizes, so each may have to be hashed.
 */
async function findAsides({ deps: { store }, signal }: Check, contents: readonly ContentRow[]) {
  const near = new Map<number, Candidate[]>()
  const others: Candidate[] = []
  const byStart = groupBy(contents, ({ key }) => key.slice(0, half))
  const byEnd = groupBy(contents, ({ key }) => key.slice(half))
  for await (const aside of listQuarantine(store)) {
    signal.throwIfAborted()
    const candidate = { key: aside.key, aside }
    const { key } = aside
    const alike = [...(byStart.get(key.slice(0, half)) ?? []), ...(byEnd.get(key.slice(half)) ?? [])]
    for (const { id } of alike.filter(other => other.key === key || differByOne(other.key, key))) {
      near.set(id, [...(near.get(id) ?? []), candidate])
    }
    others.push(candidate)
  }
  return (id: number): readonly Candidate[] => [...(near.get(id) ?? []), ...others]
}

/** Finds what may be the bytes of some contents, by one listing of the store. */
export async function findCandidates(check: Check, contents: readonly ContentRow[]): Promise<Candidates> {
  if (contents.length === 0) return new Map()
  const unnamed = await findUnnamed(check, new Set(contents.map(({ size }) => size)))
  const asidesOf = await findAsides(check, contents)
  return new Map(contents.map(({ id, size }) => [id, [...(unnamed.get(size) ?? []), ...asidesOf(id)]]))
}

/** The first of some candidates that no row names and that has the bytes of the content. */
async function findRight(check: Check, hashBytes: HashBytes, content: ContentRow, candidates: readonly Candidate[]) {
  const { deps } = check
  for (const candidate of candidates) {
    const { key, aside } = candidate
    candidate.hash ??= await hashOf(
      check,
      hashBytes,
      aside === null ? deps.store.read(key) : readQuarantined(deps.store, aside),
    )
    if (candidate.hash === content.sha256 && !(await findKeptKeys(deps, [key])).has(key)) return candidate
  }
}

async function correctKey({ deps: { db, store } }: Check, { id, key }: ContentRow, right: Candidate): Promise<boolean> {
  if (right.aside !== null) await putBack(store, right.aside)
  return db.write(systemActor, async record => {
    record.nothing()
    const sql = "UPDATE blobs SET `key` = $1, place = 'store' WHERE id = $2 AND `key` = $3"
    return (await db.change(sql, [right.key, id, key])) === 1
  })
}

/** Reports a content whose bytes are there under another key. Returns whether they are. */
export async function reportDamagedKey(
  check: Check,
  hashBytes: HashBytes,
  content: ContentRow,
  candidates: readonly Candidate[] = [],
): Promise<boolean> {
  const right = await findRight(check, hashBytes, content, candidates)
  if (right === undefined) return false
  const what = content.place === 'store' ? 'key' : 'place'
  const detail = `its row has a damaged ${what}, its bytes are right: ${placeOf({ ...content, place: 'store', key: right.key })}`
  await reportRepairable(check, content, { problem: 'content-row', detail }, () => correctKey(check, content, right))
  return true
}
