/** The queue of files that wait for approval. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import type { Call } from './client.ts'
import { endpoint } from './endpoint.ts'
import { atMostUnits, id, limit, textBlock, textId } from './fields.ts'
import { fileItem, itemAnswer } from './items.ts'
import { maxCommentLength, maxPages } from './limits.ts'

/** `owner` is the username; `sha256` is hex. */
export const pendingFile = z.extend(fileItem, {
  owner: z.string(),
  /** Whose tree it lies in: a user's, by username, or that of a team folder, with which the path begins. */
  space: z.object({ kind: z.enum(['personal', 'team']), owner: z.nullable(z.string()) }),
  /** The link by which a visitor has sent it; without a label too if the link is gone. */
  by_link: z.nullable(z.object({ id: z.int(), label: z.nullable(z.string()) })),
  sha256: z.string(),
})
export type PendingFile = z.output<typeof pendingFile>

const ownerName = z.string().check(atMostUnits(256, 'The name is longer than 256 characters'))

/**
 * Lists pending files by id, lowest first, at most a thousand. `after` is the id of the last file of the page before;
 * that file need not exist any more. `owner` restricts the list to one username, as `PendingFile` gives it. `data` is a
 * bare list without a cursor, so a client has reached the end when a page is empty.
 */
export const listPending = endpoint(
  'GET',
  '/validation/pending',
  z.strictObject({ limit, after: z.optional(textId), owner: z.optional(ownerName) }),
).returns(z.array(pendingFile), about('List the files that wait for approval, the oldest first'))

/** The number of pending files, at most `maxPendingShown`. */
export const countPending = endpoint('GET', '/validation/pending/count', z.strictObject({})).returns(
  z.object({ count: z.int() }),
  about('Count the files that wait for approval, up to 5,000'),
)

const pendingOwner = z.object({ owner: z.string(), count: z.int() })
export type PendingOwner = z.output<typeof pendingOwner>

/** The owners of pending files by username, each with their number of pending files. */
export const listPendingOwners = endpoint('GET', '/validation/pending/owners', z.strictObject({})).returns(
  z.object({ owners: z.array(pendingOwner) }),
  about('List the users whose files wait for approval, with the number of files'),
)

/**
 * Reads the queue page by page. `readPage` returns the page after a file id. Stops at the end of the queue, or once at
 * least `enough` files have been read.
 */
export async function readQueue(
  readPage: (after: number | undefined) => Promise<PendingFile[]>,
  enough = Number.POSITIVE_INFINITY,
): Promise<PendingFile[]> {
  const files: PendingFile[] = []
  for (let pages = 0; pages < maxPages && files.length < enough; pages += 1) {
    const after = files.at(-1)?.id
    const page = await readPage(after)
    // If a page does not continue after the previous one, stop; otherwise reading might never end.
    if (page.some(({ id }) => id <= (after ?? 0))) break
    if (page.length === 0) break
    files.push(...page)
  }
  return files
}

/** Reads the oldest files of the queue, of one owner or of all; `enough` as for `readQueue`. */
export const readPending = (call: Call, enough?: number, owner?: string): Promise<PendingFile[]> =>
  readQueue(after => call(listPending, { after, owner }), enough)

export const decideFile = endpoint(
  'POST',
  '/validation',
  z.strictObject({
    file_id: id,
    status: z.enum(['approved', 'rejected'], "Expected 'approved' or 'rejected'"),
    /** Hash of the content that the reviewer saw; the call is refused if the file has other content by now. */
    sha256: z.optional(z.string().check(z.regex(/^[0-9a-fA-F]{64}$/, 'Expected 64 hex digits'), z.toLowerCase())),
    comment: z.optional(z.nullable(textBlock('Comment', maxCommentLength))),
  }),
).returns(
  itemAnswer,
  about('Approve or reject a file', {
    remark:
      'Nobody decides on a file of their own unless the settings allow it. With `sha256` it is about that content alone.',
    errors: ['already_decided'],
  }),
)
