/** `filestore admin pending …`: the files that wait for approval. */
import { terminalActor } from '../../access/actor.ts'
import { byReview } from '../../access/standing.ts'
import type { InputOf } from '../../api/endpoint.ts'
import type { FileDetails } from '../../api/items.ts'
import * as api from '../../api/validation.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Flags } from '../../config-options.ts'
import { presentDetails } from '../../files/present.ts'
import * as validation from '../../validation/decide.ts'
import * as queue from '../../validation/queue.ts'
import { withRows } from '../open.ts'
import { findNamedFile } from './names.ts'

/** Returns all pending files, the oldest first. */
export const listPending = (flags: Flags): Promise<api.PendingFile[]> =>
  withRows(flags, ({ db }) => api.readQueue(after => queue.listPending(db, terminalActor, { after })))

/**
 * Approves or rejects a file, named as `id:42` or `user:/path`. Throws `not_found`, `invalid_input`, and
 * `already_decided` if the file is not pending or its content does not match `sha256`.
 */
export const decidePending = (
  flags: Flags,
  name: string,
  decision: Pick<InputOf<typeof api.decideFile>, 'status' | 'comment' | 'sha256'>,
): Promise<FileDetails> =>
  withRows(flags, async ({ db }) => {
    const { id } = await findNamedFile(db, name)
    const input = parseInput(api.decideFile.input, { file_id: id, ...decision })
    const row = await validation.decideFile(db, terminalActor, input)
    return presentDetails(db, terminalActor, { ...row, standing: byReview })
  })
