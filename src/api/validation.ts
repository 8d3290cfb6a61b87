/** The queue of files that wait for approval. */
import * as z from 'zod/mini'
import type { Call } from './client.ts'
import { endpoint } from './endpoint.ts'
import { atMostUnits, id, limit, textBlock, textId } from './fields.ts'
import { fileItem, itemAnswer } from './items.ts'
import { maxCommentLength, maxPages } from './limits.ts'

/** `owner` is the username; `sha256` is hex. */
export const pendingFile = z.extend(fileItem, { owner: z.string(), sha256: z.string() })
export type PendingFile = z.output<typeof pendingFile>

const ownerName = z.string().check(atMostUnits(256, 'The name is longer than 256 characters'))

/**
 * The oldest first, at most a thousand of them: those behind the file `after`, which need no longer be there; with `owner`,
 * a username as `PendingFile` tells it, those of that user. `data` is the list itself, so that the last page is known by
 * what follows it: nothing.
 */
export const listPending = endpoint(
  'GET',
  '/validation/pending',
  z.strictObject({ limit, after: z.optional(textId), owner: z.optional(ownerName) }),
).returns(z.array(pendingFile))

/** How many there are; of more than `maxPendingShown`, that many. */
export const countPending = endpoint('GET', '/validation/pending/count', z.strictObject({})).returns(
  z.object({ count: z.int() }),
)

const pendingOwner = z.object({ owner: z.string(), count: z.int() })
export type PendingOwner = z.output<typeof pendingOwner>

/** Whose files wait, by username, and how many of each. */
export const listPendingOwners = endpoint('GET', '/validation/pending/owners', z.strictObject({})).returns(
  z.object({ owners: z.array(pendingOwner) }),
)

/**
 * Reads the queue page by page with what reads the page behind a file: all of it, or no fewer files than `enough` where
 * there are so many.
 */
export async function readQueue(
  readPage: (after: number | undefined) => Promise<PendingFile[]>,
  enough = Number.POSITIVE_INFINITY,
): Promise<PendingFile[]> {
  const files: PendingFile[] = []
  for (let pages = 0; pages < maxPages && files.length < enough; pages += 1) {
    const after = files.at(-1)?.id
    const page = await readPage(after)
    // A page that does not come after the one before would be followed by pages without end.
    if (page.some(({ id }) => id <= (after ?? 0))) break
    if (page.length === 0) break
    files.push(...page)
  }
  return files
}

/** The oldest files of the queue, of one owner or of all; `enough` as for `readQueue`. */
export const readPending = (call: Call, enough?: number, owner?: string): Promise<PendingFile[]> =>
  readQueue(after => call(listPending, { after, owner }), enough)

export const decideFile = endpoint(
  'POST',
  '/validation',
  z.strictObject({
    file_id: id,
    status: z.enum(['approved', 'rejected'], "Expected 'approved' or 'rejected'"),
    /** What was looked at, as the list of pending files and the file itself tell it; the decision is about nothing else. */
    sha256: z.optional(z.string().check(z.regex(/^[0-9a-fA-F]{64}$/, 'Expected 64 hex digits'), z.toLowerCase())),
    comment: z.optional(z.nullable(textBlock('Comment', maxCommentLength))),
  }),
).returns(itemAnswer)
