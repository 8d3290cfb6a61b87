/** The queue of files that wait for approval. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, nothing, textBlock } from './fields.ts'
import { fileItem, itemAnswer } from './items.ts'
import { maxCommentLength } from './limits.ts'

/** `owner` is the username. */
export const pendingFile = z.extend(fileItem, { owner: z.string() })
export type PendingFile = z.output<typeof pendingFile>

/** The oldest thousand. */
export const listPending = endpoint('GET', '/validation/pending', nothing).returns(z.array(pendingFile))

export const decideFile = endpoint(
  'POST',
  '/validation',
  z.strictObject({
    file_id: id,
    status: z.enum(['approved', 'rejected'], "Expected 'approved' or 'rejected'"),
    comment: z.optional(z.nullable(textBlock('Comment', maxCommentLength))),
  }),
).returns(itemAnswer)
