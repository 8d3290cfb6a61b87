/** Reports damaged content: as lost for each of its files, unless it can be restored. */
import { differByOne } from '../../base/differ-by-one.ts'
import { keepDamaged, listQuarantine, putBack, type QuarantinedKey, readQuarantined } from '../../blobs/quarantine.ts'
import { newBlobKey } from '../../blobs/receive.ts'
import { systemActor } from '../../db/write-actor.ts'
import { type Candidates, reportDamagedKey } from './content-keys.ts'
import {
  type ContentRow,
  type Fault,
  findHashFault,
  hashOf,
  lookAgain,
  placeOf,
  reportRepairable,
} from './content-rows.ts'
import type { Check } from './finding.ts'
import type { HashBytes } from './hash.ts'
import { nameFilesOf } from './names.ts'

/** Copies in quarantine, by key. */
type Asides = ReadonlyMap<string, readonly QuarantinedKey[]>

/** Where else the bytes of a content may be. */
interface Elsewhere {
  asides: Asides
  candidates?: Candidates
}

/** The copies of some keys in quarantine, found in one listing. */
export async function findAsides({ deps: { store } }: Check, keys: readonly string[]): Promise<Asides> {
  const wanted = new Set(keys)
  const found = new Map<string, QuarantinedKey[]>()
  if (wanted.size === 0) return found
  for await (const aside of listQuarantine(store)) {
    if (wanted.has(aside.key)) found.set(aside.key, [...(found.get(aside.key) ?? []), aside])
  }
  return found
}

/** The first copy with the expected bytes. */
async function findWhole(check: Check, hashBytes: HashBytes, content: ContentRow, asides: Asides) {
  for (const aside of content.place === 'store' ? (asides.get(content.key) ?? []) : []) {
    const hash = await hashOf(check, hashBytes, readQuarantined(check.deps.store, aside))
    if (hash === content.sha256) return aside
  }
}

/** Restores the copy. The damaged bytes stay in quarantine. */
async function bringBack({ deps: { store, clock } }: Check, aside: QuarantinedKey): Promise<boolean> {
  await keepDamaged(store, aside.key, clock.now())
  await putBack(store, aside)
  return true
}

async function correctSize({ deps: { db } }: Check, { id, key, size, place, inline_size }: ContentRow, actual: number) {
  const right = place === 'inline' ? inline_size : actual
  return db.write(systemActor, async record => {
    record.nothing()
    const sql = 'UPDATE blobs SET size = $1 WHERE id = $2 AND `key` = $3 AND size = $4'
    return (await db.change(sql, [right, id, key, size])) === 1
  })
}

/** Makes bytes of text that spells the content. */
const keepAsBytes = ({ deps: { db } }: Check, { id }: ContentRow): Promise<boolean> =>
  db.write(systemActor, async record => {
    record.nothing()
    const sql = "UPDATE blob_bytes SET bytes = CAST(bytes AS BLOB) WHERE blob_id = $1 AND TYPEOF(bytes) = 'text'"
    return (await db.change(sql, [id])) === 1
  })

/**
 * The hash of the bytes, if it differs in one character from the one in their row: then the row is damaged, and the bytes
 * are right.
 */
async function findRightHash(check: Check, hashBytes: HashBytes, { key, place, size, sha256 }: ContentRow) {
  if (place !== 'store') return null
  const hash = await hashOf(check, hashBytes, check.deps.store.read(key, { start: 0, end: size - 1 }))
  return hash !== null && differByOne(hash, sha256) ? hash : null
}

const correctHash = ({ deps: { db } }: Check, { id, key }: ContentRow, sha256: string): Promise<boolean> =>
  db.write(systemActor, async record => {
    record.nothing()
    return (await db.change('UPDATE blobs SET sha256 = $1 WHERE id = $2 AND `key` = $3', [sha256, id, key])) === 1
  })

/** Whether the right bytes are followed by extra ones, which no reader gets to see. */
async function isTooLong(check: Check, hashBytes: HashBytes, content: ContentRow): Promise<boolean> {
  const { store } = check.deps
  const actual = content.place === 'store' ? await store.size(content.key) : null
  if (actual === null || actual <= content.size || content.size === 0) return false
  const reading = store.read(content.key, { start: 0, end: content.size - 1 })
  return (await hashOf(check, hashBytes, reading)) === content.sha256
}

/** Copies the right bytes to a new key, and quarantines the old ones. */
async function cutToSize({ deps: { db, store, clock } }: Check, { id, key, size }: ContentRow): Promise<boolean> {
  const newKey = newBlobKey()
  await store.put(newKey, await store.read(key, { start: 0, end: size - 1 }))
  const isCut = await db.write(systemActor, async record => {
    record.nothing()
    return (await db.change('UPDATE blobs SET `key` = $1 WHERE id = $2 AND `key` = $3', [newKey, id, key])) === 1
  })
  if (isCut) await keepDamaged(store, key, clock.now())
  else await store.remove(newKey)
  return isCut
}

/** Whether the row says that the bytes are in the store, while they are beside it. */
async function isBesideRow(check: Check, hashBytes: HashBytes, content: ContentRow): Promise<boolean> {
  if (content.place !== 'store' || content.inline_size !== content.size) return false
  return (await findHashFault(check, hashBytes, { ...content, place: 'inline' })) === null
}

const correctPlace = ({ deps: { db } }: Check, { id, key }: ContentRow): Promise<boolean> =>
  db.write(systemActor, async record => {
    record.nothing()
    const sql = "UPDATE blobs SET place = 'inline' WHERE id = $1 AND `key` = $2 AND place = 'store'"
    return (await db.change(sql, [id, key])) === 1
  })

/**
 * Reports content that can be repaired: correct bytes under a wrong size or hash in the row, or an intact copy in quarantine.
 * Returns false when neither applies.
 */
async function reportMendable(
  check: Check,
  hashBytes: HashBytes,
  content: ContentRow,
  fault: Fault,
  { asides, candidates }: Elsewhere,
): Promise<boolean> {
  if (fault.problem === 'content-size' && (await findHashFault(check, hashBytes, content)) === null) {
    const actual = (await check.deps.store.size(content.key)) ?? content.size
    const detail = `its row has the wrong size, its bytes are right: ${placeOf(content)}`
    await reportRepairable(check, content, { problem: 'content-row', detail }, () =>
      correctSize(check, content, actual),
    )
    return true
  }
  const rightHash = fault.problem === 'content-changed' ? await findRightHash(check, hashBytes, content) : null
  if (rightHash !== null) {
    const detail = `its row has a damaged SHA-256, its bytes are right: ${placeOf(content)}`
    await reportRepairable(check, content, { problem: 'content-row', detail }, () =>
      correctHash(check, content, rightHash),
    )
    return true
  }
  if (fault.problem === 'content-as-text' && (await findHashFault(check, hashBytes, content)) === null) {
    await reportRepairable(check, content, fault, () => keepAsBytes(check, content))
    return true
  }
  if (fault.problem === 'content-size' && (await isTooLong(check, hashBytes, content))) {
    const detail = `others stand behind its bytes, which nobody reads: ${placeOf(content)}`
    await reportRepairable(check, content, { problem: 'content-too-long', detail }, () => cutToSize(check, content))
    return true
  }
  if (await isBesideRow(check, hashBytes, content)) {
    const detail = `its row has a damaged place, its bytes are right: ${placeOf({ ...content, place: 'inline' })}`
    await reportRepairable(check, content, { problem: 'content-row', detail }, () => correctPlace(check, content))
    return true
  }
  const aside = await findWhole(check, hashBytes, content, asides)
  if (aside === undefined) return reportDamagedKey(check, hashBytes, content, candidates?.get(content.id))
  const detail = `${fault.detail}; a whole copy is in quarantine`
  await reportRepairable(check, content, { problem: 'content-set-aside', detail }, () => bringBack(check, aside))
  return true
}

/** Reports a fault if it still exists. Returns whether it does. */
export async function reportFault(
  check: Check,
  hashBytes: HashBytes,
  content: ContentRow,
  fault: Fault,
  elsewhere: Elsewhere,
): Promise<boolean> {
  const { db, store, clock } = check.deps
  const current = await lookAgain(check, content)
  // Unused content is reported as such: no file has lost it.
  if (current === undefined || current.is_named === 0) return false
  // Read again, because the disk or its cable may have failed only once.
  if (fault.problem === 'content-changed' && (await findHashFault(check, hashBytes, current)) === null) return false
  if (await reportMendable(check, hashBytes, current, fault, elsewhere)) return true
  for await (const { id, name, space_id } of nameFilesOf(db, content.id)) {
    const about = { file_id: id, space_id, blob_id: content.id, key: content.key }
    await check.report({
      ...about,
      verdict: 'lost',
      problem: fault.problem,
      name: `${name} (id:${id})`,
      detail: fault.detail,
    })
  }
  // Move it away: its size is right, so it would be sent. Bytes of another size are not, and stay.
  const isInTheWay = content.place === 'store' && fault.problem === 'content-changed'
  if (check.mayRepair() && isInTheWay) await keepDamaged(store, content.key, clock.now())
  return true
}
