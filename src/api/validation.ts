/** The queue of files that wait for approval. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, nothing, textBlock } from './fields.ts'
import { fileItem, itemAnswer } from './items.ts'
import { maxCommentLength } from './limits.ts'

/** `owner` is the username; `sha256` is hex. */
export const pendingFile = z.extend(fileItem, { owner: z.string(), sha256: z.string() })
export type PendingFile = z.output<typeof pendingFile>

/** The oldest thousand. */
export const listPending = endpoint('GET', '/validation/pending', nothing).returns(z.array(pendingFile))

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
