/**
 * Files that name no content, or one of another size. Either the size in the row is damaged, or the id of the content; then
 * the right content is one that no file names, unless others have it too. A repair must give nobody another's bytes.
 */
import { hexForm } from '../../blobs/blob-store.ts'
import type { Database } from '../../db/database.ts'
import { unknownFiles } from '../../files/unknown-files.ts'
import { type ContentRow, findContents, findHashFault, findSizeFault, placeOf } from './content-rows.ts'
import type { Check } from './finding.ts'
import { openHashing } from './hash.ts'
import { repairItem } from './item-repairs.ts'
import { type CheckedItem, problemDetails } from './item-rows.ts'

type ContentProblem = 'file-without-content' | 'file-size'

/** Whether another file of the same size has such a problem. */
const hasRival = async (db: Database, { id, size }: CheckedItem): Promise<boolean> =>
  (await db.row(`${unknownFiles} AND f.size = $1 AND f.id <> $2 LIMIT 1`, [size, id])) !== undefined

/** Of `blobs b`, the contents that no file names. */
export const isUnnamed = 'NOT EXISTS (SELECT 1 FROM files f WHERE f.blob_id = b.id)'

type Unnamed = Pick<ContentRow, 'id' | 'key' | 'place'>

/** The most contents that a finding names. */
const mostNamed = 5

/** The contents of the file's size that no file names: one more than a finding names, at most. */
const findUnnamed = (db: Database, { size }: CheckedItem): Promise<Unnamed[]> =>
  db.rows<Unnamed>(
    `SELECT b.id, b.\`key\`, b.place FROM blobs b WHERE b.size = $1 AND ${isUnnamed} ORDER BY b.id LIMIT ${mostNamed + 1}`,
    [size],
  )

/** Whether one flipped bit makes one id of the other, be it the one of the sign. */
function differByOneBit(one: number | null, other: number): boolean {
  if (one === null || !Number.isSafeInteger(one)) return false
  const bits = BigInt(one) ^ BigInt(other)
  const amount = bits < 0n ? -bits : bits
  return amount !== 0n && (amount & (amount - 1n)) === 0n
}

/**
 * Whether the file's size is wrong and its content right. The storage in use has been counted apart from the rows: it
 * must not be the sum of the sizes as they are. And either it is their sum with those of the contents, or the content is
 * no other file's, so that the id of no other has become this one.
 */
const isSizeWrong = async (db: Database, { id, space_id, blob_id }: CheckedItem): Promise<boolean> =>
  (await db.row(
    `SELECT s.id FROM spaces s JOIN (
       SELECT f.space_id, SUM(f.size) AS sizes, SUM(COALESCE(b.size, f.size)) AS content_sizes
       FROM files f LEFT JOIN blobs b ON b.id = f.blob_id WHERE f.space_id = $1 GROUP BY f.space_id) sums
     ON sums.space_id = s.id WHERE s.storage_used <> sums.sizes AND (s.storage_used = sums.content_sizes
       OR NOT EXISTS (SELECT 1 FROM files o WHERE o.blob_id = $2 AND o.id <> $3))`,
    [space_id, blob_id, id],
  )) !== undefined

type Correction = { blob_id: number } | { size: number }

/**
 * What the file's row should have; null when that cannot be told. The same size alone is no proof: the file that named
 * the content may be gone, and have been another user's.
 */
async function findCorrection(
  db: Database,
  item: CheckedItem,
  unnamed: readonly Unnamed[],
): Promise<Correction | null> {
  const [first] = unnamed
  if (first === undefined) {
    return item.blob_size !== null && (await isSizeWrong(db, item)) ? { size: item.blob_size } : null
  }
  const isOwn = unnamed.length === 1 && differByOneBit(item.blob_id, first.id) && !(await hasRival(db, item))
  return isOwn ? { blob_id: first.id } : null
}

async function findContent(check: Check, id: number | null): Promise<ContentRow | undefined> {
  if (id === null) return undefined
  const [content] = await findContents(check, { after: id - 1, upTo: id })
  // A malformed key leads to no bytes.
  return content !== undefined && hexForm.test(content.key) ? content : undefined
}

async function isWhole(check: Check, id: number): Promise<boolean> {
  const content = await findContent(check, id)
  if (content === undefined || (await findSizeFault(check, content)) !== null) return false
  return !check.options.hash || (await findHashFault(check, openHashing(check), content)) === null
}

/** Whether the check of contents has told that the content is damaged, so that its size says nothing about the file. */
async function isToldOfContent(check: Check, { blob_id }: CheckedItem): Promise<boolean> {
  const content = await findContent(check, blob_id)
  return content !== undefined && (await findSizeFault(check, content)) !== null
}

const nameContent = (content: Unnamed): string =>
  content.place === 'inline' ? placeOf(content) : `content ${content.id} (${placeOf(content)})`

function detailOf(problem: ContentProblem, unnamed: readonly Unnamed[], correction: Correction | null): string {
  const base = problemDetails[problem]
  if (correction !== null && 'blob_id' in correction) {
    return `${base}; content ${correction.blob_id}, which no file names, has its size, and an id that differs in one bit`
  }
  const names = unnamed.slice(0, mostNamed).map(nameContent)
  if (unnamed.length > mostNamed) names.push('and more')
  if (names.length > 0) return `${base}; contents of its size that no file names: ${names.join(', ')}`
  return problem === 'file-size' && correction === null ? `${base}, which may be another file's` : base
}

const correct = ({ deps: { db } }: Check, item: CheckedItem, problem: ContentProblem, correction: Correction) =>
  repairItem(db, item, problem, async (_, current, record) => {
    const again = await findCorrection(db, current, await findUnnamed(db, current))
    if (JSON.stringify(again) !== JSON.stringify(correction)) throw new Error('its row has changed meanwhile')
    await db.update(db.files, correction, current.id)
    record('file.repair', { id: current.id, spaceId: current.space_id }, { name: current.name })
  })

/**
 * The rest of the finding: its detail, the key of the content that may be the file's, and the repair; undefined for a
 * loss. Returns null when another check has told the problem.
 */
export async function judgeContent(check: Check, item: CheckedItem, problem: ContentProblem) {
  if (problem === 'file-size' && (await isToldOfContent(check, item))) return null
  const { db } = check.deps
  const unnamed = await findUnnamed(db, item)
  const found = await findCorrection(db, item, unnamed)
  const isDamaged = found !== null && 'blob_id' in found && !(await isWhole(check, found.blob_id))
  const correction = isDamaged ? null : found
  const [only] = unnamed.length === 1 ? unnamed : []
  return {
    detail: detailOf(problem, unnamed, correction),
    key: only?.key ?? null,
    repair: correction === null ? undefined : () => correct(check, item, problem, correction),
  }
}
